//! The far side of a link out of the chip: takes flits, and returns credits as its buffer drains.
//!
//! Without stalls it takes a flit every cycle and frees its place at once. With stalls, two processes run
//! independently: one keeps the link from taking flits (as a link that codes does), one keeps the buffer from draining. A
//! buffer that drains frees one place of every channel a cycle, so several credits come back at once.

use super::{Stalls, MAX_VCS};
use crate::traffic::{stream, OnOff, Random};

/// Takes flits from one port.
#[derive(Debug, Clone)]
pub struct Receiver {
    stalls: Option<Process>,
    held: [usize; MAX_VCS],
}

#[derive(Debug, Clone)]
struct Process {
    link: OnOff,
    buffer: OnOff,
    random: Random,
}

impl Receiver {
    /// Without stalls.
    pub fn new() -> Self {
        Self {
            stalls: None,
            held: [0; MAX_VCS],
        }
    }

    /// Starts to stall.
    pub fn stall(&mut self, stalls: Stalls, seed: u64, port: usize) {
        let mut random = stream(seed, "stall", port);
        self.stalls = Some(Process {
            link: OnOff::new(stalls.share, stalls.mean_cycles, &mut random),
            buffer: OnOff::new(stalls.share, stalls.mean_cycles, &mut random),
            random,
        });
    }

    /// Whether the link takes a flit in this cycle; called once a cycle.
    #[inline]
    pub fn ready(&mut self) -> bool {
        match &mut self.stalls {
            None => true,
            Some(Process { link, random, .. }) => !link.next(random),
        }
    }

    /// Ends a cycle in which a flit of channel `arrived` was taken; gives the mask of freed places.
    #[inline]
    pub fn drain(&mut self, arrived: Option<u8>) -> u8 {
        let Some(Process { buffer, random, .. }) = &mut self.stalls else {
            return arrived.map_or(0, |vc| 1 << vc);
        };
        if let Some(vc) = arrived {
            self.held[usize::from(vc)] += 1;
        }
        if buffer.next(random) {
            return 0;
        }
        let mut freed = 0;
        for (vc, held) in self
            .held
            .iter_mut()
            .enumerate()
            .filter(|(_, held)| **held > 0)
        {
            *held -= 1;
            freed |= 1 << vc;
        }
        freed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_stalls_places_are_free_at_once() {
        let mut receiver = Receiver::new();
        assert!(receiver.ready());
        assert_eq!(receiver.drain(Some(3)), 0b1000);
        assert_eq!(receiver.drain(None), 0);
    }

    #[test]
    fn with_stalls_every_place_is_freed_once_and_later() {
        let mut receiver = Receiver::new();
        let (share, mean_cycles) = (0.5, 4.0);
        receiver.stall(Stalls { share, mean_cycles }, 1, 0);
        let (mut taken, mut freed, mut most_held) = ([0; 2], [0; 2], 0);
        let mut several = false;
        for cycle in 0..10_000 {
            // A third of the cycles bring a flit: less than what drains.
            let arrives = receiver.ready() && cycle % 3 == 0;
            let vc = cycle as u8 / 3 % 2;
            taken[usize::from(vc)] += usize::from(arrives);
            let mask = receiver.drain(arrives.then_some(vc));
            several |= mask.count_ones() > 1;
            (0..2).for_each(|vc| freed[vc] += usize::from(mask >> vc & 1));
            most_held = most_held.max(taken[0] - freed[0] + taken[1] - freed[1]);
        }
        while receiver.held != [0; MAX_VCS] {
            let mask = receiver.drain(None);
            (0..2).for_each(|vc| freed[vc] += usize::from(mask >> vc & 1));
        }
        assert_eq!(freed, taken);
        assert!(
            several && most_held > 4 && taken[0] > 500,
            "{most_held}, {taken:?}"
        );
    }
}
