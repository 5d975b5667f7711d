//! The crossbar unit: packets from the row buses to several rows at once.

use std::collections::VecDeque;

use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::RouterParams;
use rand::Rng;

use super::link::{flits, Flit, Owed};
use super::Legal;
use crate::lockstep::Cycle;

/// The row bus of a tile: by virtual channel, places of its row buffer and the rest of a packet with its rows.
struct RowBus {
    params: RouterParams,
    space: Vec<usize>,
    packets: Vec<(VecDeque<Flit>, u64)>,
}

impl RowBus {
    fn new(params: RouterParams) -> Self {
        Self {
            params,
            space: vec![params.row_buffer_flits; params.virtual_channels],
            packets: vec![Default::default(); params.virtual_channels],
        }
    }

    fn drive(&mut self, cycle: &mut Cycle, tile: usize) {
        let vc = cycle.random().gen_range(0..self.space.len());
        let sent = self.next(cycle, tile, vc);
        cycle.set(&format!("row_valid${tile}"), sent.is_some().into());
        if let Some((flit, rows)) = sent {
            cycle.set_words(&format!("row_word${tile}"), &flit.words(rows));
            cycle.set(&format!("row_vc${tile}"), 1 << vc);
        }
    }

    fn next(&mut self, cycle: &mut Cycle, tile: usize, vc: usize) -> Option<(Flit, u64)> {
        if cycle.get("reset") == 1 {
            *self = Self::new(self.params);
            return None;
        }
        let freed = cycle.get(&format!("row_credit${tile}"));
        for (v, space) in self.space.iter_mut().enumerate() {
            *space += (freed >> v & 1) as usize;
        }
        if self.packets[vc].0.is_empty() {
            self.packets[vc] = self.packet(cycle, vc)?;
        }
        self.space[vc] = self.space[vc].checked_sub(1)?;
        let (flits, rows) = &mut self.packets[vc];
        flits.pop_front().map(|flit| (flit, *rows))
    }

    /// A packet to a row, or one to some rows that has room for all of it.
    fn packet(&self, cycle: &mut Cycle, vc: usize) -> Option<(VecDeque<Flit>, u64)> {
        let multicast = cycle.random().gen_bool(0.4);
        let longest = match multicast {
            true => self.params.max_multicast_flits(),
            false => self.params.max_packet_flits,
        };
        let length = cycle.random().gen_range(1..=longest);
        if multicast && self.space[vc] < length {
            return None;
        }
        let rows = match multicast {
            true => cycle.random().gen_range(1..1 << self.params.rows),
            false => 1 << cycle.random().gen_range(0..self.params.rows),
        };
        let header = Header {
            multicast: multicast.into(),
            job: cycle.random().gen_range(0..1 << 16),
            ..Header::default()
        };
        let body: Vec<u128> = (1..length).map(|_| cycle.random().gen()).collect();
        Some((flits(sealed_packet(&header, &body), false), rows))
    }
}

/// Legal input of a crossbar unit.
pub fn crossbar_unit(params: RouterParams) -> Legal {
    let mut buses: Vec<RowBus> = (0..params.columns).map(|_| RowBus::new(params)).collect();
    let mut columns: Vec<Owed> = (0..params.rows)
        .map(|_| Owed::new(params.virtual_channels, 0.4))
        .collect();
    Box::new(move |cycle| {
        for (tile, bus) in buses.iter_mut().enumerate() {
            bus.drive(cycle, tile);
        }
        for (row, owed) in columns.iter_mut().enumerate() {
            let sent = cycle.get(&format!("column_vc${row}"));
            if sent > 0 {
                owed.add(sent.trailing_zeros() as usize);
            }
            owed.give(cycle, &format!("column_credit${row}"));
        }
    })
}
