//! `Rcma`: the management of a chip, row-column by row-column: chip manager, row managers, agents.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `load`, `setup[s]`, `beat`, `data[s]`, `trusted`, `taken`, `busy`, `status[s]` | | the sources; see [`Stream`] |
//! | `valid`, `value`, `last`, `ready` | | values that were read; see [`ChipManager`] |
//! | `bus_write[p]`, `bus_read[p]`, `bus_address[p]`, `bus_data[p]`, `bus_read_data[p]` | | the register bus of tile p |
//! | `identity[p]` | out | what the agent of tile p says that the chip is; see [`Agent`] |
//!
//! Latency: a write reaches the tile 3 cycles after `taken`, and the rows take the next one after 5 cycles.

use super::command::{setup_bits, STATUS_BITS};
use super::registers::identity;
use super::{Agent, ChipManager, RowManager, Stream};
use crate::kernel;
use crate::ports::Ports;
use crate::router::{bus, RouterParams};
use crate::wire::{bits_of, Wire};
use rust_hdl::prelude::*;

/// The management of a chip; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Rcma {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub load: Wire<In>,
    pub setup: Vec<Wire<In>>,
    pub beat: Wire<In>,
    pub data: Vec<Wire<In>>,
    pub trusted: Wire<In>,
    pub taken: Wire<Out>,
    pub busy: Wire<Out>,
    pub status: Vec<Wire<Out>>,
    pub valid: Wire<Out>,
    pub value: Wire<Out>,
    pub last: Signal<Out, Bit>,
    pub ready: Wire<In>,
    pub bus_write: Vec<Signal<Out, Bit>>,
    pub bus_read: Vec<Signal<Out, Bit>>,
    pub bus_address: Vec<Wire<Out>>,
    pub bus_data: Vec<Wire<Out>>,
    pub bus_read_data: Vec<Wire<In>>,
    pub identity: Vec<Wire<Out>>,
    stream: Vec<Stream>,
    chip: ChipManager,
    row: Vec<RowManager>,
    agent: Vec<Agent>,
    _params: RouterParams,
}

impl Rcma {
    /// For so many sources.
    pub fn new(params: &RouterParams, sources: usize) -> Self {
        let ports = params.ports();
        let bits = || (0..ports).map(|_| Default::default()).collect();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            load: Wire::new(sources),
            setup: Wire::vec(sources, setup_bits(params)),
            beat: Wire::new(sources),
            data: Wire::vec(sources, bus::DATA_BITS),
            trusted: Wire::new(sources),
            taken: Wire::new(sources),
            busy: Wire::new(sources),
            status: Wire::vec(sources, STATUS_BITS),
            valid: Wire::new(sources),
            value: Wire::new(bus::DATA_BITS),
            last: Default::default(),
            ready: Wire::new(sources),
            bus_write: bits(),
            bus_read: (0..ports).map(|_| Default::default()).collect(),
            bus_address: Wire::vec(ports, bus::ADDRESS_BITS),
            bus_data: Wire::vec(ports, bus::DATA_BITS),
            bus_read_data: Wire::vec(ports, bus::DATA_BITS),
            identity: Wire::vec(ports, identity::BITS),
            stream: (0..sources).map(|_| Stream::new(params)).collect(),
            chip: ChipManager::new(params, sources),
            row: (0..params.rows)
                .map(|_| RowManager::new(params.columns))
                .collect(),
            agent: (0..ports).map(|_| Agent::new(params)).collect(),
            _params: *params,
        }
    }
}

impl Logic for Rcma {
    #[kernel]
    fn update(&mut self) {
        comment!("module: rcma");
        let (rows, columns) = (self._params.rows, self._params.columns);
        let sources = self.stream.len();
        clocked!(self.chip);

        for s in 0..sources {
            clocked!(self.stream[s]);
            let bit = s as u64;
            self.stream[s].load.next = self.load.val().get_bit(bit);
            self.stream[s].setup.next = self.setup[s].val();
            self.stream[s].beat.next = self.beat.val().get_bit(bit);
            self.stream[s].data.next = self.data[s].val();
            self.stream[s].trusted.next = self.trusted.val().get_bit(bit);
            self.stream[s].granted.next = self.chip.granted.val().get_bit(bit);
            self.stream[s].under_way.next = self.chip.under_way.val().get_bit(bit);
            self.stream[s].failed.next = self.chip.failed[s].val();
            self.chip.access[s].next = self.stream[s].access.val();
            self.chip.ports[s].next = self.stream[s].ports.val();
            self.status[s].next = self.stream[s].status.val();
        }
        self.chip.request.next = bits_of(0..sources, |s| self.stream[s].request.val());
        self.taken.next = bits_of(0..sources, |s| self.stream[s].taken.val());
        self.busy.next = bits_of(0..sources, |s| self.stream[s].busy.val());
        self.valid.next = self.chip.valid.val();
        self.value.next = self.chip.value.val();
        self.last.next = self.chip.last.val();
        self.chip.ready.next = self.ready.val();

        self.chip.row_finished.next = bits_of(0..rows, |r| self.row[r].finished.val());
        self.chip.row_valid.next = bits_of(0..rows, |r| self.row[r].valid.val());
        self.chip.row_last.next = bits_of(0..rows, |r| self.row[r].last.val());
        for r in 0..rows {
            clocked!(self.row[r]);
            self.row[r].start.next = self.chip.row_start.val().get_bit(r as u64);
            self.row[r].access.next = self.chip.row_access.val();
            self.row[r].columns.next = self.chip.row_columns[r].val();
            self.row[r].ready.next = self.chip.row_ready.val().get_bit(r as u64);
            self.chip.row_status[r].next = self.row[r].status.val();
            self.chip.row_value[r].next = self.row[r].value.val();
            self.row[r].agent_done.next =
                bits_of(0..columns, |c| self.agent[r * columns + c].done.val());
            for c in 0..columns {
                let p = r * columns + c;
                clocked!(self.agent[p]);
                self.agent[p].select.next = self.row[r].agent_select.val().get_bit(c as u64);
                self.agent[p].access.next = self.row[r].agent_access.val();
                self.row[r].agent_status[c].next = self.agent[p].status.val();
                self.row[r].agent_value[c].next = self.agent[p].value.val();
                self.bus_write[p].next = self.agent[p].bus_write.val();
                self.bus_read[p].next = self.agent[p].bus_read.val();
                self.bus_address[p].next = self.agent[p].bus_address.val();
                self.bus_data[p].next = self.agent[p].bus_data.val();
                self.agent[p].bus_read_data.next = self.bus_read_data[p].val();
                self.identity[p].next = self.agent[p].identity.val();
            }
        }
    }
}
