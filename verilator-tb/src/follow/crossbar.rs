//! What the signals of a crossbar unit say of packets: from the row buses to the column channels.

use fantree_gen::config::Router;
use fantree_hdl::packet::{header, FLIT_BITS};

use super::journey::Journeys;
use super::samples::{Picker, Samples, Signal};
use super::{id_of, ones, Head, Place, Reason, Station, Waits, What};
use crate::wave::Scope;

/// The crossbar unit of a tile.
pub struct CrossbarUnit {
    row: usize,
    column: usize,
    rows: Vec<Row>,
    buses: Vec<Bus>,
    /// By virtual channel, a bit for each tile: its packet is in a wave, may be sent.
    in_wave: Vec<Signal>,
    may_send: Vec<Signal>,
    /// Packets that are here, once for each row that they have yet to go to.
    waiting: Vec<Waiting>,
}

/// The way to a row.
struct Row {
    flit: Signal,
    valid: Signal,
    /// By virtual channel: the tile that has it, the one that sends, whether there is room.
    sender: Vec<Signal>,
    takes: Vec<Signal>,
    room: Vec<Signal>,
}

/// The row bus of a tile, and the row buffers behind it.
struct Bus {
    valid: Signal,
    word: Signal,
    vc: Signal,
    /// By virtual channel: the word that is read next, whether there is one; the packet that it belongs to.
    front: Vec<Signal>,
    available: Vec<Signal>,
    reading: Vec<Option<u32>>,
}

struct Waiting {
    id: u32,
    bus: usize,
    vc: usize,
    to_row: usize,
    since: u64,
    waits: Waits,
}

impl CrossbarUnit {
    pub fn new(router: &Router, port: usize, picker: &mut Picker) -> Self {
        let vcs = router.virtual_channels;
        let unit = Scope::tile(router, port).crossbar();
        let mut signal = |name: String| picker.signal(unit.of(&name));
        let mut rows = Vec::new();
        for row in 0..router.rows {
            let mut by_vc = |name: &str, end: &str| -> Vec<Signal> {
                (0..vcs)
                    .map(|vc| signal(format!("{name}_{row}_{vc}{end}")))
                    .collect()
            };
            rows.push(Row {
                sender: by_vc("sender", ""),
                takes: by_vc("takes", ""),
                room: by_vc("column_space", ".available"),
                flit: signal(format!("column_flit_{row}")),
                valid: signal(format!("column_vc_{row}")),
            });
        }
        let mut buses = Vec::new();
        for bus in 0..router.columns {
            let mut by_vc = |end: &str| -> Vec<Signal> {
                (0..vcs)
                    .map(|vc| signal(format!("buffer_{bus}_{vc}.{end}")))
                    .collect()
            };
            buses.push(Bus {
                front: by_vc("word"),
                available: by_vc("available"),
                valid: signal(format!("row_valid_{bus}")),
                word: signal(format!("row_word_{bus}")),
                vc: signal(format!("row_vc_{bus}")),
                reading: vec![None; vcs],
            });
        }
        Self {
            row: port / router.columns,
            column: port % router.columns,
            rows,
            buses,
            in_wave: (0..vcs).map(|vc| signal(format!("in_wave_{vc}"))).collect(),
            may_send: (0..vcs)
                .map(|vc| signal(format!("may_send_{vc}")))
                .collect(),
            waiting: vec![],
        }
    }

    fn place(&self, station: Station) -> Place {
        Place {
            row: self.row,
            column: self.column,
            station,
        }
    }

    /// A cycle.
    pub fn step(&mut self, cycle: u64, samples: &Samples, journeys: &mut Journeys) {
        for to_row in 0..self.rows.len() {
            self.leave(cycle, to_row, samples, journeys);
        }
        for bus in 0..self.buses.len() {
            self.come(cycle, bus, samples);
        }
        self.read(samples);
        let mut waiting = std::mem::take(&mut self.waiting);
        for packet in waiting.iter_mut().filter(|it| it.since <= cycle) {
            if let Some(reason) = self.reason(packet, samples) {
                packet.waits.add(reason);
            }
        }
        self.waiting = waiting;
    }

    /// A head on a column channel was granted it in the cycle before.
    fn leave(&mut self, cycle: u64, to_row: usize, samples: &Samples, journeys: &mut Journeys) {
        let row = &self.rows[to_row];
        let flit = samples.get(row.flit);
        let Some(head) = Head::of(flit).filter(|_| samples.is(row.valid)) else {
            return;
        };
        let found = self
            .waiting
            .iter()
            .position(|it| it.id == head.id && it.to_row == to_row);
        let waits = found.map_or(Waits::default(), |at| self.waiting.remove(at).waits);
        let (unit, channel) = (
            self.place(Station::Crossbar),
            self.place(Station::ColumnChannel),
        );
        let journey = journeys.of(head);
        journey.note_after(cycle - 1, unit, What::ChannelGranted { to_row }, waits);
        journey.note(cycle, channel, What::Passed { to_row });
    }

    /// A head on a row bus, with the rows that it goes to.
    fn come(&mut self, cycle: u64, bus: usize, samples: &Samples) {
        let signals = &self.buses[bus];
        let word = samples.get(signals.word);
        let Some(id) = id_of(word).filter(|_| samples.is(signals.valid)) else {
            return;
        };
        let Some(vc) = ones(samples.get(signals.vc)).next() else {
            return;
        };
        for to_row in ones(word.slice(FLIT_BITS, self.rows.len())) {
            self.waiting.push(Waiting {
                id,
                bus,
                vc,
                to_row,
                since: cycle + 1,
                waits: Waits::default(),
            });
        }
    }

    /// Which packets are read from the row buffers.
    fn read(&mut self, samples: &Samples) {
        for bus in &mut self.buses {
            for (vc, reading) in bus.reading.iter_mut().enumerate() {
                if samples.is(bus.available[vc]) {
                    *reading = id_of(samples.get(bus.front[vc])).or(*reading);
                }
            }
        }
    }

    /// What keeps a packet from going to a row; nothing if it goes.
    fn reason(&self, packet: &Waiting, samples: &Samples) -> Option<Reason> {
        let Waiting {
            id,
            bus,
            vc,
            to_row,
            ..
        } = *packet;
        let (bus_signals, row) = (&self.buses[bus], &self.rows[to_row]);
        let front = samples.get(bus_signals.front[vc]);
        let is_front = samples.is(bus_signals.available[vc]) && id_of(front) == Some(id);
        // A packet that goes to several rows is read again for those that are left.
        let is_read = bus_signals.reading[vc] == Some(id);
        let is_multicast = || front.field(header::MULTICAST).any();
        if !is_front && is_read {
            Some(Reason::ColumnVc(to_row))
        } else if !is_front {
            Some(Reason::Behind(bus_signals.reading[vc]))
        } else if samples.bit(row.takes[vc], bus) {
            None
        } else if !samples.bit(row.sender[vc], bus) {
            Some(Reason::ColumnVc(to_row))
        } else if is_multicast() && !samples.bit(self.in_wave[vc], bus) {
            Some(Reason::Wave)
        } else if is_multicast() && !samples.bit(self.may_send[vc], bus) {
            Some(Reason::ColumnRoomForAll)
        } else if !samples.is(row.room[vc]) {
            Some(Reason::ColumnRoom(to_row))
        } else {
            Some(Reason::ColumnChannel(to_row))
        }
    }
}
