//! A legal split of a buffer's blocks into private and shared ones, any there is.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `wanted_private[v]`, `wanted_shared` | in | taken over in the first cycle and with `change`, unless there are not so many blocks |
//! | `change` | in | another split from the next cycle on |
//! | `private[v]`, `shared` | out | the split; none are there at first |
//! | `made` | out | the first cycle is over |

use fantree_hdl::cells::{Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::ports::Ports;
use fantree_hdl::router::RouterParams;
use fantree_hdl::wire::Wire;
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Split {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub wanted_private: Vec<Wire<In>>,
    pub wanted_shared: Wire<In>,
    pub change: Signal<In, Bit>,
    pub private: Vec<Wire<Out>>,
    pub shared: Wire<Out>,
    pub made: Signal<Out, Bit>,
    /// The wanted private blocks of VCs below v.
    wanted_below: Vec<Wire<Local>>,
    kept_private: Vec<Register>,
    kept_shared: Register,
    first_is_over: Flag,
    _blocks: usize,
}

impl Split {
    pub fn new(params: &RouterParams) -> Self {
        let (vcs, width) = (params.virtual_channels, params.block_count_bits());
        Self {
            clock: Default::default(),
            reset: Default::default(),
            wanted_private: Wire::vec(vcs, width),
            wanted_shared: Wire::new(width),
            change: Default::default(),
            private: Wire::vec(vcs, width),
            shared: Wire::new(width),
            made: Default::default(),
            // Room for the sum of up to eight of them.
            wanted_below: Wire::vec(vcs + 1, width + 4),
            kept_private: Register::vec(vcs, width),
            kept_shared: Register::new(width),
            first_is_over: Default::default(),
            _blocks: params.input_buffer_blocks,
        }
    }
}

impl Logic for Split {
    #[kernel]
    fn update(&mut self) {
        comment!("module: split");
        let vcs = self.kept_private.len();
        let width = self.wanted_below[0].bits();
        clocked!(self.first_is_over);
        registers!(self.kept_shared);
        self.first_is_over.d.next = true;
        self.made.next = self.first_is_over.q.val();
        self.wanted_below[0].next = self.wanted_shared.val().resize(width);
        for v in 0..vcs {
            self.wanted_below[v + 1].next =
                self.wanted_below[v].val() + self.wanted_private[v].val().resize(width);
        }
        let takes = (self.change.val() | !self.first_is_over.q.val())
            & (self.wanted_below[vcs].val() <= self._blocks as u64);
        if takes {
            self.kept_shared.d.next = self.wanted_shared.val();
        }
        self.shared.next = self.kept_shared.q.val();
        for v in 0..vcs {
            registers!(self.kept_private[v]);
            if takes {
                self.kept_private[v].d.next = self.wanted_private[v].val();
            }
            self.private[v].next = self.kept_private[v].q.val();
        }
    }
}
