//! What the signals of an input unit say of packets: from the link to the row bus.

use std::collections::VecDeque;

use fantree_gen::config::Router;
use fantree_hdl::packet::flit;
use fantree_hdl::router::DropCause;

use super::event::RoutedBy;
use super::journey::Journeys;
use super::samples::{Picker, Samples, Signal};
use super::{id_of, ones, Head, Place, Reason, Station, Waits, What};
use crate::wave::Scope;

/// The input unit of a port.
pub struct InputUnit {
    port: usize,
    row: usize,
    column: usize,
    signals: Signals,
    /// By virtual channel: packets whose head is in the buffer, the one that left it last, and the one that comes in.
    waiting: Vec<VecDeque<Waiting>>,
    left: Vec<Option<u32>>,
    arriving: Vec<Option<u32>>,
    /// The packet of the flit that came in the cycle before.
    written: Option<u32>,
}

/// A packet whose head is in the buffer.
struct Waiting {
    id: u32,
    since: u64,
    waits: Waits,
}

struct Signals {
    rx_valid: Signal,
    rx_flit: Signal,
    rx_vc: Signal,
    begins: Signal,
    write_block: Signal,
    routed: Signal,
    source: Signal,
    multicast: Signal,
    group: Signal,
    existing: Signal,
    possible: Signal,
    candidate: Vec<Signal>,
    choice: Signal,
    cause: Signal,
    request: Signal,
    grant: Signal,
    row_ports: Signal,
    row_flit: Signal,
    drop_cause: Signal,
    drop_header: Signal,
    channel: Vec<Channel>,
}

/// The first packet of a virtual channel.
struct Channel {
    routed: Signal,
    holding: Signal,
    started: Signal,
    reads_group: Signal,
    columns: Signal,
    room: Signal,
    meets: Signal,
}

impl Signals {
    fn new(router: &Router, port: usize, picker: &mut Picker) -> Self {
        let tile = Scope::tile(router, port);
        let input = tile.input_unit();
        let channel = (0..router.virtual_channels)
            .map(|vc| {
                let mut of = |name: String| picker.signal(input.of(&name));
                Channel {
                    routed: of(format!("channel_{vc}.routed")),
                    holding: of(format!("routing.holding_{vc}.q")),
                    started: of(format!("channel_{vc}.started")),
                    reads_group: of(format!("channel_{vc}.reads_group")),
                    columns: of(format!("channel_{vc}.columns")),
                    room: of(format!("room_{vc}")),
                    meets: of(format!("meets_{vc}")),
                }
            })
            .collect();
        let candidates = router.params().candidates;
        let candidate = picker.signals(candidates, |number| {
            input.of(&format!("routing.choice.candidate_{number}"))
        });
        let mut of = |name: &str| picker.signal(input.of(name));
        Self {
            rx_valid: of("rx_valid"),
            rx_flit: of("rx_flit"),
            rx_vc: of("rx_vc"),
            begins: of("buffer.begins"),
            write_block: of("buffer.write_block"),
            routed: of("routing.arrival.routed"),
            source: of("routing.arrival.source"),
            multicast: of("routing.arrival.multicast"),
            group: of("routing.arrival.group"),
            existing: of("routing.choice.existing"),
            possible: of("routing.choice.possible"),
            candidate,
            choice: of("routing.choice.port"),
            cause: of("routing.cause"),
            request: of("arbiter.request"),
            grant: of("arbiter.grant"),
            row_ports: of("row_ports"),
            row_flit: of("row_flit"),
            drop_cause: of("drop_cause"),
            drop_header: of("drop_header"),
            channel,
        }
    }
}

impl InputUnit {
    pub fn new(router: &Router, port: usize, picker: &mut Picker) -> Self {
        let vcs = router.virtual_channels;
        Self {
            port,
            row: port / router.columns,
            column: port % router.columns,
            signals: Signals::new(router, port, picker),
            waiting: (0..vcs).map(|_| VecDeque::new()).collect(),
            left: vec![None; vcs],
            arriving: vec![None; vcs],
            written: None,
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
        self.leave(cycle, samples, journeys);
        self.be_routed(cycle, samples, journeys);
        self.come(cycle, samples, journeys);
        for vc in 0..self.waiting.len() {
            self.wait(cycle, vc, samples);
        }
    }

    /// A head on the row bus was granted it in the cycle before; one that is dropped shows there, too.
    fn leave(&mut self, cycle: u64, samples: &Samples, journeys: &mut Journeys) {
        let ports = samples.get(self.signals.row_ports);
        if let Some(cause) = DropCause::from_code(samples.number(self.signals.drop_cause) as u64) {
            let head = Head::of_header(samples.get(self.signals.drop_header));
            let waits = self.remove(head.id);
            let place = self.place(Station::InputUnit);
            let journey = journeys.of(head);
            journey.dropped = Some(cause);
            journey.note_after(cycle - 1, place, What::Dropped { cause }, waits);
        } else if let (true, Some(head)) =
            (ports.any(), Head::of(samples.get(self.signals.row_flit)))
        {
            let waits = self.remove(head.id);
            let (unit, bus) = (self.place(Station::InputUnit), self.place(Station::RowBus));
            let ports: Vec<usize> = ones(ports).collect();
            let journey = journeys.of(head);
            for &port in &ports {
                journey.arrivals.entry(port).or_default();
            }
            journey.note_after(cycle - 1, unit, What::RowBusGranted, waits);
            journey.note(cycle, bus, What::Crossed { ports });
        }
    }

    /// Takes a packet out of the queue that it is in, with what it waited for.
    fn remove(&mut self, id: u32) -> Waits {
        for (vc, queue) in self.waiting.iter_mut().enumerate() {
            if let Some(at) = queue.iter().position(|it| it.id == id) {
                self.left[vc] = Some(id);
                return queue.remove(at).map(|it| it.waits).unwrap_or_default();
            }
        }
        Waits::default()
    }

    /// The route of the packet whose flit came in the cycle before.
    fn be_routed(&mut self, cycle: u64, samples: &Samples, journeys: &mut Journeys) {
        let signals = &self.signals;
        let written = self.written.take();
        if !samples.is(signals.routed) {
            return;
        }
        let place = self.place(Station::RouteUnit);
        let Some(journey) = written.and_then(|id| journeys.known(id)) else {
            return;
        };
        let cause = DropCause::from_code(samples.number(signals.cause) as u64);
        // What the header itself has against the packet makes the look-up void.
        let is_void = !matches!(cause, None | Some(DropCause::NoRoute | DropCause::DeadEnd));
        if is_void {
            return;
        }
        if samples.is(signals.multicast) {
            let group = samples.number(signals.group);
            journey.note(cycle, place, What::Group { group });
            return;
        }
        let ports = |which: Signal| -> Vec<usize> {
            let numbers = ones(samples.get(which));
            numbers
                .map(|number| samples.number(signals.candidate[number]))
                .collect()
        };
        let what = What::Routed {
            by: match samples.is(signals.source) {
                true => RoutedBy::Source,
                false => RoutedBy::Table,
            },
            candidates: ports(signals.existing),
            usable: ports(signals.possible),
            port: cause.is_none().then(|| samples.number(signals.choice)),
        };
        journey.note(cycle, place, what);
    }

    /// A flit from the link.
    fn come(&mut self, cycle: u64, samples: &Samples, journeys: &mut Journeys) {
        let signals = &self.signals;
        if !samples.is(signals.rx_valid) {
            return;
        }
        let vc = samples.number(signals.rx_vc);
        let flit = samples.get(signals.rx_flit);
        let Some(queue) = self.waiting.get_mut(vc) else {
            return;
        };
        if let Some(head) = Head::of(flit) {
            journeys.inject(cycle, self.port, head);
            self.arriving[vc] = Some(head.id);
            queue.push_back(Waiting {
                id: head.id,
                since: cycle + 1,
                waits: Waits::default(),
            });
        }
        self.written = self.arriving[vc];
        let (link, buffer) = (
            self.place(Station::LinkIn),
            self.place(Station::InputBuffer),
        );
        let Some(journey) = self.written.and_then(|id| journeys.known(id)) else {
            return;
        };
        if id_of(flit).is_some() {
            let header = journey.header.describe();
            journey.note(cycle, link, What::Injected { header });
        }
        if samples.bit(signals.begins, vc) {
            let block = samples.number(signals.write_block);
            journey.note(cycle, buffer, What::Stored { block });
        }
        if flit.field(flit::TAIL).any() {
            journey.note(cycle, link, What::Whole);
            self.arriving[vc] = None;
        }
    }

    /// What keeps the packets of a virtual channel from going on.
    fn wait(&mut self, cycle: u64, vc: usize, samples: &Samples) {
        let reason = self.reason(vc, samples);
        let mut queue = self.waiting[vc].iter_mut().filter(|it| it.since <= cycle);
        let Some(first) = queue.next() else { return };
        if let Some(reason) = reason {
            first.waits.add(reason);
        }
        let first = first.id;
        queue.for_each(|it| it.waits.add(Reason::Behind(Some(first))));
    }

    /// What keeps the first packet of a virtual channel from going on; nothing if it goes.
    fn reason(&self, vc: usize, samples: &Samples) -> Option<Reason> {
        let signals = &self.signals;
        let channel = &signals.channel[vc];
        let columns = samples.get(channel.columns);
        let full = columns & !samples.get(channel.room);
        if samples.is(channel.started) {
            Some(Reason::Behind(self.left[vc]))
        } else if samples.bit(signals.grant, vc) {
            None
        } else if !samples.is(channel.routed) {
            let is_held = samples.is(channel.holding) || samples.bit(signals.routed, vc);
            Some(if is_held { Reason::Rest } else { Reason::Route })
        } else if samples.is(channel.reads_group) {
            Some(Reason::Group)
        } else if let Some(column) = ones(full).next() {
            Some(Reason::RowRoom(column))
        } else if samples.bit(signals.request, vc) {
            Some(Reason::RowBus)
        } else if samples.is(channel.meets) {
            Some(Reason::Phase)
        } else {
            Some(Reason::RowRoomForAll)
        }
    }
}
