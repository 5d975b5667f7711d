//! `RowBuffer`: a queue of flits that can be read again from its oldest flit, for packets that go to several rows.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `push`, `push_word` | in | appends a word |
//! | `word`, `available` | out | the word to be read next, if there is one |
//! | `take` | in | moves on to the word after it |
//! | `keep` | in | with `take`: the word stays in the buffer, to be read again |
//! | `rewind` | in | with `keep`: goes back to the oldest word instead of on to the next |
//!
//! Latency: a word pushed in cycle t is available in t + 1.
//!
//! Invariants: words up to the one being read are all kept or none: whoever keeps a packet's first flit keeps the others
//! as well. The buffer never overflows; the writer's credits see to it.

use super::RouterParams;
use crate::cells::{bits_to_hold, LutRam, ModuloCounter, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// A queue that can be read again; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct RowBuffer {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub push: Signal<In, Bit>,
    pub push_word: Wire<In>,
    pub word: Wire<Out>,
    pub available: Signal<Out, Bit>,
    pub take: Signal<In, Bit>,
    pub keep: Signal<In, Bit>,
    pub rewind: Signal<In, Bit>,
    memory: LutRam,
    tail: ModuloCounter,
    head: ModuloCounter,
    reader: Register,
    held: Register,
    /// Words between the oldest and the one being read.
    ahead: Register,
    _depth: usize,
}

impl RowBuffer {
    pub fn new(params: &RouterParams) -> Self {
        let (width, depth) = (params.row_word_bits(), params.row_buffer_flits);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            push: Default::default(),
            push_word: Wire::new(width),
            word: Wire::new(width),
            available: Default::default(),
            take: Default::default(),
            keep: Default::default(),
            rewind: Default::default(),
            memory: LutRam::new(width, depth),
            tail: ModuloCounter::new(depth),
            head: ModuloCounter::new(depth),
            reader: Register::new(bits_to_hold(depth - 1)),
            held: Register::new(bits_to_hold(depth)),
            ahead: Register::new(bits_to_hold(depth)),
            _depth: depth,
        }
    }
}

impl Logic for RowBuffer {
    #[kernel]
    fn update(&mut self) {
        comment!("module: row_buffer");
        clocked!(self.tail, self.head);
        registers!(self.reader, self.held, self.ahead);
        let freed = self.take.val() & !self.keep.val();
        self.memory.clock.next = self.clock.val();
        self.memory.write_enable.next = self.push.val();
        self.memory.write_address.next = self.tail.value.val();
        self.memory.write_data.next = self.push_word.val();
        self.memory.read_address.next = self.reader.q.val();
        self.word.next = self.memory.read_data.val();
        self.available.next = self.held.q.val() > self.ahead.q.val();

        self.tail.advance.next = self.push.val();
        self.head.advance.next = freed;
        if self.push.val() & !freed {
            self.held.d.next = self.held.q.val() + 1;
        } else if freed & !self.push.val() {
            self.held.d.next = self.held.q.val() - 1;
        }
        if self.take.val() {
            if self.keep.val() & self.rewind.val() {
                self.reader.d.next = self.head.value.val();
                self.ahead.d.next = 0.into();
            } else {
                self.reader.d.next = self.reader.q.val() + 1;
                if self.reader.q.val() == self._depth as u64 - 1 {
                    self.reader.d.next = 0.into();
                }
                if self.keep.val() {
                    self.ahead.d.next = self.ahead.q.val() + 1;
                }
            }
        }
    }
}
