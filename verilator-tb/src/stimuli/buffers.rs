//! Memories that keep what is promised only to those who keep to their rules.

use std::collections::VecDeque;

use fantree_hdl::router::RouterParams;
use rand::Rng;

use super::{bit, Legal};
use crate::lockstep::Cycle;

/// A user of the input buffer: writes packets for which there are blocks, reads what is there.
struct BufferUser {
    params: RouterParams,
    free_blocks: usize,
    /// By virtual channel: flits to be written of the packet that has begun; of those written, whether each is a tail.
    to_write: Vec<usize>,
    written: Vec<VecDeque<bool>>,
    wrote_tail: bool,
}

impl BufferUser {
    fn new(params: RouterParams) -> Self {
        Self {
            params,
            free_blocks: params.input_buffer_blocks,
            to_write: vec![0; params.virtual_channels],
            written: vec![VecDeque::new(); params.virtual_channels],
            wrote_tail: false,
        }
    }

    fn drive(&mut self, cycle: &mut Cycle) {
        if cycle.get("reset") == 1 {
            *self = Self::new(self.params);
            for input in ["write", "read", "checked"] {
                cycle.set(input, 0);
            }
            return;
        }
        cycle.set("checked", self.wrote_tail.into());
        self.read(cycle);
        self.free_blocks += cycle.get("freed").count_ones() as usize;
        let wrote = self.write(cycle);
        cycle.set("write", wrote.is_some().into());
        self.wrote_tail = wrote == Some(true);
    }

    /// Reads a flit, or none. Those written in this cycle are not there yet.
    fn read(&mut self, cycle: &mut Cycle) {
        let vc = cycle.random().gen_range(0..self.written.len());
        assert_eq!(
            bit(cycle, "occupied", vc),
            !self.written[vc].is_empty(),
            "virtual channel {vc}"
        );
        // Reading is slower and faster by turns, so that the buffer is full and empty.
        let rate = if (cycle.number() / 200).is_multiple_of(2) {
            0.4
        } else {
            1.0
        };
        cycle.set("read", 0);
        if cycle.random().gen_bool(rate) {
            if let Some(tail) = self.written[vc].pop_front() {
                cycle.set("read", 1 << vc);
                cycle.set("read_tail", tail.into());
            }
        }
    }

    /// Writes a flit and says whether it is a tail.
    fn write(&mut self, cycle: &mut Cycle) -> Option<bool> {
        let vc = cycle.random().gen_range(0..self.written.len());
        let head = self.to_write[vc] == 0;
        if head {
            let flits = cycle.random().gen_range(1..=self.params.max_packet_flits);
            self.free_blocks = self.free_blocks.checked_sub(self.params.blocks_of(flits))?;
            self.to_write[vc] = flits;
        }
        self.to_write[vc] -= 1;
        let tail = self.to_write[vc] == 0;
        self.written[vc].push_back(tail);
        cycle.set("write_vc", vc as u64);
        let mut flit = cycle.words("write_flit").to_vec();
        flit[4] = u32::from(head) | u32::from(tail) << 1;
        cycle.set_words("write_flit", &flit);
        Some(tail)
    }
}

/// Legal input of an input buffer.
pub fn input_buffer(params: RouterParams) -> Legal {
    let mut user = BufferUser::new(params);
    Box::new(move |cycle| user.drive(cycle))
}

/// A user of a row buffer: reads each packet a few times, but for the last time keeps it.
#[derive(Default)]
struct RowUser {
    /// Lengths of the packets in the buffer that end there; flits of the one that does not.
    whole: VecDeque<usize>,
    begun: usize,
    held: usize,
    /// Flits read of the first packet, and whether they are kept.
    read: usize,
    keeps: bool,
}

impl RowUser {
    fn drive(&mut self, cycle: &mut Cycle, depth: usize) {
        if cycle.get("reset") == 1 {
            *self = Self::default();
            cycle.set("push", 0);
            cycle.set("take", 0);
            return;
        }
        let room = self.held < depth;
        let takes = cycle.get("available") == 1 && cycle.random().gen_bool(0.7);
        cycle.set("take", takes.into());
        if takes {
            self.take(cycle);
        }
        let pushes = room && cycle.random().gen_bool(0.7);
        cycle.set("push", pushes.into());
        if pushes {
            self.held += 1;
            self.begun += 1;
            if self.begun == depth || cycle.random().gen_bool(0.4) {
                self.whole.push_back(self.begun);
                self.begun = 0;
            }
        }
    }

    fn take(&mut self, cycle: &mut Cycle) {
        if self.read == 0 {
            self.keeps = cycle.random().gen_bool(0.5);
        }
        self.read += 1;
        let tail = self.whole.front() == Some(&self.read);
        cycle.set("keep", self.keeps.into());
        cycle.set("rewind", tail.into());
        if tail {
            self.read = 0;
        }
        if !self.keeps {
            self.held -= 1;
            if tail {
                self.whole.pop_front();
            }
        }
    }
}

/// Legal input of a row buffer.
pub fn row_buffer(params: RouterParams) -> Legal {
    let mut user = RowUser::default();
    Box::new(move |cycle| user.drive(cycle, params.row_buffer_flits))
}
