//! `WeightedArbiter`: round robin in which a request with weight w gets w turns.
//!
//! For a choice among buffers that different numbers of sources stand behind: with the number of sources as weight, the
//! sources get equal shares, however they are spread over the buffers.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | rising edge; synchronous, active high: a new round |
//! | `request` | in | who asks, a bit each |
//! | `weight[i]` | in | turns of request i in a round, looked at when a round begins; 0 counts as 1 |
//! | `advance` | in | the grant is used |
//! | `grant` | out | who may go: one of `request`, or none when nobody asks |
//!
//! Latency: 0 cycles from `request` to `grant`.
//!
//! Invariants: those of [`RoundRobinArbiter`]: `grant` has at most one bit, within `request`, some whenever some. A
//! request that stays is granted, while weights stay, after at most as many grants as the weights of the others, which
//! may have a round before it, and one more of each but one, who may be before it in its own round.

use super::{Register, RoundRobinArbiter};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{bits_of, replicate, Wire};
use rust_hdl::prelude::*;

/// A weighted fair arbiter; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct WeightedArbiter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Wire<In>,
    pub weight: Vec<Wire<In>>,
    pub advance: Signal<In, Bit>,
    pub grant: Wire<Out>,
    /// Who has turns left in this round.
    favoured: Wire<Local>,
    arbiter: RoundRobinArbiter,
    turns: Vec<Register>,
}

impl WeightedArbiter {
    /// An arbiter of `requests` requests, with weights of `weight_bits` bits.
    ///
    /// # Panics
    /// If `requests` is 0 or above 64.
    pub fn new(requests: usize, weight_bits: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Wire::new(requests),
            weight: Wire::vec(requests, weight_bits),
            advance: Default::default(),
            grant: Wire::new(requests),
            favoured: Wire::new(requests),
            arbiter: RoundRobinArbiter::new(requests),
            turns: Register::vec(requests, weight_bits),
        }
    }

    /// `count` arbiters.
    pub fn vec(count: usize, requests: usize, weight_bits: usize) -> Vec<Self> {
        (0..count)
            .map(|_| Self::new(requests, weight_bits))
            .collect()
    }
}

impl Logic for WeightedArbiter {
    #[kernel]
    fn update(&mut self) {
        comment!(
            "module: weighted_arbiter_{}x{}",
            self.request.bits(),
            self.weight[0].bits()
        );
        clocked!(self.arbiter);
        let requests = self.request.bits();
        self.favoured.next =
            self.request.val() & bits_of(0..requests, |i| self.turns[i].q.val().any());
        let new_round = !self.favoured.val().any();
        if new_round {
            self.arbiter.request.next = self.request.val();
        } else {
            self.arbiter.request.next = self.favoured.val();
        }
        self.arbiter.advance.next = self.advance.val();
        self.grant.next = self.arbiter.grant.val();

        for i in 0..requests {
            registers!(self.turns[i]);
            let granted = self.arbiter.grant.val().get_bit(i as u64);
            let weight = self.weight[i].val();
            if self.advance.val() & self.request.val().any() {
                if new_round {
                    // Whoever does not ask has no part in the round. The turn just given counts.
                    self.turns[i].d.next = 0.into();
                    if granted & weight.any() {
                        self.turns[i].d.next = weight - 1;
                    } else if self.request.val().get_bit(i as u64) & !granted {
                        self.turns[i].d.next =
                            weight | replicate(!weight.any(), 1).resize(weight.bits());
                    }
                } else if granted {
                    self.turns[i].d.next = self.turns[i].q.val() - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{cycle, Random};

    fn arbiter(weights: &[u64]) -> WeightedArbiter {
        let mut arbiter = WeightedArbiter::new(weights.len(), 4);
        arbiter.connect_all();
        arbiter.reset.next = true;
        cycle!(arbiter);
        arbiter.reset.next = false;
        arbiter.advance.next = true;
        for (port, &weight) in arbiter.weight.iter_mut().zip(weights) {
            port.next = weight.into();
        }
        arbiter
    }

    #[test]
    fn shares_follow_the_weights() {
        let weights = [8, 7, 1, 0, 4];
        let mut arbiter = arbiter(&weights);
        arbiter.request.next = 0b11111.into();
        let mut grants = [0; 5];
        for _ in 0..210 {
            assert!(simulate(&mut arbiter, 20));
            grants[arbiter.grant.val().to_u64().trailing_zeros() as usize] += 1;
            cycle!(arbiter);
        }
        assert_eq!(grants, [80, 70, 10, 10, 40], "a round has 21 turns");
    }

    /// Weight 0 once meant no turns at all while others had some.
    #[test]
    fn weight_zero_is_not_starved() {
        let mut arbiter = arbiter(&[0, 15]);
        arbiter.request.next = 0b11.into();
        let mut grants = [0; 2];
        for _ in 0..160 {
            assert!(simulate(&mut arbiter, 20));
            grants[arbiter.grant.val().to_u64().trailing_zeros() as usize] += 1;
            cycle!(arbiter);
        }
        assert_eq!(grants, [10, 150]);
    }

    #[test]
    fn grants_one_request_and_nobody_waits_longer_than_is_said() {
        let weights = [3, 1, 2];
        let mut arbiter = arbiter(&weights);
        let mut random = Random(3);
        let mut waited = [0; 3];
        let mut asking = 0;
        for step in 0..2000 {
            // Whoever asks goes on until granted.
            asking |= random.below(8);
            arbiter.request.next = asking.into();
            let advance = random.below(3) > 0;
            arbiter.advance.next = advance;
            assert!(simulate(&mut arbiter, 20));
            let grant = arbiter.grant.val().to_u64();
            assert_eq!(grant & !asking, 0, "step {step}");
            assert_eq!(grant.count_ones(), u32::from(asking != 0), "step {step}");
            if advance {
                for i in 0..3 {
                    let waits = asking >> i & 1 == 1 && grant >> i & 1 == 0;
                    waited[i] = if waits { waited[i] + 1 } else { 0 };
                    let others: u64 = weights.iter().sum::<u64>() - weights[i];
                    assert!(waited[i] <= others + 1, "step {step}, request {i}");
                }
                asking &= !grant;
            }
            cycle!(arbiter);
        }
    }
}
