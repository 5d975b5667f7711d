//! `Queues`: the packets that wait at a source, in one queue or in one for each destination.
//!
//! With a queue for each destination, those whose next packet may go take turns, and a destination that is slow holds up
//! no other. Multicast packets have a queue of their own.

use std::collections::VecDeque;

use super::packet::Waiting;
use super::throttle::Throttle;
use super::{Report, SourceQueues};

/// Packets that wait; see the [module](self).
#[derive(Debug)]
pub struct Queues {
    /// One for all; or one for each port, and the last for multicast packets.
    queues: Vec<VecDeque<Waiting>>,
    waiting: usize,
    throttle: Option<Throttle>,
    /// The queue that a packet left last.
    turn: usize,
}

impl Queues {
    pub fn new(kind: SourceQueues, ports: usize) -> Self {
        let count = match kind {
            SourceQueues::One => 1,
            SourceQueues::PerDestination | SourceQueues::Throttled => ports + 1,
        };
        Self {
            queues: vec![VecDeque::new(); count],
            waiting: 0,
            throttle: (kind == SourceQueues::Throttled).then(|| Throttle::new(ports)),
            turn: 0,
        }
    }

    /// Packets in all queues.
    pub fn len(&self) -> usize {
        self.waiting
    }

    /// As many packets wait as there are queues: more are not needed for one in each.
    pub fn is_full(&self) -> bool {
        self.waiting >= self.queues.len()
    }

    /// Adds a packet to a port, or to a multicast group.
    pub fn push(&mut self, port: Option<usize>, waiting: Waiting) {
        let multicast = self.queues.len() - 1;
        let queue = port.map_or(multicast, |port| port.min(multicast));
        self.queues[queue].push_back(waiting);
        self.waiting += 1;
    }

    /// The queue whose first packet is the next to go, and that packet.
    #[inline]
    pub fn next(&self, cycle: u64) -> Option<(usize, &Waiting)> {
        let count = self.queues.len();
        (self.turn + 1..=self.turn + count)
            .map(|queue| queue % count)
            .find_map(|queue| {
                let waiting = self.queues[queue].front()?;
                self.allows(queue, cycle).then_some((queue, waiting))
            })
    }

    fn allows(&self, queue: usize, cycle: u64) -> bool {
        let throttle = self.throttle.as_ref();
        throttle.is_none_or(|throttle| throttle.allows(queue, cycle))
    }

    /// Takes the first packet of a queue, which goes now.
    pub fn pop(&mut self, queue: usize, cycle: u64) -> Option<Waiting> {
        let waiting = self.queues[queue].pop_front()?;
        self.waiting -= 1;
        self.turn = queue;
        if let Some(throttle) = &mut self.throttle {
            throttle.start(queue, waiting.flits, cycle);
        }
        Some(waiting)
    }

    /// The chip tells of a port.
    pub fn hear(&mut self, report: Report, cycle: u64) {
        if let Some(throttle) = &mut self.throttle {
            throttle.hear(report, cycle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fate::{Damage, Fate, Way};
    use super::*;

    fn packet(port: usize) -> Waiting {
        Waiting {
            fate: Fate::port(port),
            way: Way::Deterministic,
            damage: Damage::None,
            destination: port,
            guid: 0,
            flits: 4,
            hops: 1,
            queued: 0,
        }
    }

    /// Ports of the packets that leave when one may in each cycle from `first` on; none where all are held back.
    fn leave(queues: &mut Queues, first: u64, cycles: u64) -> Vec<Option<u64>> {
        let cycles = first..first + cycles;
        cycles
            .map(|cycle| {
                let (queue, _) = queues.next(cycle)?;
                let waiting = queues.pop(queue, cycle).expect("a packet is there");
                Some(waiting.fate.ports().trailing_zeros().into())
            })
            .collect()
    }

    fn filled(kind: SourceQueues) -> Queues {
        let mut queues = Queues::new(kind, 3);
        for port in [2, 2, 2, 0, 1] {
            queues.push(Some(port), packet(port));
        }
        queues.push(None, packet(9));
        queues
    }

    #[test]
    fn one_queue_keeps_the_order() {
        let mut queues = filled(SourceQueues::One);
        assert_eq!(queues.len(), 6);
        let ports = leave(&mut queues, 0, 7);
        assert_eq!(
            ports,
            [2, 2, 2, 0, 1, 9]
                .map(Some)
                .into_iter()
                .chain([None])
                .collect::<Vec<_>>()
        );
        assert_eq!(queues.len(), 0);
    }

    #[test]
    fn queues_of_destinations_take_turns() {
        let mut queues = filled(SourceQueues::PerDestination);
        assert!(queues.is_full());
        assert_eq!(leave(&mut queues, 0, 6), [1, 2, 9, 0, 2, 2].map(Some));
    }

    #[test]
    fn a_port_that_is_congested_holds_up_no_other() {
        let mut queues = filled(SourceQueues::Throttled);
        for round in 1..4 {
            let report = Report {
                port: 2,
                congested: true,
            };
            queues.hear(report, 100 * round);
        }
        // An eighth of the rate: a packet of 4 flits every 32 cycles.
        let ports = leave(&mut queues, 400, 80);
        assert_eq!(ports[..4], [1, 2, 9, 0].map(Some));
        let rest = (4..80).filter(|&cycle| ports[cycle].is_some());
        assert_eq!(rest.collect::<Vec<_>>(), [33, 65]);
    }
}
