//! A managed chip under Verilator.

use fantree_gen::emit;
use fantree_hdl::manage::ManagedRouter;
use fantree_hdl::router::RouterParams;
use rust_hdl::prelude::Block;

use crate::router::{shared_tiles, FlitPins, Inputs, Outputs, SHARED_CODE};
use crate::verilator::{build, Library, Model, Options, Port, Result, Source};

/// Name of the top module.
const TOP: &str = "managed_router";

/// A compiled managed chip, of which there can be any number.
pub struct Chips {
    params: RouterParams,
    library: Library,
}

impl Chips {
    /// Compiles a chip of these sizes, or takes it from the cache.
    pub fn build(params: &RouterParams) -> anyhow::Result<Self> {
        let mut router = Box::new(ManagedRouter::new(params));
        router.connect_all();
        let design = emit(&*router, TOP)?;
        let source = Source {
            top: TOP,
            verilog: &format!("{}{}", shared_tiles(&design), design.to_verilog()),
        };
        let options = Options {
            arguments: SHARED_CODE.map(String::from).to_vec(),
            ..Options::default()
        };
        Ok(Self {
            params: *params,
            library: build(&source, &options)?,
        })
    }

    /// Sizes of the chips.
    pub fn params(&self) -> &RouterParams {
        &self.params
    }

    /// A chip whose links work, before its reset; its registers hold anything, by the seed.
    pub fn chip(&self, seed: u64) -> Result<ManagedChip> {
        ManagedChip::new(self.library.model(seed)?, self.params.ports())
    }
}

/// A managed chip: its pins by number.
pub struct ManagedChip {
    model: Model,
    clock: Port,
    reset: Port,
    tck: Port,
    trst: Port,
    tms: Port,
    tdi: Port,
    tdo: Port,
    rx: Vec<FlitPins>,
    rx_credit: Vec<Port>,
    tx: Vec<FlitPins>,
    tx_ready: Vec<Port>,
    tx_credit: Vec<Port>,
}

impl ManagedChip {
    fn new(mut model: Model, ports: usize) -> Result<Self> {
        let each = |name: &str| -> Result<Vec<Port>> {
            let pins = (0..ports).map(|port| model.port(&format!("{name}_{port}")));
            pins.collect()
        };
        let (rx_credit, tx_ready, tx_credit) =
            (each("rx_credit")?, each("tx_ready")?, each("tx_credit")?);
        let (rx, tx) = (
            FlitPins::of_links(&model, "rx", ports)?,
            FlitPins::of_links(&model, "tx", ports)?,
        );
        FlitPins::raise_links(&mut model, ports)?;
        Ok(Self {
            clock: model.input("clock")?,
            reset: model.input("reset")?,
            tck: model.input("tck")?,
            trst: model.input("trst")?,
            tms: model.input("tms")?,
            tdi: model.input("tdi")?,
            tdo: model.output("tdo")?,
            rx,
            rx_credit,
            tx,
            tx_ready,
            tx_credit,
            model,
        })
    }

    /// One cycle of the chip's clock; the outputs are those of the next one.
    pub fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<()> {
        let model = &mut self.model;
        model.write(self.reset, inputs.reset.into());
        for port in 0..self.rx.len() {
            self.rx[port].write(model, inputs.rx[port].as_ref());
            model.write(self.tx_ready[port], inputs.tx_ready[port].into());
            model.write(self.tx_credit[port], inputs.tx_credit[port].into());
        }
        for level in [0, 1] {
            model.write(self.clock, level);
            model.eval()?;
        }
        for port in 0..self.tx.len() {
            outputs.tx[port] = self.tx[port].read(model);
            outputs.rx_credit[port] = model.read(self.rx_credit[port]) as u8;
        }
        Ok(())
    }

    /// Drives the JTAG pins.
    pub fn drive_jtag(&mut self, tck: bool, tms: bool, tdi: bool) {
        self.model.write(self.tms, tms.into());
        self.model.write(self.tdi, tdi.into());
        self.model.write(self.tck, tck.into());
    }

    /// Holds the TAP in its reset, or lets go.
    pub fn reset_jtag(&mut self, held: bool) {
        self.model.write(self.trst, held.into());
    }

    /// The JTAG output.
    pub fn tdo(&self) -> bool {
        self.model.read(self.tdo) == 1
    }
}
