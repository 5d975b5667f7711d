//! A [`Fifo`] beside a count of its words and a word that is followed through it.
//!
//! Pushes and pops come as they like, also where they are to be ignored. Any word may be the one that is followed, so
//! order holds for all of them, and none is lost or doubled: the n-th word out is the n-th word in.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `push`, `push_data`, `pop` | in | the queue's |
//! | `follow` | in | the word pushed now is the one to follow, if there is none |
//! | `never_miscounts` | out | `count`, `empty` or `full` are not what was pushed less what was popped |
//! | `never_out_of_order` | out | the followed word should be the oldest, and another one is |
//! | `reaches_full` | out | there is no room |
//! | `reaches_the_front` | out | the followed word came last into a queue that it filled, and is the oldest |

use fantree_hdl::cells::{bits_to_hold, Fifo, Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::ports::Ports;
use fantree_hdl::wire::Wire;
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct FifoHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub push: Signal<In, Bit>,
    pub push_data: Wire<In>,
    pub pop: Signal<In, Bit>,
    pub follow: Signal<In, Bit>,
    pub never_miscounts: Signal<Out, Bit>,
    pub never_out_of_order: Signal<Out, Bit>,
    pub reaches_full: Signal<Out, Bit>,
    pub reaches_the_front: Signal<Out, Bit>,
    fifo: Fifo,
    held: Register,
    /// The followed word, its place from the front (0: there is none), and whether it filled the queue.
    word: Register,
    place: Register,
    filled: Flag,
    _depth: usize,
}

impl FifoHarness {
    /// A queue of `depth` words of `width` bits.
    pub fn new(width: usize, depth: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            push: Default::default(),
            push_data: Wire::new(width),
            pop: Default::default(),
            follow: Default::default(),
            never_miscounts: Default::default(),
            never_out_of_order: Default::default(),
            reaches_full: Default::default(),
            reaches_the_front: Default::default(),
            fifo: Fifo::new(width, depth),
            held: Register::new(bits_to_hold(depth)),
            word: Register::new(width),
            place: Register::new(bits_to_hold(depth)),
            filled: Default::default(),
            _depth: depth,
        }
    }
}

impl Logic for FifoHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: fifo_harness");
        clocked!(self.fifo);
        registers!(self.held, self.word, self.place, self.filled);
        let full = self.held.q.val() == self._depth as u64;
        let pushed = self.push.val() & !full;
        let popped = self.pop.val() & self.held.q.val().any();
        let followed = self.place.q.val().any();
        self.fifo.push.next = self.push.val();
        self.fifo.push_data.next = self.push_data.val();
        self.fifo.pop.next = self.pop.val();

        if pushed & !popped {
            self.held.d.next = self.held.q.val() + 1;
        } else if popped & !pushed {
            self.held.d.next = self.held.q.val() - 1;
        }
        if followed & popped {
            self.place.d.next = self.place.q.val() - 1;
        } else if self.follow.val() & pushed & !followed {
            self.word.d.next = self.push_data.val();
            if popped {
                self.place.d.next = self.held.q.val();
            } else {
                self.place.d.next = self.held.q.val() + 1;
            }
            self.filled.d.next = !popped & (self.held.q.val() == self._depth as u64 - 1);
        }

        self.never_miscounts.next = (self.fifo.count.val() != self.held.q.val())
            | (self.fifo.empty.val() == self.held.q.val().any())
            | (self.fifo.full.val() != full);
        let oldest = self.place.q.val() == 1;
        self.never_out_of_order.next = oldest & (self.fifo.pop_data.val() != self.word.q.val());
        self.reaches_full.next = full;
        self.reaches_the_front.next = oldest & self.filled.q.val();
    }
}
