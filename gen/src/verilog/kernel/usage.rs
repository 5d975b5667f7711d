//! What of a module is read: the rest is pruned, or marked for the linter where it must stay.

use super::process::Process;
use crate::verilog::expr::fold;
use crate::verilog::scope::{Role, Scope, SigId};
use num_bigint::BigUint;
use std::collections::HashMap;

/// Which processes matter, and which bits of the signals they read.
pub struct Usage {
    pub live: Vec<bool>,
    bits: Vec<BigUint>,
}

impl Usage {
    /// Outputs and inputs of children matter, and whatever those read.
    pub fn of(processes: &[Process], scope: &Scope) -> Self {
        let by_target: HashMap<SigId, usize> = processes
            .iter()
            .enumerate()
            .map(|(i, process)| (process.target, i))
            .collect();
        let matters = |process: &Process| {
            matches!(
                scope.signals[process.target].role,
                Role::Output | Role::ChildInput(_)
            )
        };
        let mut usage = Usage {
            live: processes.iter().map(matters).collect(),
            bits: vec![BigUint::default(); scope.signals.len()],
        };
        let mut work: Vec<usize> = (0..processes.len()).filter(|i| usage.live[*i]).collect();
        while let Some(at) = work.pop() {
            processes[at].for_each_expr(&mut |expr| {
                expr.for_each_read(&mut |id, low, width| {
                    usage.bits[id] |= fold::mask(width) << low;
                    if let Some(driver) = by_target.get(&id) {
                        if !std::mem::replace(&mut usage.live[*driver], true) {
                            work.push(*driver);
                        }
                    }
                });
            });
        }
        usage
    }

    /// Whether any bit of the signal is read.
    pub fn any(&self, id: SigId) -> bool {
        self.bits[id].bits() != 0
    }

    /// Whether every bit of the signal is read.
    pub fn all(&self, id: SigId, width: usize) -> bool {
        self.bits[id] == fold::mask(width)
    }
}
