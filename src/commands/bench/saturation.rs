//! What chips with fewer virtual channels, and packets of other lengths, carry of uniform traffic at full load.

use anyhow::Result;
use comfy_table::Table;
use fantree_gen::config::{Config, Router};
use fantree_tb::router::{Options, Simulation};
use fantree_tb::traffic::Lengths;
use serde::Serialize;

use super::runner::Runner;
use crate::commands::{sim, table};

/// Channels of the chips beside the one that is measured.
const FEWER_CHANNELS: [usize; 2] = [1, 2];
/// Flits of the packets.
const LENGTHS: [usize; 4] = [1, 4, 8, 16];

/// Flits a cycle a port that a chip accepts of uniform traffic at full load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Saturation {
    pub virtual_channels: usize,
    /// By packet length; none that are longer than the chip takes.
    pub accepted: Vec<Accepted>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Accepted {
    pub packet_flits: usize,
    pub flits_a_cycle: f64,
}

/// Measures the chip and those with fewer channels, which are compiled for it; false if a run broke a rule.
pub fn measure(
    config: &Config,
    simulation: &Simulation,
    base: &Options,
) -> Result<(Vec<Saturation>, bool)> {
    let own = config.router.virtual_channels;
    let mut saturations = Vec::new();
    let mut passed = true;
    for virtual_channels in FEWER_CHANNELS.into_iter().filter(|&fewer| fewer < own) {
        let fewer = sim::build(&with_channels(config, virtual_channels), false)?;
        let (saturation, kept_rules) = of_chip(&fewer, base)?;
        saturations.push(saturation);
        passed &= kept_rules;
    }
    let (saturation, kept_rules) = of_chip(simulation, base)?;
    saturations.push(saturation);
    Ok((saturations, passed && kept_rules))
}

/// The same chip with fewer channels. Its buffers stay as large; phases that no longer divide the channels go.
fn with_channels(config: &Config, virtual_channels: usize) -> Config {
    let phases = config.router.phases;
    let router = Router {
        virtual_channels,
        phases: match virtual_channels.is_multiple_of(phases) {
            true => phases,
            false => 1,
        },
        ..config.router.clone()
    };
    Config {
        name: format!("{}-{virtual_channels}vc", config.name),
        router,
        ..config.clone()
    }
}

fn of_chip(simulation: &Simulation, base: &Options) -> Result<(Saturation, bool)> {
    let params = simulation.params();
    let mut runner = Runner::new(simulation, LENGTHS.len());
    let mut accepted = Vec::new();
    for packet_flits in LENGTHS {
        if packet_flits > params.max_packet_flits {
            continue;
        }
        let options = Options {
            lengths: Lengths::fixed(packet_flits),
            ..base.clone()
        };
        accepted.push(Accepted {
            packet_flits,
            flits_a_cycle: runner.run(&options)?.results.accepted,
        });
    }
    let saturation = Saturation {
        virtual_channels: params.virtual_channels,
        accepted,
    };
    Ok((saturation, runner.finish()))
}

/// The heads of the table: what is in its first column, then the lengths.
fn header() -> Vec<String> {
    let lengths = LENGTHS.map(|flits| match flits {
        1 => "1 flit".to_owned(),
        _ => format!("{flits} flits"),
    });
    std::iter::once("virtual channels".to_owned())
        .chain(lengths)
        .collect()
}

impl Saturation {
    /// A row of the table.
    fn cells(&self) -> Vec<String> {
        let rates = LENGTHS.map(|flits| {
            let found = self.accepted.iter().find(|it| it.packet_flits == flits);
            found.map_or(String::new(), |it| format!("{:.4}", it.flits_a_cycle))
        });
        std::iter::once(self.virtual_channels.to_string())
            .chain(rates)
            .collect()
    }
}

/// The table, as on the screen.
pub fn table(saturations: &[Saturation]) -> Table {
    let mut table = table::lined(header());
    table.add_rows(saturations.iter().map(Saturation::cells));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_with_fewer_channels_are_legal() {
        for (channels, phases) in [(8, 1), (4, 2), (6, 3)] {
            let config = Config {
                name: "a".into(),
                description: String::new(),
                router: Router {
                    virtual_channels: channels,
                    phases,
                    private_blocks: 18,
                    input_buffer_blocks: 144,
                    ..Router::default()
                },
            };
            for fewer in FEWER_CHANNELS {
                let text = fantree_gen::config::listing(&with_channels(&config, fewer));
                let parsed = Config::parse("a.toml", &text);
                assert!(parsed.is_ok(), "{fewer} of {channels}: {:?}", parsed.err());
            }
        }
    }
}
