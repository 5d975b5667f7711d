//! A random process that is on for a given share of the time, in runs.

use rand::Rng;

use super::Random;

/// A Markov chain of two states: bursts of traffic, stalls of a receiver.
#[derive(Debug, Clone)]
pub struct OnOff {
    on: bool,
    start: f64,
    stop: f64,
}

impl OnOff {
    /// On for `share` of the cycles (from 0 to below 1), in runs of `mean_run` cycles on average. A pause has at least
    /// one cycle, so where the share is near 1 runs are longer, to keep it.
    pub fn new(share: f64, mean_run: f64, random: &mut Random) -> Self {
        let on_to_off = share / (1.0 - share);
        let mean_run = mean_run.max(on_to_off).max(1.0);
        Self {
            // As likely as in the long run: no transient to warm up from.
            on: random.gen_bool(share),
            start: on_to_off / mean_run,
            stop: 1.0 / mean_run,
        }
    }

    /// The state in this cycle; called once a cycle.
    #[inline]
    pub fn next(&mut self, random: &mut Random) -> bool {
        let now = self.on;
        self.on ^= random.gen_bool(if now { self.stop } else { self.start });
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::stream;

    #[test]
    fn the_share_and_the_runs_are_those_asked_for() {
        const CYCLES: usize = 400_000;
        for (share, mean_run, expected_run) in [
            (0.0, 4.0, 0.0),
            (0.2, 4.0, 4.0),
            (0.5, 1.0, 1.0),
            (0.9, 20.0, 20.0),
            (0.9, 1.0, 9.0),
        ] {
            let mut random = stream(3, "on-off", 0);
            let mut process = OnOff::new(share, mean_run, &mut random);
            let (mut on, mut runs, mut before) = (0, 0, false);
            for _ in 0..CYCLES {
                let now = process.next(&mut random);
                on += usize::from(now);
                runs += usize::from(now && !before);
                before = now;
            }
            let measured = on as f64 / CYCLES as f64;
            assert!((measured - share).abs() < 0.01, "{share}: {measured}");
            let run = on as f64 / runs.max(1) as f64;
            assert!(
                (run - expected_run).abs() <= 0.1 * expected_run,
                "{share}: runs of {run}"
            );
        }
    }
}
