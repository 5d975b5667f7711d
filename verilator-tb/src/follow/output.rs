//! What the signals of an output unit say of packets: from the column channels to the link.

use fantree_gen::config::Router;
use fantree_hdl::packet::{flit, Header, FLIT_BITS};
use fantree_hdl::router::DropCause;

use super::journey::Journeys;
use super::samples::{Picker, Samples, Signal};
use super::{id_of, ones, Change, Head, Place, Reason, Station, Waits, What};
use crate::wave::Scope;

/// The output unit of a port.
pub struct OutputUnit {
    port: usize,
    row: usize,
    column: usize,
    channels: Vec<Channel>,
    vcs: Vec<Vc>,
    lacks: Signal,
    may_drop: Signal,
    link_grant: Signal,
    drop_grant: Signal,
    dropped_dead: Signal,
    dropped_blocked: Signal,
    tx_valid: Signal,
    tx_ready: Signal,
    tx_flit: Signal,
    tx_vc: Signal,
    waiting: Vec<Waiting>,
    /// The packet whose head went away in the cycle before to be dropped.
    dropping: Option<Head>,
    /// The head that shows on the link, and how long it has been waiting there.
    shown: Option<(u32, Waits)>,
    /// By virtual channel: the packet that is on the link.
    sending: Vec<Option<u32>>,
}

/// A column channel, and the column buffers behind it.
struct Channel {
    vc: Signal,
    flit: Signal,
    /// By virtual channel: the flit that is read next, whether there is none; the packet that it belongs to.
    front: Vec<Signal>,
    empty: Vec<Signal>,
    reading: Vec<Option<u32>>,
}

/// A virtual channel of the link.
struct Vc {
    holder: Signal,
    front: Signal,
    dropping: Signal,
}

struct Waiting {
    id: u32,
    header: Header,
    channel: usize,
    vc: usize,
    since: u64,
    waits: Waits,
}

impl OutputUnit {
    pub fn new(router: &Router, port: usize, picker: &mut Picker) -> Self {
        let vcs = router.virtual_channels;
        let unit = Scope::tile(router, port).output_unit();
        let mut of = |name: String| picker.signal(unit.of(&name));
        let mut channels = Vec::new();
        for channel in 0..router.rows {
            let mut by_vc = |end: &str| -> Vec<Signal> {
                (0..vcs)
                    .map(|vc| of(format!("queue_{channel}_{vc}.{end}")))
                    .collect()
            };
            channels.push(Channel {
                front: by_vc("pop_data"),
                empty: by_vc("empty"),
                vc: of(format!("column_vc_{channel}")),
                flit: of(format!("column_flit_{channel}")),
                reading: vec![None; vcs],
            });
        }
        let vc_signals = (0..vcs)
            .map(|vc| Vc {
                holder: of(format!("holder_{vc}")),
                front: of(format!("front_{vc}")),
                dropping: of(format!("dropping_{vc}.q")),
            })
            .collect();
        Self {
            port,
            row: port / router.columns,
            column: port % router.columns,
            channels,
            vcs: vc_signals,
            lacks: of("lacks".into()),
            may_drop: of("may_drop".into()),
            link_grant: of("link.grant".into()),
            drop_grant: of("drop_turn.grant".into()),
            dropped_dead: of("dropped_dead".into()),
            dropped_blocked: of("dropped_blocked".into()),
            tx_valid: of("tx_valid".into()),
            tx_ready: of("tx_ready".into()),
            tx_flit: of("tx_flit".into()),
            tx_vc: of("tx_vc".into()),
            waiting: vec![],
            dropping: None,
            shown: None,
            sending: vec![None; vcs],
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
        self.show(cycle, samples, journeys);
        self.send(cycle, samples, journeys);
        self.drop(cycle, samples, journeys);
        for channel in 0..self.channels.len() {
            self.come(cycle, channel, samples);
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

    /// Takes a packet out of the column buffers.
    fn remove(&mut self, id: u32) -> Option<Waiting> {
        let at = self.waiting.iter().position(|it| it.id == id)?;
        Some(self.waiting.remove(at))
    }

    /// A head that shows on the link for the first time was granted it in the cycle before.
    fn show(&mut self, cycle: u64, samples: &Samples, journeys: &mut Journeys) {
        let head = Head::of(samples.get(self.tx_flit)).filter(|_| samples.is(self.tx_valid));
        let Some(head) = head else {
            self.shown = None;
            return;
        };
        if matches!(self.shown, Some((id, _)) if id == head.id) {
            return;
        }
        self.shown = Some((head.id, Waits::default()));
        let unit = self.place(Station::OutputUnit);
        let left = self.remove(head.id);
        let journey = journeys.of(head);
        journey.arrivals.entry(self.port).or_default();
        if let Some(Waiting { header, waits, .. }) = left {
            journey.note_after(cycle - 1, unit, What::LinkGranted, waits);
            let changes = Change::between(&header, &head.header);
            journey.note(cycle, unit, What::HeaderUpdated { changes });
        }
    }

    /// The link takes a flit, or lets it wait.
    fn send(&mut self, cycle: u64, samples: &Samples, journeys: &mut Journeys) {
        if !samples.is(self.tx_valid) {
            return;
        }
        if !samples.is(self.tx_ready) {
            if let Some((_, waits)) = &mut self.shown {
                waits.add(Reason::Receiver);
            }
            return;
        }
        let place = self.place(Station::LinkOut);
        let flit = samples.get(self.tx_flit);
        let vc = samples.number(self.tx_vc);
        let Some(sending) = self.sending.get_mut(vc) else {
            return;
        };
        if let Some((id, waits)) = self.shown.take() {
            *sending = Some(id);
            if let Some(journey) = journeys.known(id) {
                journey.arrivals.entry(self.port).or_default().head = Some(cycle);
                journey.note_after(cycle, place, What::HeadSent, waits);
            }
        }
        if flit.field(flit::TAIL).any() {
            if let Some(journey) = sending.take().and_then(|id| journeys.known(id)) {
                journey.arrivals.entry(self.port).or_default().tail = Some(cycle);
                journey.note(cycle, place, What::Arrived);
            }
        }
    }

    /// A packet is dropped; its cause shows a cycle after its head went away.
    fn drop(&mut self, cycle: u64, samples: &Samples, journeys: &mut Journeys) {
        let cause = match (
            samples.is(self.dropped_dead),
            samples.is(self.dropped_blocked),
        ) {
            (true, _) => Some(DropCause::DeadPort),
            (_, true) => Some(DropCause::BlockedLink),
            _ => None,
        };
        if let (Some(head), Some(cause)) = (self.dropping.take(), cause) {
            let waits = self.remove(head.id).map(|it| it.waits).unwrap_or_default();
            let place = self.place(Station::OutputUnit);
            let journey = journeys.of(head);
            journey.arrivals.entry(self.port).or_default().dropped = Some(cause);
            journey.note_after(cycle - 1, place, What::Dropped { cause }, waits);
        }
        self.dropping = ones(samples.get(self.drop_grant)).find_map(|vc| {
            let signals = &self.vcs[vc];
            let is_first = !samples.is(signals.dropping);
            Head::of(samples.get(signals.front)).filter(|_| is_first)
        });
    }

    /// A head on a column channel.
    fn come(&mut self, cycle: u64, channel: usize, samples: &Samples) {
        let signals = &self.channels[channel];
        let Some(vc) = ones(samples.get(signals.vc)).next() else {
            return;
        };
        if let Some(head) = Head::of(samples.get(signals.flit)) {
            self.waiting.push(Waiting {
                id: head.id,
                header: head.header,
                channel,
                vc,
                since: cycle + 1,
                waits: Waits::default(),
            });
        }
    }

    /// Which packets are read from the column buffers.
    fn read(&mut self, samples: &Samples) {
        for channel in &mut self.channels {
            for (vc, reading) in channel.reading.iter_mut().enumerate() {
                if !samples.is(channel.empty[vc]) {
                    let front = samples.get(channel.front[vc]).resize(FLIT_BITS);
                    *reading = id_of(front).or(*reading);
                }
            }
        }
    }

    /// What keeps a packet from the link; nothing if it goes, or is dropped.
    fn reason(&self, packet: &Waiting, samples: &Samples) -> Option<Reason> {
        let Waiting {
            id, channel, vc, ..
        } = *packet;
        let signals = &self.channels[channel];
        let front = samples.get(signals.front[vc]).resize(FLIT_BITS);
        let is_front = !samples.is(signals.empty[vc]) && id_of(front) == Some(id);
        let link_waits = samples.is(self.tx_valid) && !samples.is(self.tx_ready);
        if !is_front {
            Some(Reason::Behind(signals.reading[vc]))
        } else if !samples.bit(self.vcs[vc].holder, channel) {
            Some(Reason::LinkVc)
        } else if samples.bit(self.link_grant, vc) || samples.bit(self.may_drop, vc) {
            None
        } else if samples.bit(self.lacks, vc) {
            Some(Reason::Blocks)
        } else if link_waits {
            Some(Reason::Receiver)
        } else {
            Some(Reason::Link)
        }
    }
}
