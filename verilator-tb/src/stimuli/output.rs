//! The output unit: packets from the column channels to a link.

use std::collections::VecDeque;

use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::RouterParams;
use rand::Rng;

use super::link::{flits, Flit, Receiver};
use super::{bit, Legal};
use crate::lockstep::Cycle;

/// A column channel: by virtual channel, places of its column buffer and the rest of a packet.
struct ColumnChannel {
    params: RouterParams,
    space: Vec<usize>,
    packets: Vec<VecDeque<Flit>>,
}

impl ColumnChannel {
    fn new(params: RouterParams) -> Self {
        Self {
            params,
            space: vec![params.column_buffer_flits; params.virtual_channels],
            packets: vec![VecDeque::new(); params.virtual_channels],
        }
    }

    fn drive(&mut self, cycle: &mut Cycle, row: usize) {
        cycle.set(&format!("column_vc${row}"), 0);
        if cycle.get("reset") == 1 {
            *self = Self::new(self.params);
            return;
        }
        let freed = cycle.get(&format!("column_credit${row}"));
        for (v, space) in self.space.iter_mut().enumerate() {
            *space += (freed >> v & 1) as usize;
        }
        let vc = cycle.random().gen_range(0..self.space.len());
        if self.space[vc] == 0 || cycle.random().gen_bool(0.3) {
            return;
        }
        if self.packets[vc].is_empty() {
            let length = cycle.random().gen_range(1..=self.params.max_packet_flits);
            let header = Header {
                job: cycle.random().gen_range(0..1 << 16),
                ..Header::default()
            };
            let body: Vec<u128> = (1..length).map(|_| cycle.random().gen()).collect();
            self.packets[vc] = flits(sealed_packet(&header, &body), false);
        }
        if let Some(flit) = self.packets[vc].pop_front() {
            self.space[vc] -= 1;
            cycle.set(&format!("column_vc${row}"), 1 << vc);
            cycle.set_words(&format!("column_flit${row}"), &flit.words(0));
            let weight = cycle.random().gen_range(0..=self.params.columns);
            cycle.set(&format!("column_weight${row}"), weight as u64);
        }
    }
}

/// Legal input of an output unit.
pub fn output_unit(params: RouterParams) -> Legal {
    let mut channels: Vec<ColumnChannel> = (0..params.rows)
        .map(|_| ColumnChannel::new(params))
        .collect();
    let mut receiver = Receiver::new(params);
    Box::new(move |cycle| {
        for (row, channel) in channels.iter_mut().enumerate() {
            channel.drive(cycle, row);
        }
        for v in 0..params.virtual_channels {
            cycle.set(&format!("private${v}"), params.private_blocks as u64);
        }
        cycle.set("shared", params.shared_blocks() as u64);
        // Calm by turns, so that packets pass; a link that fails loses what was on its way.
        let calm = (cycle.number() / 400).is_multiple_of(2);
        for input in ["link_up", "enabled"] {
            let up = calm || cycle.random().gen_bool(0.95);
            cycle.set(input, up.into());
        }
        let limit = match calm {
            true => 0,
            false => cycle.random().gen_range(0..100),
        };
        cycle.set("blocked_limit", limit);
        if cycle.get("tx_valid") & cycle.get("tx_ready") == 1 {
            let tail = cycle.words("tx_flit")[4] >> 1 & 1 == 1;
            receiver.take(cycle.get("tx_vc") as usize, tail);
        }
        receiver.owed.give(cycle, "tx_credit");
        if bit(cycle, "reset", 0) {
            receiver = Receiver::new(params);
        }
    })
}
