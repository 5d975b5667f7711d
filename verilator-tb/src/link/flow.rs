//! One direction of a link: what was given to one end must come out of the other, flit by flit, in this order.
//!
//! A session that ends may lose what it has not delivered, and nothing else. So each flit is remembered with its session;
//! the rest of one may be missing when a flit of a later one comes.

use std::collections::VecDeque;

use super::violation::Fault;
use crate::router::{Flit, MAX_VCS};

/// A flit on its way.
struct Expected {
    flit: Flit,
    session: u64,
    /// The cycle in which the link took it.
    taken: u64,
}

/// Flits on their way from one end to the other, and what has come of them.
#[derive(Default)]
pub struct Flow {
    expected: VecDeque<Expected>,
    session: u64,
    /// Virtual channels whose packet has begun in this session.
    open: [bool; MAX_VCS],
    /// Packets whose head the link took, and that came whole.
    pub begun: u64,
    pub whole: u64,
    /// Flits that came, and their least and total time on the link.
    pub flits: u64,
    pub least_latency: Option<u64>,
    pub total_latency: u64,
}

impl Flow {
    /// The sending end came up or went down.
    pub fn change_session(&mut self) {
        self.session += 1;
        self.open = Default::default();
    }

    /// The link took a flit in this cycle.
    pub fn take(&mut self, flit: Flit, up: bool, cycle: u64) {
        let open = &mut self.open[usize::from(flit.vc)];
        self.begun += u64::from(flit.head);
        // The rest of a packet that another session has lost is lost with it.
        if up && (flit.head || *open) {
            *open = !flit.tail;
            let (session, taken) = (self.session, cycle);
            self.expected.push_back(Expected {
                flit,
                session,
                taken,
            });
        }
    }

    /// A flit came; what is wrong with it.
    pub fn deliver(&mut self, flit: Flit, cycle: u64) -> Option<Fault> {
        let place = self.expected.iter().position(|it| it.flit == flit);
        // All before it must be of earlier sessions.
        let is_next = |&place: &usize| {
            place == 0 || self.expected[place - 1].session < self.expected[place].session
        };
        let Some(place) = place.filter(is_next) else {
            let expected = self.expected.front().map(|it| it.flit);
            return Some(Fault::WrongFlit { flit, expected });
        };
        let latency = cycle - self.expected[place].taken;
        self.expected.drain(..=place);
        self.flits += 1;
        self.whole += u64::from(flit.tail);
        self.total_latency += latency;
        self.least_latency = Some(self.least_latency.map_or(latency, |it| it.min(latency)));
        None
    }

    /// Flits of the present session that have not come.
    pub fn missing(&self) -> usize {
        let of_session = |it: &&Expected| it.session == self.session;
        self.expected.iter().filter(of_session).count()
    }
}
