//! `Throttle`: how fast a source may send to each port, by what the chip reports of the ports.
//!
//! A report that a port is congested halves the source's rate to it, any other raises the rate by a step. So all sources
//! that send to a port share it, whatever it takes, and between them keep its buffers in the chip neither empty nor full:
//! with a step of 1/8 of a port's rate divided by the number of ports, the sum of all sources' rates grows by 1/8 at most
//! between two reports, and what they put into the buffers before it is halved is a small part of the limit that is
//! reported. A report tells what earlier rates did; a second one that comes before a change of the rate shows is passed
//! over.

use super::Report;

/// Cycles until a change of a rate shows: through the chip to the buffers of the port, and back with the next report.
const REACTION_CYCLES: u64 = 40;
/// Parts of a port's rate by which the rates of as many sources as there are ports grow together.
const STEPS: f64 = 8.0;

/// What a source knows of each port.
#[derive(Debug, Clone)]
pub struct Throttle {
    ports: Vec<Pace>,
    step: f64,
}

#[derive(Debug, Clone)]
struct Pace {
    /// Flits a cycle.
    rate: f64,
    /// Cycle of the last change.
    changed: u64,
    /// The last packet: when it started, and its flits.
    started: u64,
    flits: usize,
}

impl Throttle {
    pub fn new(ports: usize) -> Self {
        let pace = Pace {
            rate: 1.0,
            changed: 0,
            started: 0,
            flits: 0,
        };
        Self {
            ports: vec![pace; ports],
            step: 1.0 / (STEPS * ports as f64),
        }
    }

    /// Whether a packet to a port may start; what goes to no port of the chip always may.
    #[inline]
    pub fn allows(&self, port: usize, cycle: u64) -> bool {
        // By the rate of now: a source that was slow need not wait as long as it then had to.
        let passed = |pace: &Pace| (cycle - pace.started) as f64 * pace.rate >= pace.flits as f64;
        self.ports.get(port).is_none_or(passed)
    }

    /// A packet to a port starts.
    pub fn start(&mut self, port: usize, flits: usize, cycle: u64) {
        if let Some(pace) = self.ports.get_mut(port) {
            (pace.started, pace.flits) = (cycle, flits);
        }
    }

    /// The chip tells of a port.
    pub fn hear(&mut self, report: Report, cycle: u64) {
        let Some(pace) = self.ports.get_mut(report.port) else {
            return;
        };
        if cycle - pace.changed < REACTION_CYCLES {
            return;
        }
        pace.changed = cycle;
        pace.rate = match report.congested {
            true => (pace.rate / 2.0).max(self.step),
            false => (pace.rate + self.step).min(1.0),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets of 4 flits that go to port 1 in so many cycles, from `first` on.
    fn packets(throttle: &mut Throttle, first: u64, cycles: u64) -> usize {
        let starts = (first..first + cycles).filter(|&cycle| {
            let allowed = throttle.allows(1, cycle);
            if allowed {
                throttle.start(1, 4, cycle);
            }
            allowed
        });
        starts.count()
    }

    #[test]
    fn congestion_halves_the_rate_to_its_port_alone() {
        let mut throttle = Throttle::new(4);
        assert_eq!(packets(&mut throttle, 0, 400), 100);
        let congested = |port| Report {
            port,
            congested: true,
        };
        throttle.hear(congested(1), 400);
        // Too soon to tell anything new.
        throttle.hear(congested(1), 410);
        throttle.hear(congested(2), 420);
        assert_eq!(packets(&mut throttle, 400, 400), 50);
        throttle.hear(congested(1), 440);
        assert_eq!(packets(&mut throttle, 800, 1600), 100);
    }

    #[test]
    fn the_rate_grows_again_step_by_step_and_never_ends() {
        let mut throttle = Throttle::new(4);
        let report = |congested| Report { port: 1, congested };
        let mut cycle = 0;
        let mut hear = |throttle: &mut Throttle, congested, times| {
            for _ in 0..times {
                cycle += REACTION_CYCLES;
                throttle.hear(report(congested), cycle);
            }
            throttle.ports[1].rate
        };
        assert_eq!(hear(&mut throttle, true, 100), 1.0 / 32.0);
        assert_eq!(hear(&mut throttle, false, 1), 2.0 / 32.0);
        assert_eq!(hear(&mut throttle, false, 14), 0.5);
        assert_eq!(hear(&mut throttle, false, 100), 1.0);
    }
}
