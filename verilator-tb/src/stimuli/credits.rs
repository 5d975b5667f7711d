//! What the sender knows of the next chip.

use fantree_hdl::router::RouterParams;
use rand::Rng;

use super::{bit, Legal};
use crate::lockstep::Cycle;

/// Virtual channels that take what is available to them, and a next chip that frees what it has.
struct PoolUser {
    params: RouterParams,
    /// By virtual channel: blocks in use, and blocks that its packet needs.
    used: Vec<u64>,
    needs: Vec<u64>,
}

impl PoolUser {
    fn new(params: RouterParams) -> Self {
        Self {
            params,
            used: vec![0; params.virtual_channels],
            needs: vec![0; params.virtual_channels],
        }
    }

    fn drive(&mut self, cycle: &mut Cycle) {
        for v in 0..self.used.len() {
            cycle.set(&format!("private${v}"), self.params.private_blocks as u64);
        }
        cycle.set("shared", self.params.shared_blocks() as u64);
        for input in ["take", "give", "wants", "lacks"] {
            cycle.set(input, 0);
        }
        if cycle.get("reset") == 1 {
            *self = Self::new(self.params);
            return;
        }
        assert_eq!(cycle.get("error"), 0);
        assert_eq!(cycle.get("in_use"), self.used.iter().sum::<u64>());
        let longest = self.params.blocks_of(self.params.max_packet_flits) as u64;
        let (mut wants, mut lacks, mut given) = (0, 0, 0);
        for v in 0..self.used.len() {
            // A block in use goes back: one that is taken in this cycle is not.
            if self.used[v] > 0 && cycle.random().gen_bool(0.3) {
                self.used[v] -= 1;
                given |= 1 << v;
            }
            if self.needs[v] == 0 && cycle.random().gen_bool(0.5) {
                self.needs[v] = cycle.random().gen_range(1..=longest);
            }
            wants |= u64::from(self.needs[v] > 0) << v;
            lacks |= u64::from(self.needs[v] > cycle.get(&format!("available${v}"))) << v;
        }
        cycle.set("give", given);
        cycle.set("wants", wants);
        cycle.set("lacks", lacks);
        let v = cycle.random().gen_range(0..self.used.len());
        if bit(cycle, "wants", v) && !bit(cycle, "lacks", v) {
            cycle.set("take", 1 << v);
            cycle.set("take_blocks", self.needs[v]);
            self.used[v] += std::mem::take(&mut self.needs[v]);
            let all: u64 = self.used.iter().sum();
            assert!(
                all <= self.params.input_buffer_blocks as u64,
                "{all} blocks"
            );
        }
    }
}

/// Legal input of a credit pool.
pub fn credit_pool(params: RouterParams) -> Legal {
    let mut user = PoolUser::new(params);
    Box::new(move |cycle| user.drive(cycle))
}
