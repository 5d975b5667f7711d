//! `InputBuffer`: the flits of one link, a private ring for each virtual channel (VC), all in one RAM.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `write`, `write_flit`, `write_vc` | in | appends a flit to its VC's ring |
//! | `read` | in | takes the oldest flit of the VC whose bit is set; at most one bit |
//! | `read_flit` | out | that flit, in the next cycle |
//! | `occupied` | out | bit v: VC v holds a flit |
//!
//! Latency: a flit written in cycle t is `occupied` in t + 1 and, read then, at `read_flit` in t + 2.
//!
//! Invariants: a ring holds at most `input_buffer_flits`; the writer's credits see to it. Only an occupied VC is read.

use super::{RouterParams, VC_BITS};
use crate::cells::{bits_to_hold, ModuloCounter, Ram, Register};
use crate::kernel;
use crate::packet::FLIT_BITS;
use crate::ports::Ports;
use crate::wire::{bits_of, or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Private rings of all VCs of a link; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct InputBuffer {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub write_flit: Wire<In>,
    pub write_vc: Wire<In>,
    pub read: Wire<In>,
    pub read_flit: Wire<Out>,
    pub occupied: Wire<Out>,
    flits: Ram,
    write_pointer: Vec<ModuloCounter>,
    read_pointer: Vec<ModuloCounter>,
    held: Vec<Register>,
}

impl InputBuffer {
    pub fn new(params: &RouterParams) -> Self {
        let (vcs, depth) = (params.virtual_channels, params.input_buffer_flits);
        let pointer_bits = bits_to_hold(depth - 1);
        let pointers = || (0..vcs).map(|_| ModuloCounter::new(depth)).collect();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            write: Default::default(),
            write_flit: Wire::new(FLIT_BITS),
            write_vc: Wire::new(VC_BITS),
            read: Wire::new(vcs),
            read_flit: Wire::new(FLIT_BITS),
            occupied: Wire::new(vcs),
            // A flit is read a cycle after it was written, at the earliest. Rings start at multiples of a power of two, so that an address is VC and pointer side by side.
            flits: Ram::without_collisions(FLIT_BITS, ((vcs - 1) << pointer_bits) + depth),
            write_pointer: pointers(),
            read_pointer: pointers(),
            held: Register::vec(vcs, bits_to_hold(depth)),
        }
    }
}

impl Logic for InputBuffer {
    #[kernel]
    fn update(&mut self) {
        comment!("module: input_buffer");
        let vcs = self.held.len();
        let pointer_bits = self.write_pointer[0].value.bits();
        let address_bits = self.flits.read_address.bits();
        self.flits.clock.next = self.clock.val();
        for v in 0..vcs {
            clocked!(self.write_pointer[v], self.read_pointer[v]);
            registers!(self.held[v]);
            let written = self.write.val() & (self.write_vc.val() == v as u64);
            let taken = self.read.val().get_bit(v as u64);
            self.write_pointer[v].advance.next = written;
            self.read_pointer[v].advance.next = taken;
            if written & !taken {
                self.held[v].d.next = self.held[v].q.val() + 1;
            } else if taken & !written {
                self.held[v].d.next = self.held[v].q.val() - 1;
            }
        }
        self.flits.write_enable.next = self.write.val();
        self.flits.write_data.next = self.write_flit.val();
        self.flits.write_address.next = or_of(0..vcs, |v| {
            replicate(self.write_vc.val() == v as u64, address_bits)
                & (self.write_pointer[v].value.val().resize(address_bits)
                    | ((v as u64) << pointer_bits))
        });
        self.flits.read_enable.next = self.read.val().any();
        self.flits.read_address.next = or_of(0..vcs, |v| {
            replicate(self.read.val().get_bit(v as u64), address_bits)
                & (self.read_pointer[v].value.val().resize(address_bits)
                    | ((v as u64) << pointer_bits))
        });
        self.read_flit.next = self.flits.read_data.val();
        self.occupied.next = bits_of(0..vcs, |v| self.held[v].q.val().any());
    }
}
