//! `CreditCounter`: how many places of the next buffer are free.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | rising edge; synchronous, active high: all places are free, no error |
//! | `take` | in | places used at this edge, 0 for none |
//! | `give` | in | places freed, 0 for none |
//! | `available` | out | at least one place is free |
//! | `count` | out | free places |
//! | `error` | out | the invariant was broken since the reset |
//!
//! Latency: 1 cycle from `take` and `give` to `count`; a place given can be taken in the next cycle.
//!
//! Invariant (the users'): 0 ≤ `count` ≤ initial, that is, nothing is taken that is not there (`take <= count`), and
//! nothing given that was not taken. Breaking it sets `error`, which stays until the reset; `count` then means nothing.
//! The check stands beside the counter, so it costs no speed, and nothing at all where `error` is not read.

use super::{bits_to_hold, Flag, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// A counter of free places; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CreditCounter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub take: Wire<In>,
    pub give: Wire<In>,
    pub available: Signal<Out, Bit>,
    pub count: Wire<Out>,
    pub error: Signal<Out, Bit>,
    free: Register,
    broken: Flag,
    _places: usize,
}

impl CreditCounter {
    /// A counter for a buffer of `places`, taken and given one at a time.
    ///
    /// # Panics
    /// If `places` is 0.
    pub fn new(places: usize) -> Self {
        Self::with_steps(places, 1, 1)
    }

    /// A counter for a buffer of `places`, of which up to `most_taken` and `most_given` move at an edge.
    ///
    /// # Panics
    /// If `places` is 0.
    pub fn with_steps(places: usize, most_taken: usize, most_given: usize) -> Self {
        assert!(places > 0, "a buffer has at least one place");
        let width = bits_to_hold(places);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            take: Wire::new(bits_to_hold(most_taken)),
            give: Wire::new(bits_to_hold(most_given)),
            available: Default::default(),
            count: Wire::new(width),
            error: Default::default(),
            free: Register::with_reset(width, places as u64),
            broken: Default::default(),
            _places: places,
        }
    }

    /// `count` counters for buffers of `places`.
    pub fn vec(count: usize, places: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(places)).collect()
    }
}

impl Logic for CreditCounter {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_counter_{}", self._places);
        registers!(self.free, self.broken);
        let width = self.count.bits();
        self.free.d.next =
            self.free.q.val() - self.take.val().resize(width) + self.give.val().resize(width);
        self.available.next = self.free.q.val().any();
        self.count.next = self.free.q.val();

        // One bit more than any of the numbers, so that no sum wraps.
        let wide = width.max(self.take.bits()).max(self.give.bits()) + 1;
        let free = self.free.q.val().resize(wide);
        let take = self.take.val().resize(wide);
        let give = self.give.val().resize(wide);
        if (take > free) | (free + give > take + self._places as u64) {
            self.broken.d.next = true;
        }
        self.error.next = self.broken.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{cycle, Random};

    fn reset(counter: &mut CreditCounter) {
        counter.connect_all();
        counter.reset.next = true;
        cycle!(*counter);
        counter.reset.next = false;
    }

    fn step(counter: &mut CreditCounter, take: u64, give: u64) -> (u64, bool) {
        counter.take.next = take.into();
        counter.give.next = give.into();
        cycle!(*counter);
        assert_eq!(counter.available.val(), counter.count.val().any());
        (counter.count.val().to_u64(), counter.error.val())
    }

    #[test]
    fn counts_within_the_rules() {
        for (initial, most_taken, most_given) in [(1, 1, 1), (16, 1, 1), (69, 69, 4), (7, 3, 15)] {
            let mut random = Random(initial as u64);
            let mut counter = CreditCounter::with_steps(initial, most_taken, most_given);
            reset(&mut counter);
            let initial = initial as u64;
            let mut credits = initial;
            for _ in 0..500 {
                let take = random.below(most_taken as u64 + 1).min(credits);
                let give = random
                    .below(most_given as u64 + 1)
                    .min(initial - (credits - take));
                credits = credits - take + give;
                assert_eq!(step(&mut counter, take, give), (credits, false));
            }
        }
    }

    #[test]
    fn notices_a_broken_rule() {
        for (take, give, why) in [
            (4, 3, "more taken than is free, though some comes back"),
            (0, 3, "more given than was taken"),
        ] {
            let mut counter = CreditCounter::with_steps(5, 7, 7);
            reset(&mut counter);
            assert_eq!(step(&mut counter, 2, 0), (3, false));
            assert!(step(&mut counter, take, give).1, "{why}");
            assert!(step(&mut counter, 0, 0).1, "remembered");
            reset(&mut counter);
            assert_eq!(step(&mut counter, 0, 0), (5, false));
        }
    }
}
