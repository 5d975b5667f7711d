//! `PortRegisters`: the settings, status and counters of a port, on the register bus.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `bus_write`, `bus_read`, `bus_address`, `bus_data` | in | a write for this tile, or a read |
//! | `bus_read_data` | out | read, in the same cycle: the register at `bus_address`; 0 where there is none, or without a read |
//! | `supernode`, `enabled`, `sibling`, `store`, `blocked_limit`, `backlog_limit`, `in_use_limit`, `rate_limit`, `private[v]`, `shared` | out | settings, see [`bus`] |
//! | `link_up`, `link_slow`, `link_error` | in | of the link: it works, it is slower than it should be, it had an error |
//! | `link_works` | out | `link_up` of the cycle before |
//! | `drop_cause`, `drop_header` | in | the input side drops a packet |
//! | `drop_dead`, `drop_blocked` | in | the output side does |
//! | `blocks[v]`, `in_use`, `backlog`, `congested` | in | status |
//! | `events` | in | events to count, in the order of [`Event`] |
//!
//! Latency: a write counts in the next cycle. In a managed chip a write to a counter clears it.
//!
//! `store` is on by its register, while the link is slow, and from the moment its errors reach their limit.

use super::{bus, drop_cause::CAUSE_BITS, CounterBank, DropCause, RouterParams};
use crate::cells::{Flag, Register};
use crate::kernel;
use crate::packet::HEADER_BITS;
use crate::ports::Ports;
use crate::wire::{bits_of, cat, Wire};
use rust_hdl::prelude::*;
use strum::EnumMessage;

/// Events that are counted for each virtual channel; packets of all causes that were dropped are counted behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumMessage)]
pub enum Event {
    /// A packet came in.
    RxPacket = 0,
    /// A flit came in.
    RxFlit = 1,
    /// A packet left.
    TxPacket = 2,
    /// A flit left.
    TxFlit = 3,
    /// A flit in the input buffer did not go on in a cycle.
    Stall = 4,
}

impl Event {
    /// Every event.
    pub const ALL: [Self; 5] = [
        Self::RxPacket,
        Self::RxFlit,
        Self::TxPacket,
        Self::TxFlit,
        Self::Stall,
    ];

    /// Name of the counter.
    pub fn name(self) -> &'static str {
        match self {
            Self::RxPacket => "rx_packets",
            Self::RxFlit => "rx_flits",
            Self::TxPacket => "tx_packets",
            Self::TxFlit => "tx_flits",
            Self::Stall => "stalls",
        }
    }

    /// Register address of the count for a virtual channel.
    pub fn address(self, vc: usize, params: &RouterParams) -> usize {
        bus::COUNTERS + self as usize * params.virtual_channels + vc
    }
}

/// Register address of the number of packets dropped for a cause.
pub fn drop_address(cause: DropCause, params: &RouterParams) -> usize {
    bus::COUNTERS + Event::ALL.len() * params.virtual_channels + cause as usize - 1
}

/// Settings, status and counters; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct PortRegisters {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub bus_write: Signal<In, Bit>,
    pub bus_read: Signal<In, Bit>,
    pub bus_address: Wire<In>,
    pub bus_data: Wire<In>,
    pub bus_read_data: Wire<Out>,
    pub supernode: Wire<Out>,
    pub enabled: Signal<Out, Bit>,
    pub sibling: Signal<Out, Bit>,
    pub store: Signal<Out, Bit>,
    pub blocked_limit: Wire<Out>,
    pub backlog_limit: Wire<Out>,
    pub in_use_limit: Wire<Out>,
    pub rate_limit: Wire<Out>,
    pub private: Vec<Wire<Out>>,
    pub shared: Wire<Out>,
    pub link_up: Signal<In, Bit>,
    pub link_slow: Signal<In, Bit>,
    pub link_error: Signal<In, Bit>,
    pub link_works: Signal<Out, Bit>,
    pub drop_cause: Wire<In>,
    pub drop_header: Wire<In>,
    pub drop_dead: Signal<In, Bit>,
    pub drop_blocked: Signal<In, Bit>,
    pub blocks: Vec<Wire<In>>,
    pub in_use: Wire<In>,
    pub backlog: Wire<In>,
    pub congested: Signal<In, Bit>,
    pub events: Wire<In>,
    /// What the link says, one cycle later: it comes from far, and much depends on it.
    up: Flag,
    slow: Flag,
    error: Flag,
    /// In the order of their addresses.
    setting: Vec<Register>,
    private_blocks: Vec<Register>,
    high_water: Vec<Register>,
    errors: Register,
    offender_cause: Register,
    offender: Register,
    counters: CounterBank,
}

impl PortRegisters {
    pub fn new(params: &RouterParams) -> Self {
        let vcs = params.virtual_channels;
        let block_bits = params.block_count_bits();
        let counted = Event::ALL.len() * vcs + DropCause::ALL.len();
        let map = bus::register_map(params);
        let defined = |address: usize| {
            let spec = map.at(address).expect("the address is a register's");
            let reset = spec.reset().expect("a register has a reset");
            Register::with_reset(spec.bits(), reset)
        };
        let wire = |address: usize| Wire::new(defined(address).q.bits());
        Self {
            clock: Default::default(),
            reset: Default::default(),
            bus_write: Default::default(),
            bus_read: Default::default(),
            bus_address: Wire::new(bus::ADDRESS_BITS),
            bus_data: Wire::new(bus::DATA_BITS),
            bus_read_data: Wire::new(bus::DATA_BITS),
            supernode: wire(bus::SUPERNODE),
            enabled: Default::default(),
            sibling: Default::default(),
            store: Default::default(),
            blocked_limit: wire(bus::BLOCKED_LIMIT),
            backlog_limit: wire(bus::BACKLOG_LIMIT),
            in_use_limit: wire(bus::IN_USE_LIMIT),
            rate_limit: wire(bus::RATE_LIMIT),
            private: Wire::vec(vcs, block_bits),
            shared: Wire::new(block_bits),
            link_up: Default::default(),
            link_slow: Default::default(),
            link_error: Default::default(),
            link_works: Default::default(),
            drop_cause: Wire::new(CAUSE_BITS),
            drop_header: Wire::new(HEADER_BITS),
            drop_dead: Default::default(),
            drop_blocked: Default::default(),
            blocks: Wire::vec(vcs, block_bits),
            in_use: Wire::new(block_bits),
            backlog: Wire::new(params.backlog_bits()),
            congested: Default::default(),
            events: Wire::new(Event::ALL.len() * vcs),
            up: Default::default(),
            slow: Default::default(),
            error: Default::default(),
            setting: (bus::SUPERNODE..=bus::SHARED_BLOCKS).map(defined).collect(),
            private_blocks: (0..vcs).map(|v| defined(bus::PRIVATE_BLOCKS + v)).collect(),
            high_water: (0..vcs).map(|v| defined(bus::HIGH_WATER + v)).collect(),
            errors: defined(bus::LINK_ERRORS),
            offender_cause: defined(bus::OFFENDER_CAUSE),
            offender: Register::new(HEADER_BITS),
            counters: match params.managed {
                true => CounterBank::clearable(counted),
                false => CounterBank::new(counted),
            },
        }
    }
}

/// Place of a setting among them all.
const fn index(address: usize) -> usize {
    address - bus::SUPERNODE
}

impl Logic for PortRegisters {
    #[kernel]
    fn update(&mut self) {
        comment!("module: port_registers");
        let (vcs, width) = (self.private.len(), bus::DATA_BITS);
        let address = self.bus_address.val();
        let counted = self.counters.count.bits();
        let block_bits = self.shared.bits();

        clocked!(self.up, self.slow, self.error);
        self.up.d.next = self.link_up.val();
        self.slow.d.next = self.link_slow.val();
        self.error.d.next = self.link_error.val();
        self.link_works.next = self.up.q.val();

        // Settings.
        for i in 0..self.setting.len() {
            registers!(self.setting[i]);
        }
        for v in 0..vcs {
            registers!(self.private_blocks[v]);
            self.private[v].next = self.private_blocks[v].q.val();
        }
        if self.bus_write.val() {
            for i in 0..self.setting.len() {
                let bits = self.setting[i].q.bits();
                if address == (bus::SUPERNODE + i) as u64 {
                    self.setting[i].d.next = self.bus_data.val().resize(bits);
                }
            }
            for v in 0..vcs {
                if address == (bus::PRIVATE_BLOCKS + v) as u64 {
                    self.private_blocks[v].d.next = self.bus_data.val().resize(block_bits);
                }
            }
        }
        let flags = self.setting[index(bus::CONTROL)].q.val();
        let error_limit = self.setting[index(bus::ERROR_LIMIT)].q.val();
        self.supernode.next = self.setting[index(bus::SUPERNODE)].q.val();
        self.enabled.next = flags.get_bit(u64::from(bus::control::ENABLE.trailing_zeros()));
        self.sibling.next = flags.get_bit(u64::from(bus::control::SIBLING.trailing_zeros()));
        self.store.next = flags.get_bit(u64::from(bus::control::STORE.trailing_zeros()))
            | self.slow.q.val()
            | (error_limit.any() & (self.errors.q.val() >= error_limit));
        self.blocked_limit.next = self.setting[index(bus::BLOCKED_LIMIT)].q.val();
        self.backlog_limit.next = self.setting[index(bus::BACKLOG_LIMIT)].q.val();
        self.in_use_limit.next = self.setting[index(bus::IN_USE_LIMIT)].q.val();
        self.rate_limit.next = self.setting[index(bus::RATE_LIMIT)].q.val();
        self.shared.next = self.setting[index(bus::SHARED_BLOCKS)].q.val();

        // Status.
        for v in 0..vcs {
            registers!(self.high_water[v]);
            if self.blocks[v].val() > self.high_water[v].q.val() {
                self.high_water[v].d.next = self.blocks[v].val();
            }
        }
        registers!(self.errors, self.offender_cause, self.offender);
        if self.error.q.val() & !self.errors.q.val().all() {
            self.errors.d.next = self.errors.q.val() + 1;
        }
        if self.drop_cause.val().any()
            & (self.drop_cause.val() < DropCause::PacketCrc.code())
            & !self.offender_cause.q.val().any()
        {
            self.offender_cause.d.next = self.drop_cause.val();
            self.offender.d.next = self.drop_header.val();
        }

        // Counters.
        clocked!(self.counters);
        let causes = DropCause::ALL.len();
        let at_link = cat(self.drop_blocked.val(), self.drop_dead.val());
        let dropped = bits_of(0..causes, |i| self.drop_cause.val() == i as u64 + 1)
            | (at_link.resize(causes) << (DropCause::DeadPort.code() - 1));
        self.counters.count.next = cat(dropped, self.events.val());
        self.counters.read.next = self.bus_read.val();
        self.counters.select.next = address.resize(self.counters.select.bits());
        let is_counter =
            (address >= bus::COUNTERS as u64) & (address < (bus::COUNTERS + counted) as u64);
        for clear in 0..self.counters.clear.len() {
            self.counters.clear[clear].next = self.bus_write.val() & is_counter;
        }

        // Reads. Without one nothing here moves.
        self.bus_read_data.next = 0.into();
        if self.bus_read.val() {
            for i in 0..self.setting.len() {
                if address == (bus::SUPERNODE + i) as u64 {
                    self.bus_read_data.next = self.setting[i].q.val().resize(width);
                }
            }
            for v in 0..vcs {
                if address == (bus::PRIVATE_BLOCKS + v) as u64 {
                    self.bus_read_data.next = self.private_blocks[v].q.val().resize(width);
                }
                if address == (bus::OCCUPANCY + v) as u64 {
                    self.bus_read_data.next = self.blocks[v].val().resize(width);
                }
                if address == (bus::HIGH_WATER + v) as u64 {
                    self.bus_read_data.next = self.high_water[v].q.val().resize(width);
                }
            }
            if address == bus::IN_USE as u64 {
                self.bus_read_data.next = self.in_use.val().resize(width);
            } else if address == bus::BACKLOG as u64 {
                self.bus_read_data.next = self.backlog.val().resize(width);
            } else if address == bus::STATUS as u64 {
                self.bus_read_data.next =
                    cat(self.congested.val(), cat(self.store.val(), self.up.q.val())).resize(width);
            } else if address == bus::LINK_ERRORS as u64 {
                self.bus_read_data.next = self.errors.q.val();
            } else if address == bus::OFFENDER_CAUSE as u64 {
                self.bus_read_data.next = self.offender_cause.q.val().resize(width);
            }
            for word in 0..HEADER_BITS / bus::DATA_BITS {
                if address == (bus::OFFENDER + word) as u64 {
                    self.bus_read_data.next = self.offender.q.val().slice(word * width, width);
                }
            }
            if is_counter {
                self.bus_read_data.next = self.counters.value.val();
            }
        }
    }
}
