//! A managed chip under Verilator, with its JTAG pins.

use anyhow::Result;
use fantree_gen::emit;
use fantree_hdl::manage::ManagedRouter;
use fantree_hdl::router::RouterParams;
use fantree_tb::jtag::Pins;
use fantree_tb::verilator::{build, Model, Options, Port, Source};
use rust_hdl::prelude::Block;

/// Cycles of the chip's clock in half a cycle of the test clock.
const CYCLES: usize = 2;

pub struct ManagedChip {
    pub model: Model,
    clock: Port,
    reset: Port,
    tck: Port,
    trst: Port,
    tms: Port,
    tdi: Port,
    tdo: Port,
}

impl ManagedChip {
    /// A chip whose links work, before its reset.
    pub fn new(params: &RouterParams) -> Self {
        let mut router = Box::new(ManagedRouter::new(params));
        router.connect_all();
        let design = emit(&*router, "managed_router").expect("it can be printed");
        let source = Source {
            top: "managed_router",
            verilog: &design.to_verilog(),
        };
        let library = build(&source, &Options::default()).expect("it compiles");
        let mut model = library.model(1).expect("it starts");
        let pin = |name: &str| model.port(name).expect("the pin is there");
        let [clock, reset, tck, trst, tms, tdi, tdo] =
            ["clock", "reset", "tck", "trst", "tms", "tdi", "tdo"].map(pin);
        for port in 0..params.ports() {
            let pins = [("rx_valid", 0), ("tx_ready", 1), ("link_up", 1)];
            let quiet = ["tx_credit", "tx_congested", "link_slow", "link_error"];
            for (name, value) in pins.into_iter().chain(quiet.map(|name| (name, 0))) {
                let pin = model
                    .input(&format!("{name}_{port}"))
                    .expect("the pin is there");
                model.write(pin, value);
            }
        }
        Self {
            model,
            clock,
            reset,
            tck,
            trst,
            tms,
            tdi,
            tdo,
        }
    }

    /// A cycle of the chip's clock.
    pub fn cycle(&mut self) -> Result<()> {
        for level in [0, 1] {
            self.model.write(self.clock, level);
            self.model.eval()?;
        }
        Ok(())
    }

    /// Drives an input, by its name.
    pub fn write(&mut self, pin: &str, value: u128) {
        let pin = self.model.input(pin).expect("the pin is there");
        self.model.write_u128(pin, value);
    }

    /// Reads an output, by its name.
    pub fn read(&mut self, pin: &str) -> u128 {
        let pin = self.model.output(pin).expect("the pin is there");
        self.model.read_u128(pin)
    }
}

impl Pins for ManagedChip {
    fn drive(&mut self, tck: bool, tms: bool, tdi: bool) -> Result<()> {
        self.model.write(self.tms, tms.into());
        self.model.write(self.tdi, tdi.into());
        self.model.write(self.tck, tck.into());
        (0..CYCLES).try_for_each(|_| self.cycle())
    }

    fn tdo(&self) -> bool {
        self.model.read(self.tdo) == 1
    }

    /// Both clocks run while both resets are held.
    fn reset(&mut self) -> Result<()> {
        for level in [1, 0] {
            self.model.write(self.reset, level);
            self.model.write(self.trst, level);
            for _ in 0..5 {
                self.drive(false, true, false)?;
                self.drive(true, true, false)?;
            }
        }
        Ok(())
    }
}
