//! The far side of a link out of the chip: takes flits, and returns credits as its buffer drains.
//!
//! Without stalls it takes a flit every cycle and frees a block as soon as the block is full or the packet ends. With
//! stalls, two processes run independently: one keeps the link from taking flits (as a link that codes does), one keeps
//! the buffer from draining. A buffer that drains frees one block of every channel a cycle, so several credits come back
//! at once.

use super::{Stalls, MAX_VCS};
use crate::traffic::{stream, OnOff, Random};

/// Takes flits from one port.
#[derive(Debug, Clone)]
pub struct Receiver {
    block_flits: usize,
    stalls: Option<Process>,
    /// Flits in the block that is being filled, and blocks that wait to drain.
    filling: [usize; MAX_VCS],
    held: [usize; MAX_VCS],
    /// Takes nothing before this cycle.
    stopped_until: u64,
    cycle: u64,
}

#[derive(Debug, Clone)]
struct Process {
    link: OnOff,
    buffer: OnOff,
    random: Random,
}

impl Receiver {
    /// Without stalls.
    pub fn new(block_flits: usize) -> Self {
        Self {
            block_flits,
            stalls: None,
            filling: [0; MAX_VCS],
            held: [0; MAX_VCS],
            stopped_until: 0,
            cycle: 0,
        }
    }

    /// Takes nothing for some cycles from now on.
    pub fn stop(&mut self, cycles: u64) {
        self.stopped_until = self.cycle + cycles;
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
        self.cycle += 1;
        let stopped = self.cycle <= self.stopped_until;
        match &mut self.stalls {
            None => !stopped,
            Some(Process { link, random, .. }) => !link.next(random) && !stopped,
        }
    }

    /// Ends a cycle in which a flit of a channel was taken, a tail or not; gives the mask of freed blocks.
    #[inline]
    pub fn drain(&mut self, arrived: Option<(u8, bool)>) -> u8 {
        if let Some((vc, tail)) = arrived {
            let filling = &mut self.filling[usize::from(vc)];
            *filling += 1;
            if tail || *filling == self.block_flits {
                *filling = 0;
                self.held[usize::from(vc)] += 1;
            }
        }
        if let Some(Process { buffer, random, .. }) = &mut self.stalls {
            if buffer.next(random) {
                return 0;
            }
        }
        let mut freed = 0;
        for (vc, held) in self.held.iter_mut().enumerate() {
            if *held > 0 {
                *held -= 1;
                freed |= 1 << vc;
            }
        }
        freed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_stalls_blocks_are_free_at_once() {
        let mut receiver = Receiver::new(2);
        assert!(receiver.ready());
        assert_eq!(receiver.drain(Some((3, false))), 0);
        assert_eq!(receiver.drain(Some((3, false))), 0b1000, "full");
        assert_eq!(receiver.drain(Some((3, true))), 0b1000, "the end");
        assert_eq!(receiver.drain(None), 0);
    }

    #[test]
    fn a_stopped_receiver_takes_nothing() {
        let mut receiver = Receiver::new(2);
        receiver.stop(3);
        let ready: Vec<bool> = (0..5).map(|_| receiver.ready()).collect();
        assert_eq!(ready, [false, false, false, true, true]);
    }

    #[test]
    fn with_stalls_every_block_is_freed_once_and_later() {
        let mut receiver = Receiver::new(1);
        let (share, mean_cycles) = (0.5, 4.0);
        receiver.stall(Stalls { share, mean_cycles }, 1, 0);
        let (mut taken, mut freed, mut most_held) = ([0; 2], [0; 2], 0);
        let mut several = false;
        for cycle in 0..10_000 {
            // A third of the cycles bring a flit: less than what drains.
            let arrives = receiver.ready() && cycle % 3 == 0;
            let vc = cycle as u8 / 3 % 2;
            taken[usize::from(vc)] += usize::from(arrives);
            let mask = receiver.drain(arrives.then_some((vc, false)));
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
