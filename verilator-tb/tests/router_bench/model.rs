//! A router in Rust, as a chip on the bench should be, and with one defect at a time.
//!
//! Flits wait in a queue for each input and virtual channel; each output takes one a cycle, the inputs in turn. A head
//! needs one cycle from input to output.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use fantree_hdl::packet::{header, Header};
use fantree_hdl::router::{bus, drop_address, DropCause, RouterParams};
use fantree_tb::router::{BusRequest, Chip, Flit, Inputs, Outputs};

/// Registers that are read as they were written.
const SETTINGS: Range<usize> = bus::SUPERNODE..bus::OCCUPANCY;

/// What is wrong with a router. Defects of single packets or flits concern one in [`SELDOM`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    LosesPacket,
    LosesFlit,
    DoublesPacket,
    Misroutes,
    SwapsPackets,
    FlipsPayloadBit,
    FlipsHeaderBit,
    RewritesHeader,
    MarksBad,
    ClearsHead,
    ClearsTail,
    TailTooEarly,
    InterleavesPackets,
    IgnoresCredits,
    StartsWithTooFewCredits,
    ReturnsExtraCredit,
    KeepsCredit,
    MissesCredit,
    ChangesVc,
    InventsVc,
    ChangesWaitingFlit,
    WithdrawsWaitingFlit,
    Hangs,
    RepeatsFlitForEver,
    DropsRoutedPacket,
    CountsDropTooMany,
    ForgetsToCountDrop,
    DeliversUnrouted,
    SilentBus,
    ForgetsSetting,
    HoldsBlocks,
}

pub const SELDOM: usize = 97;

pub struct Model {
    params: RouterParams,
    defect: Option<Defect>,
    /// By register address; all ports have the same.
    registers: HashMap<usize, u32>,
    /// Packets without a route, by port.
    drop_counts: Vec<u32>,
    /// By input and virtual channel.
    /// What reaches the chip in this cycle.
    waiting: Inputs,
    inputs: Vec<Input>,
    /// By output.
    outputs: Vec<Output>,
    packets: usize,
    flits: usize,
}

#[derive(Default)]
struct Input {
    queue: VecDeque<Queued>,
    /// Where the packet at the front of the queue goes.
    route: Route,
    /// Ordinal of the packet that arrives.
    arriving: usize,
    /// Copy of the packet that arrives, or a packet held back.
    aside: Vec<Queued>,
    /// Flits of the packet that arrives, so far.
    arrived: usize,
}

#[derive(Clone, Copy)]
struct Queued {
    flit: Flit,
    /// It came over the link and ends a block, so a credit goes back when it leaves.
    credit: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Route {
    #[default]
    Unknown,
    Port(usize),
    Nowhere,
}

struct Output {
    shown: Option<Flit>,
    /// By virtual channel: the input whose packet holds it, and the credits.
    owner: Vec<Option<usize>>,
    /// Blocks free in the next chip: all private, so that each virtual channel counts its own.
    credits: Vec<usize>,
    turn: usize,
    sent: usize,
}

impl Model {
    pub fn new(params: &RouterParams, defect: Option<Defect>) -> Self {
        let (ports, vcs) = (params.ports(), params.virtual_channels);
        Self {
            params: *params,
            defect,
            registers: HashMap::new(),
            drop_counts: vec![0; ports],
            waiting: Inputs::idle(ports),
            inputs: (0..ports * vcs).map(|_| Input::default()).collect(),
            outputs: (0..ports)
                .map(|_| Output {
                    shown: None,
                    owner: vec![None; vcs],
                    credits: vec![params.private_blocks; vcs],
                    turn: 0,
                    sent: 0,
                })
                .collect(),
            packets: 0,
            flits: 0,
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    /// Whether the router has this defect, and it shows in the packet or flit that `counter` is at.
    fn strikes(&self, defect: Defect, counter: usize) -> bool {
        self.has(defect) && counter % SELDOM == SELDOM - 1
    }

    /// Takes a flit from a link; false if a credit goes back at once, because it is lost.
    fn arrive(&mut self, port: usize, mut flit: Flit) -> bool {
        let slot = port * self.params.virtual_channels + usize::from(flit.vc);
        self.packets += usize::from(flit.head);
        self.flits += 1;
        if flit.head {
            self.inputs[slot].arriving = self.packets;
        }
        let arrived = &mut self.inputs[slot].arrived;
        *arrived = if flit.head { 1 } else { *arrived + 1 };
        let ends_block = flit.tail || arrived.is_multiple_of(self.params.block_flits);
        if flit.head {
            // What every router does to a header.
            let mut header = Header::decode(flit.data);
            header.hops_left -= 1;
            flit.data = header.sealed();
        }
        let (packets, flits) = (self.inputs[slot].arriving, self.flits);
        let body = !flit.head && !flit.tail;
        if self.strikes(Defect::FlipsPayloadBit, flits) && !flit.head {
            flit.data ^= 1 << 100;
        }
        if self.strikes(Defect::FlipsHeaderBit, packets) && flit.head {
            flit.data ^= 1 << header::SRC_GUID.offset;
        }
        if self.strikes(Defect::RewritesHeader, packets) && flit.head {
            let mut header = Header::decode(flit.data);
            header.dst_queue ^= 1;
            flit.data = header.sealed();
        }
        flit.bad ^= self.strikes(Defect::MarksBad, packets) && flit.tail;
        flit.head &= !self.strikes(Defect::ClearsHead, packets);
        flit.tail &= !self.strikes(Defect::ClearsTail, packets);
        flit.tail |= self.strikes(Defect::TailTooEarly, packets) && body;

        let lost = (self.strikes(Defect::LosesFlit, packets) && body)
            || self.strikes(Defect::LosesPacket, packets);
        let doubled = self.strikes(Defect::DoublesPacket, packets);
        let held_back = self.strikes(Defect::SwapsPackets, packets);
        let input = &mut self.inputs[slot];
        let queued = Queued {
            flit,
            credit: ends_block,
        };
        if lost {
            return !ends_block;
        }
        if held_back {
            input.aside.push(queued);
            return true;
        }
        input.queue.push_back(queued);
        if doubled {
            let credit = false;
            input.aside.push(Queued { flit, credit });
        }
        if flit.tail {
            input.queue.extend(input.aside.drain(..));
        }
        true
    }

    /// Looks up the route of the packet at the front of a queue.
    fn route(&mut self, slot: usize) {
        let input = &self.inputs[slot];
        let Some(Queued { flit, .. }) = input.queue.front() else {
            return;
        };
        if input.route != Route::Unknown {
            return;
        }
        let guid = Header::decode(flit.data).dst_guid as usize;
        let (supernode, number) = (guid >> 8, guid & 0xff);
        let own = self.registers.get(&bus::SUPERNODE) == Some(&(supernode as u32));
        let register = if own {
            number * bus::ENTRY_WORDS
        } else {
            bus::OUT_SUPERNODE_TABLE + supernode * bus::ENTRY_WORDS
        };
        let entry = self.registers.get(&register).copied().unwrap_or(0);
        let ports = self.params.ports();
        let mut route = match entry >> bus::entry::VALID.offset & 1 {
            1 => Route::Port(entry as usize % (1 << bus::entry::VALID.offset)),
            _ => Route::Nowhere,
        };
        let source = slot / self.params.virtual_channels;
        match route {
            Route::Port(port) if self.strikes(Defect::Misroutes, self.packets) => {
                route = Route::Port((port + 1) % ports);
            }
            Route::Port(_) if self.strikes(Defect::DropsRoutedPacket, self.packets) => {
                route = Route::Nowhere;
                self.drop_counts[source] += 1;
            }
            Route::Nowhere if self.has(Defect::DeliversUnrouted) => route = Route::Port(0),
            Route::Nowhere if self.has(Defect::ForgetsToCountDrop) => (),
            Route::Nowhere => self.drop_counts[source] += 1,
            _ => (),
        }
        self.inputs[slot].route = route;
    }

    /// Takes the flit at the front of a queue; its credit goes back.
    fn pop(&mut self, slot: usize, rx_credit: &mut [u8]) -> Flit {
        let vcs = self.params.virtual_channels;
        let input = &mut self.inputs[slot];
        let queued = input.queue.pop_front().expect("a flit is there");
        if queued.flit.tail {
            input.route = Route::Unknown;
        }
        let kept = self.has(Defect::KeepsCredit) && self.flits.is_multiple_of(1000);
        if queued.credit && !kept {
            rx_credit[slot / vcs] |= 1 << (slot % vcs);
        }
        queued.flit
    }

    /// The input that sends to an output next.
    fn grant(&self, port: usize) -> Option<usize> {
        let output = &self.outputs[port];
        let slots = self.inputs.len();
        let vcs = self.params.virtual_channels;
        (1..=slots)
            .map(|step| (output.turn + step) % slots)
            .find(|&slot| {
                let input = &self.inputs[slot];
                let Some(Queued { flit, .. }) = input.queue.front() else {
                    return false;
                };
                let vc = slot % vcs;
                let needed = self.params.blocks_of(Header::decode(flit.data).flits());
                let holds = output.owner[vc] == Some(slot);
                let free = output.owner[vc].is_none() || self.has(Defect::InterleavesPackets);
                let covered = output.credits[vc] >= needed
                    || self.has(Defect::IgnoresCredits)
                    || (self.has(Defect::StartsWithTooFewCredits) && output.credits[vc] > 0);
                input.route == Route::Port(port) && (holds || free && covered)
            })
    }

    fn bus(&mut self, request: BusRequest) -> Option<u32> {
        match request {
            BusRequest::Write { address, data, .. } => {
                self.registers.insert(address, data);
                None
            }
            BusRequest::Read { .. } if self.has(Defect::SilentBus) => None,
            BusRequest::Read {
                port,
                address: bus::IN_USE,
            } => {
                let free: usize = self.outputs[port].credits.iter().sum();
                let all = self.params.private_blocks * self.params.virtual_channels;
                Some(all.saturating_sub(free) as u32)
            }
            BusRequest::Read {
                address: bus::BACKLOG_LIMIT,
                ..
            } if self.has(Defect::ForgetsSetting) => Some(0),
            BusRequest::Read {
                address: bus::OCCUPANCY,
                ..
            } if self.has(Defect::HoldsBlocks) => Some(1),
            BusRequest::Read {
                address: bus::STATUS,
                ..
            } => Some(bus::status::LINK_UP),
            BusRequest::Read {
                port,
                address: bus::OFFENDER_CAUSE | bus::OFFENDER,
            } => Some(u32::from(self.drop_counts[port] > 0)),
            BusRequest::Read { address, .. } if SETTINGS.contains(&address) => {
                Some(self.registers.get(&address).copied().unwrap_or(0))
            }
            BusRequest::Read { port, address } => {
                if address != drop_address(DropCause::NoRoute, &self.params) {
                    return Some(0);
                }
                let extra = u32::from(self.has(Defect::CountsDropTooMany) && port == 1);
                Some(self.drop_counts[port] + extra)
            }
        }
    }
}

impl Chip for Model {
    fn step(&mut self, inputs: &Inputs, shown: &mut Outputs) -> anyhow::Result<()> {
        let inputs = &std::mem::replace(&mut self.waiting, inputs.clone());
        if inputs.reset {
            return Ok(());
        }
        let vcs = self.params.virtual_channels;
        for port in 0..self.params.ports() {
            shown.rx_credit[port] = 0;
            if let Some(flit) = inputs.rx[port] {
                // The block of a flit that is lost is free.
                shown.rx_credit[port] = u8::from(!self.arrive(port, flit)) << flit.vc;
            }
            let output = &mut self.outputs[port];
            let misses = self.defect == Some(Defect::MissesCredit) && output.sent % 1000 == 999;
            for vc in (0..vcs).filter(|_| !misses) {
                output.credits[vc] += usize::from(inputs.tx_credit[port] >> vc & 1);
            }
            let repeats = self.defect == Some(Defect::RepeatsFlitForEver) && output.sent > 400;
            if inputs.tx_ready[port] && !repeats {
                output.shown = None;
            }
        }
        for slot in 0..self.inputs.len() {
            self.route(slot);
            if self.inputs[slot].route == Route::Nowhere && !self.inputs[slot].queue.is_empty() {
                self.pop(slot, &mut shown.rx_credit);
            }
        }
        for port in 0..self.params.ports() {
            let hangs = self.has(Defect::Hangs) && port == 2 && self.outputs[port].sent > 400;
            if let (None, false) = (self.outputs[port].shown, hangs) {
                if let Some(slot) = self.grant(port) {
                    let vc = slot % vcs;
                    let mut flit = self.pop(slot, &mut shown.rx_credit);
                    let output = &mut self.outputs[port];
                    output.owner[vc] = (!flit.tail).then_some(slot);
                    if flit.head {
                        let blocks = self.params.blocks_of(Header::decode(flit.data).flits());
                        output.credits[vc] = output.credits[vc].saturating_sub(blocks);
                    }
                    output.turn = slot;
                    output.sent += 1;
                    if self.has(Defect::ChangesVc) && port == 1 {
                        flit.vc ^= 1;
                    }
                    if self.strikes(Defect::InventsVc, self.packets) {
                        flit.vc = vcs as u8;
                    }
                    self.outputs[port].shown = Some(flit);
                }
            } else if let Some(flit) = &mut self.outputs[port].shown {
                if self.defect == Some(Defect::ChangesWaitingFlit) {
                    flit.data ^= 1;
                }
            }
            let withdrawn = self.strikes(Defect::WithdrawsWaitingFlit, self.flits);
            shown.tx[port] = self.outputs[port].shown.filter(|_| !withdrawn);
            if self.strikes(Defect::ReturnsExtraCredit, self.flits) {
                shown.rx_credit[port] |= 1;
            }
        }
        shown.bus = inputs.bus.and_then(|request| self.bus(request));
        Ok(())
    }
}
