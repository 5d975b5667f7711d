//! A [`CreditCounter`] beside the places that its users have.
//!
//! They take and give as they like, also against the rules: then the counter must say so.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `take`, `give` | in | the counter's |
//! | `never_loses_a_place` | out | within the rules, free places and those in use are not all that there are |
//! | `never_misleads` | out | within the rules, `available` says what `count` does not |
//! | `never_accuses` | out | `error` though all was within the rules |
//! | `never_overlooks` | out | no `error` though something was not |
//! | `reaches_none_left` | out | every place is in use |
//! | `reaches_all_back` | out | all places are free again after that |

use fantree_hdl::cells::{bits_to_hold, CreditCounter, Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::ports::Ports;
use fantree_hdl::wire::Wire;
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CreditCounterHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub take: Wire<In>,
    pub give: Wire<In>,
    pub never_loses_a_place: Signal<Out, Bit>,
    pub never_misleads: Signal<Out, Bit>,
    pub never_accuses: Signal<Out, Bit>,
    pub never_overlooks: Signal<Out, Bit>,
    pub reaches_none_left: Signal<Out, Bit>,
    pub reaches_all_back: Signal<Out, Bit>,
    counter: CreditCounter,
    in_use: Register,
    broken: Flag,
    emptied: Flag,
    _places: usize,
}

impl CreditCounterHarness {
    /// A counter of `places`, of which up to `most_taken` and `most_given` move at an edge.
    pub fn new(places: usize, most_taken: usize, most_given: usize) -> Self {
        let counter = CreditCounter::with_steps(places, most_taken, most_given);
        let widest = bits_to_hold(places)
            .max(counter.take.bits())
            .max(counter.give.bits());
        Self {
            clock: Default::default(),
            reset: Default::default(),
            take: Wire::new(counter.take.bits()),
            give: Wire::new(counter.give.bits()),
            never_loses_a_place: Default::default(),
            never_misleads: Default::default(),
            never_accuses: Default::default(),
            never_overlooks: Default::default(),
            reaches_none_left: Default::default(),
            reaches_all_back: Default::default(),
            counter,
            // Room for the sum of any two of the numbers.
            in_use: Register::new(widest + 1),
            broken: Default::default(),
            emptied: Default::default(),
            _places: places,
        }
    }
}

impl Logic for CreditCounterHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_counter_harness");
        clocked!(self.counter);
        registers!(self.in_use, self.broken, self.emptied);
        self.counter.take.next = self.take.val();
        self.counter.give.next = self.give.val();

        let (places, width) = (self._places as u64, self.in_use.d.bits());
        let in_use = self.in_use.q.val();
        let broken = self.broken.q.val();
        let take = self.take.val().resize(width);
        let give = self.give.val().resize(width);
        if (in_use + take > places) | (give > in_use + take) {
            self.broken.d.next = true;
        } else {
            self.in_use.d.next = in_use + take - give;
        }
        if in_use == places {
            self.emptied.d.next = true;
        }

        let count = self.counter.count.val().resize(width);
        self.never_loses_a_place.next = !broken & (in_use + count != places);
        self.never_misleads.next = !broken & (self.counter.available.val() != count.any());
        self.never_accuses.next = !broken & self.counter.error.val();
        self.never_overlooks.next = broken & !self.counter.error.val();
        self.reaches_none_left.next = !broken & (in_use == places);
        self.reaches_all_back.next = !broken & self.emptied.q.val() & !in_use.any();
    }
}
