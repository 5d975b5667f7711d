//! An end of a link that is joined to itself, over a line that damages words and loses some.

use std::collections::VecDeque;

use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::RouterParams;
use rand::Rng;

use super::link::{flits, Flit, Receiver};
use super::Legal;
use crate::lockstep::Cycle;

/// Packets for an end, as many as there are credits for.
struct Sender {
    params: RouterParams,
    packet: VecDeque<Flit>,
    vc: usize,
    in_use: Vec<usize>,
}

impl Sender {
    fn new(params: RouterParams) -> Self {
        Self {
            params,
            packet: VecDeque::new(),
            vc: 0,
            in_use: vec![0; params.virtual_channels],
        }
    }

    /// Shows a flit, which is taken in this cycle or stays.
    fn drive(&mut self, cycle: &mut Cycle) {
        let credits = cycle.get("tx_credit");
        for (v, blocks) in self.in_use.iter_mut().enumerate() {
            *blocks -= (credits >> v & 1) as usize;
        }
        if self.packet.is_empty() && cycle.random().gen_bool(0.5) {
            self.begin(cycle);
        }
        let shown = self.packet.front().copied();
        cycle.set("tx_valid", shown.is_some().into());
        if let Some(flit) = shown {
            cycle.set_words("tx_flit", &flit.words(0));
            cycle.set("tx_vc", self.vc as u64);
            if cycle.get("tx_ready") == 1 {
                self.packet.pop_front();
            }
        }
    }

    fn begin(&mut self, cycle: &mut Cycle) {
        let (params, random) = (&self.params, cycle.random());
        let vc = random.gen_range(0..self.in_use.len());
        let length = random.gen_range(1..=params.max_packet_flits);
        let blocks = params.blocks_of(length);
        if self.in_use[vc] + blocks <= params.input_buffer_blocks / self.in_use.len() {
            let body: Vec<u128> = (1..length).map(|_| random.gen()).collect();
            let packet = sealed_packet(&Header::default(), &body);
            self.packet = flits(packet, random.gen_bool(0.1));
            self.vc = vc;
            self.in_use[vc] += blocks;
        }
    }
}

/// Input of an end that is its own other end.
pub fn link_port(params: RouterParams) -> Legal {
    let mut sender = Sender::new(params);
    let mut receiver = Receiver::new(params);
    Box::new(move |cycle| {
        if cycle.get("reset") == 1 {
            sender = Sender::new(params);
            receiver = Receiver::new(params);
            return;
        }
        // The end shows `tx_ready` for this cycle if the line is as ready as it was.
        cycle.set("line_tx_ready", 1);
        let mut word = cycle.words("line_tx_word").to_vec();
        if cycle.random().gen_bool(0.03) {
            word[cycle.random().gen_range(0..4)] ^= 1 << cycle.random().gen_range(0..32);
        }
        let kind = cycle.get("line_tx_kind");
        cycle.set_words("line_rx_word", &word);
        cycle.set("line_rx_kind", kind);
        let comes = cycle.random().gen_bool(0.98);
        cycle.set("line_rx_valid", comes.into());
        let enabled = cycle.random().gen_bool(0.999);
        cycle.set("enable", enabled.into());
        let is_deaf = cycle.number() % 1000 > 950;
        cycle.set("silence_limit", if is_deaf { 2 } else { 100 });
        sender.drive(cycle);
        if cycle.get("rx_valid") == 1 {
            let tail = cycle.words("rx_flit")[4] >> 1 & 1 == 1;
            receiver.take(cycle.get("rx_vc") as usize, tail);
        }
        receiver.owed.give(cycle, "rx_credit");
    })
}
