//! A source of management commands, and tiles that keep what is written to them.

use std::collections::HashMap;

use fantree_gen::emit;
use fantree_hdl::manage::{Rcma, Setup};
use fantree_hdl::router::RouterParams;
use fantree_tb::verilator::{build, Model, Options, Port, Source};
use rust_hdl::prelude::Block;

/// Cycles after which any command must have ended.
const LONGEST: u64 = 1000;

/// The management of a chip alone, with one source.
pub struct Host {
    model: Model,
    pins: Pins,
    tile_pins: Vec<TilePins>,
    /// By port: registers that were written. Others read as their address, so that a mix-up shows.
    pub tiles: Vec<HashMap<usize, u32>>,
    pub cycle: u64,
}

struct Pins {
    clock: Port,
    reset: Port,
    load: Port,
    setup: Port,
    beat: Port,
    data: Port,
    trusted: Port,
    taken: Port,
    busy: Port,
    status: Port,
    valid: Port,
    value: Port,
    ready: Port,
}

struct TilePins {
    write: Port,
    read: Port,
    address: Port,
    data: Port,
    read_data: Port,
}

/// What became of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub values: Vec<u32>,
    pub status: u32,
    pub cycles: u64,
}

impl Host {
    pub fn new(params: &RouterParams) -> Self {
        let mut rcma = Box::new(Rcma::new(params, 1));
        rcma.connect_all();
        let design = emit(&*rcma, "rcma").expect("it can be printed");
        let source = Source {
            top: "rcma",
            verilog: &design.to_verilog(),
        };
        let library = build(&source, &Options::default()).expect("it compiles");
        let model = library.model(1).expect("it starts");
        let pin = |name: &str| model.port(name).expect("the pin is there");
        let pins = Pins {
            clock: pin("clock"),
            reset: pin("reset"),
            load: pin("load"),
            setup: pin("setup_0"),
            beat: pin("beat"),
            data: pin("data_0"),
            trusted: pin("trusted"),
            taken: pin("taken"),
            busy: pin("busy"),
            status: pin("status_0"),
            valid: pin("valid"),
            value: pin("value"),
            ready: pin("ready"),
        };
        let tile_pins = (0..params.ports()).map(|port| TilePins {
            write: pin(&format!("bus_write_{port}")),
            read: pin(&format!("bus_read_{port}")),
            address: pin(&format!("bus_address_{port}")),
            data: pin(&format!("bus_data_{port}")),
            read_data: pin(&format!("bus_read_data_{port}")),
        });
        let mut host = Self {
            tile_pins: tile_pins.collect(),
            model,
            pins,
            tiles: vec![HashMap::new(); params.ports()],
            cycle: 0,
        };
        for idle in [
            host.pins.load,
            host.pins.beat,
            host.pins.setup,
            host.pins.data,
        ] {
            host.model.write(idle, 0);
        }
        host.model.write(host.pins.ready, 1);
        host.trust(true);
        host.model.write(host.pins.reset, 1);
        host.step();
        host.model.write(host.pins.reset, 0);
        // Before the reset's edge, registers hold anything: a tile in reset takes no write.
        host.tiles.iter_mut().for_each(|tile| tile.clear());
        host
    }

    /// Whether the source may write from now on.
    pub fn trust(&mut self, trusted: bool) {
        self.model.write(self.pins.trusted, trusted.into());
    }

    /// A value of a register of a tile.
    pub fn register(&self, port: usize, address: usize) -> u32 {
        let written = self.tiles[port].get(&address);
        written.copied().unwrap_or(address as u32)
    }

    fn settle(&mut self, clock: u64) {
        self.model.write(self.pins.clock, clock);
        self.model.eval().expect("it runs");
    }

    /// Settles the inputs of a cycle: tiles answer reads.
    fn settle_inputs(&mut self) {
        self.settle(0);
        for port in 0..self.tiles.len() {
            let pins = &self.tile_pins[port];
            let address = self.model.read(pins.address);
            let value = match self.model.read(pins.read) {
                1 => self.register(port, address as usize).into(),
                _ => 0,
            };
            self.model.write(self.tile_pins[port].read_data, value);
        }
        self.settle(0);
    }

    /// The edge that ends a cycle: tiles take writes.
    fn edge(&mut self) {
        for (pins, tile) in self.tile_pins.iter().zip(&mut self.tiles) {
            if self.model.read(pins.write) == 1 {
                tile.insert(
                    self.model.read(pins.address) as usize,
                    self.model.read(pins.data) as u32,
                );
            }
        }
        self.settle(1);
        self.cycle += 1;
    }

    pub fn step(&mut self) {
        self.settle_inputs();
        self.edge();
    }

    /// Sends a setup and its beats, each as soon as the one before was taken.
    pub fn run(&mut self, setup: Setup, beats: &[u32]) -> Answer {
        let start = self.cycle;
        self.model.write_u128(self.pins.setup, setup.to_bits());
        self.model.write(self.pins.load, 1);
        self.step();
        self.model.write(self.pins.load, 0);
        let mut values = Vec::new();
        let mut beats = beats.iter().peekable();
        let mut left = LONGEST * (beats.len() as u64 + 1);
        loop {
            let beat = beats.peek().copied();
            self.model.write(self.pins.beat, beat.is_some().into());
            self.model
                .write(self.pins.data, beat.copied().unwrap_or(0).into());
            self.settle_inputs();
            if self.model.read(self.pins.valid) == 1 {
                values.push(self.model.read(self.pins.value) as u32);
            }
            let taken = self.model.read(self.pins.taken) == 1;
            let idle = beat.is_none() && self.model.read(self.pins.busy) == 0;
            self.edge();
            if taken {
                beats.next();
            }
            if idle {
                break;
            }
            left -= 1;
            assert!(left > 0, "a command hangs: {setup:?}");
        }
        Answer {
            values,
            status: self.model.read(self.pins.status) as u32,
            cycles: self.cycle - start,
        }
    }
}
