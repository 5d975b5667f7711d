//! `CongestionSensor`: tells early that a link cannot take what is coming.
//!
//! Two signs: the chip's own buffers for the link fill up, or the next chip frees its buffer slowly while much of it is
//! in use. How fast it frees is the number of credits that came back in a sliding window.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `arrived`, `left` | in | flits that came into this link's column buffers, and that left them |
//! | `given` | in | blocks that the next chip freed |
//! | `in_use` | in | blocks in use in the next chip |
//! | `backlog_limit` | in | flits in the column buffers that mean congestion; 0: never |
//! | `in_use_limit`, `rate_limit` | in | blocks in use, and credits a window below which they mean congestion; 0: never |
//! | `congested` | out | the link is congested |
//! | `backlog` | out | flits in the column buffers |
//!
//! Latency: 1 cycle to `backlog`, 2 to `congested`. The window is [`WINDOW_CYCLES`] long and slides by an eighth of it.

use super::RouterParams;
use crate::cells::{bits_to_hold, Flag, ModuloCounter, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// Length of the sliding window.
pub const WINDOW_CYCLES: usize = 64;
/// Parts of the window.
const PARTS: usize = 8;

/// Congestion of a link; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CongestionSensor {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub arrived: Wire<In>,
    pub left: Wire<In>,
    pub given: Wire<In>,
    pub in_use: Wire<In>,
    pub backlog_limit: Wire<In>,
    pub in_use_limit: Wire<In>,
    pub rate_limit: Wire<In>,
    pub congested: Signal<Out, Bit>,
    pub backlog: Wire<Out>,
    held: Register,
    position: ModuloCounter,
    /// Credits in each part of the window, the newest first, and in all of it.
    part: Vec<Register>,
    total: Register,
    sensed: Flag,
}

impl CongestionSensor {
    pub fn new(params: &RouterParams) -> Self {
        let (rows, vcs) = (params.rows, params.virtual_channels);
        let backlog_bits = params.backlog_bits();
        let given_bits = bits_to_hold(vcs);
        let total_bits = params.rate_bits();
        let part_bits = bits_to_hold(vcs * WINDOW_CYCLES / PARTS);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            arrived: Wire::new(bits_to_hold(rows)),
            left: Wire::new(bits_to_hold(vcs)),
            given: Wire::new(given_bits),
            in_use: Wire::new(params.block_count_bits()),
            backlog_limit: Wire::new(backlog_bits),
            in_use_limit: Wire::new(params.block_count_bits()),
            rate_limit: Wire::new(total_bits),
            congested: Default::default(),
            backlog: Wire::new(backlog_bits),
            held: Register::new(backlog_bits),
            position: ModuloCounter::new(WINDOW_CYCLES / PARTS),
            part: Register::vec(PARTS, part_bits),
            total: Register::new(total_bits),
            sensed: Default::default(),
        }
    }
}

impl Logic for CongestionSensor {
    #[kernel]
    fn update(&mut self) {
        comment!("module: congestion_sensor");
        clocked!(self.position, self.held, self.sensed);
        registers!(self.total);
        let backlog_bits = self.backlog.bits();
        let part_bits = self.part[0].q.bits();
        let total_bits = self.rate_limit.bits();
        self.held.d.next = self.held.q.val() + self.arrived.val().resize(backlog_bits)
            - self.left.val().resize(backlog_bits);
        self.backlog.next = self.held.q.val();

        self.position.advance.next = true;
        let slides = self.position.value.val().all();
        for i in 0..PARTS {
            registers!(self.part[i]);
        }
        self.part[0].d.next = self.part[0].q.val() + self.given.val().resize(part_bits);
        self.total.d.next = self.total.q.val() + self.given.val().resize(total_bits);
        if slides {
            for i in 1..PARTS {
                self.part[i].d.next = self.part[i - 1].q.val();
            }
            self.part[0].d.next = self.given.val().resize(part_bits);
            self.total.d.next = self.total.q.val() + self.given.val().resize(total_bits)
                - self.part[PARTS - 1].q.val().resize(total_bits);
        }
        let piled_up =
            self.backlog_limit.val().any() & (self.held.q.val() >= self.backlog_limit.val());
        let freed_slowly = (self.in_use.val() >= self.in_use_limit.val())
            & (self.total.q.val() < self.rate_limit.val());
        self.sensed.d.next = piled_up | freed_slowly;
        self.congested.next = self.sensed.q.val();
    }
}
