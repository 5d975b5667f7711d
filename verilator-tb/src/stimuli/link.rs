//! Packets, links that carry them, and the tables that they are routed by.

use std::collections::VecDeque;

use fantree_hdl::manage::message::REQUEST;
use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::{bus, RouterParams, MULTICAST_GROUPS};
use rand::Rng;

use crate::lockstep::Cycle;

/// A flit and its marks.
#[derive(Clone, Copy)]
pub struct Flit {
    pub data: u128,
    pub head: bool,
    pub tail: bool,
    pub bad: bool,
}

impl Flit {
    /// The words of a bus that carries it, and above it `more`.
    pub fn words(self, more: u64) -> [u32; 6] {
        let above =
            u64::from(self.head) | u64::from(self.tail) << 1 | u64::from(self.bad) << 2 | more << 3;
        let [a, b, c, d] = self.data_words();
        [a, b, c, d, above as u32, (above >> 32) as u32]
    }

    pub fn data_words(self) -> [u32; 4] {
        std::array::from_fn(|i| (self.data >> (32 * i)) as u32)
    }
}

/// The flits of a packet.
pub fn flits(data: Vec<u128>, bad: bool) -> VecDeque<Flit> {
    let last = data.len() - 1;
    let flit = |(i, data)| Flit {
        data,
        head: i == 0,
        tail: i == last,
        bad: bad && i == last,
    };
    data.into_iter().enumerate().map(flit).collect()
}

/// A destination in one of both levels of the table, now and then past their ends, or not written.
pub fn destination(random: &mut impl Rng) -> u32 {
    random.gen_range(0..7) << 8 | random.gen_range(0..7)
}

/// A packet of any kind; some are damaged. A managed chip gets requests, many of them for itself, if its GUID is 0.
fn packet(params: &RouterParams, vc: usize, random: &mut impl Rng) -> VecDeque<Flit> {
    let asks = params.managed && random.gen_bool(0.4);
    let multicast = !asks && random.gen_bool(0.2);
    // Longer ones are dropped.
    let longest = match multicast {
        true => params.row_buffer_flits.min(params.max_packet_flits),
        false => params.max_packet_flits,
    };
    let length = match random.gen_bool(0.03) {
        true => longest + 1,
        false => random.gen_range(1..=longest),
    };
    let hops_left = match random.gen_bool(0.03) {
        true => 0,
        false => random.gen_range(1..16),
    };
    let mut header = Header {
        vc: vc as u32,
        source_route: random.gen_bool(0.2).into(),
        adaptive: random.gen_bool(0.4).into(),
        multicast: multicast.into(),
        dst_guid: destination(random),
        hops_left,
        // What no router looks at.
        opcode: random.gen_range(0..1 << 6),
        src_guid: random.gen_range(0..1 << 18),
        message_id: random.gen_range(0..1 << 16),
        job: random.gen_range(0..1 << 16),
        ..Header::default()
    };
    if asks {
        header.opcode = REQUEST;
        header.dst_guid &= 1;
        header.dst_queue = hops_left;
    }
    let mut body: Vec<u128> = (1..length).map(|_| random.gen()).collect();
    if let Some(route) = body.first_mut() {
        let mut port = || random.gen_range(0..params.ports() as u8 + 1);
        *route = u128::from_le_bytes(std::array::from_fn(|_| port()));
    }
    let mut data = sealed_packet(&header, &body);
    if random.gen_bool(0.05) {
        data[random.gen_range(0..length)] ^= 1 << random.gen_range(0..128);
    }
    flits(data, random.gen_bool(0.05))
}

/// The sender of a link, which keeps to the blocks that the receiver has.
pub struct Link {
    params: RouterParams,
    /// What follows the name of each signal.
    suffix: String,
    /// Blocks that are free at the receiver; `None` if it needs none.
    free_blocks: Option<usize>,
    /// By virtual channel: the rest of the packet that is on its way.
    packets: Vec<VecDeque<Flit>>,
}

impl Link {
    /// The link of a unit (`suffix` empty) or of a port of the chip.
    pub fn new(params: RouterParams, suffix: impl Into<String>) -> Self {
        Self {
            params,
            suffix: suffix.into(),
            free_blocks: Some(params.input_buffer_blocks),
            packets: vec![VecDeque::new(); params.virtual_channels],
        }
    }

    /// The link of a unit without a buffer.
    pub fn endless(params: RouterParams) -> Self {
        Self {
            free_blocks: None,
            ..Self::new(params, "")
        }
    }

    fn name(&self, signal: &str) -> String {
        format!("{signal}{}", self.suffix)
    }

    /// Takes credits back, and drives a flit if there is room for its packet and the dice say so; its data are the
    /// caller's to drive.
    pub fn drive(&mut self, cycle: &mut Cycle) -> Option<Flit> {
        let flit = self.next(cycle);
        cycle.set(&self.name("rx_valid"), flit.is_some().into());
        flit
    }

    fn next(&mut self, cycle: &mut Cycle) -> Option<Flit> {
        if cycle.get("reset") == 1 {
            self.free_blocks = self.free_blocks.map(|_| self.params.input_buffer_blocks);
            self.packets.iter_mut().for_each(VecDeque::clear);
            return None;
        }
        let credit = self.name("rx_credit");
        if let Some(free) = &mut self.free_blocks {
            *free += cycle.get(&credit).count_ones() as usize;
        }
        let vc = cycle.random().gen_range(0..self.packets.len());
        if cycle.random().gen_bool(0.2) {
            return None;
        }
        if self.packets[vc].is_empty() {
            let packet = packet(&self.params, vc, cycle.random());
            if let Some(free) = &mut self.free_blocks {
                *free = free.checked_sub(self.params.blocks_of(packet.len()))?;
            }
            self.packets[vc] = packet;
        }
        cycle.set(&self.name("rx_vc"), vc as u64);
        self.packets[vc].pop_front()
    }

    /// Drives the link of a unit, whose flit is one bus.
    pub fn drive_unit(&mut self, cycle: &mut Cycle) {
        if let Some(flit) = self.drive(cycle) {
            cycle.set_words("rx_flit", &flit.words(0));
        }
    }
}

/// Writes table entries and groups in most of the first cycles, then rarely. Says if it did.
pub fn write_tables(
    params: &RouterParams,
    cycle: &mut Cycle,
    [write, address, data]: [&str; 3],
) -> bool {
    let rate = if cycle.number() < 300 { 0.9 } else { 0.03 };
    let now = cycle.random().gen_bool(rate);
    cycle.set(write, now.into());
    if !now {
        return false;
    }
    let random = cycle.random();
    let (at, value) = if random.gen_bool(0.2) {
        // And the word behind the last.
        let word = random.gen_range(0..=2 * MULTICAST_GROUPS);
        let ports: u32 = random.gen::<u32>() & random.gen::<u32>();
        (bus::MULTICAST_TABLE + word, ports)
    } else {
        let base = match random.gen() {
            true => bus::OUT_SUPERNODE_TABLE,
            false => bus::IN_SUPERNODE_TABLE,
        };
        let named = random.gen_range(0..=params.candidates);
        let port = |_| random.gen_range(0..params.ports());
        let ports: Vec<usize> = (0..named).map(port).collect();
        let words = bus::entry::to_ports(&ports, params.candidates);
        let word = random.gen_range(0..words.len());
        let entry = random.gen_range(0..7);
        (base + entry * bus::ENTRY_WORDS + word, words[word])
    };
    cycle.set(address, at as u64);
    cycle.set(data, value.into());
    true
}

/// Blocks or flits that a receiver holds, given back in its own time.
pub struct Owed {
    counts: Vec<u64>,
    /// Chance that one of a virtual channel goes back in a cycle.
    rate: f64,
}

impl Owed {
    pub fn new(vcs: usize, rate: f64) -> Self {
        Self {
            counts: vec![0; vcs],
            rate,
        }
    }

    pub fn add(&mut self, vc: usize) {
        self.counts[vc] += 1;
    }

    /// What goes back in this cycle, a bit for each virtual channel.
    pub fn give(&mut self, cycle: &mut Cycle, port: &str) {
        if cycle.get("reset") == 1 {
            self.counts.fill(0);
        }
        let mut given = 0;
        for (vc, count) in self.counts.iter_mut().enumerate() {
            if *count > 0 && cycle.random().gen_bool(self.rate) {
                *count -= 1;
                given |= 1 << vc;
            }
        }
        cycle.set(port, given);
    }
}

/// The receiver of a link: counts the blocks of what it takes.
pub struct Receiver {
    params: RouterParams,
    flits: Vec<usize>,
    pub owed: Owed,
}

impl Receiver {
    pub fn new(params: RouterParams) -> Self {
        Self {
            params,
            flits: vec![0; params.virtual_channels],
            owed: Owed::new(params.virtual_channels, 0.2),
        }
    }

    /// Takes a flit of a virtual channel.
    pub fn take(&mut self, vc: usize, tail: bool) {
        self.flits[vc] += 1;
        if tail || self.flits[vc] == self.params.block_flits {
            self.flits[vc] = 0;
            self.owed.add(vc);
        }
    }
}
