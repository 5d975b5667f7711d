//! `FallingFlag`: a flip-flop for an output that changes with the falling edge, as TDO of a JTAG port does.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock` | in | falling edge |
//! | `d` | in | next value |
//! | `q` | out | value |
//!
//! Latency: half a cycle after what the rising edge has made. No reset: `q` follows `d`.

use crate::ports::Ports;
use rust_hdl::prelude::*;

/// A flip-flop of the falling edge; see the [module](self).
#[derive(LogicBlock, Default, Ports)]
pub struct FallingFlag {
    pub clock: Signal<In, Clock>,
    pub d: Signal<In, Bit>,
    pub q: Signal<Out, Bit>,
}

impl Logic for FallingFlag {
    fn update(&mut self) {
        if self.clock.neg_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "// module: falling_flag
always @(negedge clock) q <= d;"
                .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_with_the_falling_edge() {
        let mut flag = FallingFlag::default();
        flag.connect_all();
        let mut shown = Vec::new();
        for (clock, d) in [(true, true), (false, true), (true, false), (false, false)] {
            flag.clock.next = clock.into();
            flag.d.next = d;
            assert!(simulate(&mut flag, 10));
            shown.push(flag.q.val());
        }
        assert_eq!(shown, [false, true, true, false]);
    }
}
