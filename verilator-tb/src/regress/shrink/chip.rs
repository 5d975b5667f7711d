//! A smaller chip.

use anyhow::Result;
use fantree_gen::config::{Config, Router};

use super::{Candidate, Shrinker, Trial};

/// A size of the chip.
struct Size {
    name: &'static str,
    of: fn(&mut Router) -> &mut usize,
    /// The smallest that it may be in a chip.
    least: fn(&Router) -> usize,
}

/// In the order in which they become smaller: what others depend on comes first.
const SIZES: [Size; 11] = [
    Size {
        name: "rows",
        of: |router| &mut router.rows,
        least: |_| 1,
    },
    Size {
        name: "columns",
        of: |router| &mut router.columns,
        least: |router| if router.rows == 1 { 2 } else { 1 },
    },
    Size {
        name: "phases",
        of: |router| &mut router.phases,
        least: |_| 1,
    },
    Size {
        name: "virtual_channels",
        of: |router| &mut router.virtual_channels,
        least: |_| 1,
    },
    Size {
        name: "payload_bytes",
        of: |router| &mut router.payload_bytes,
        least: |_| 64,
    },
    Size {
        name: "private_blocks",
        of: |router| &mut router.private_blocks,
        least: |router| router.max_packet_flits().div_ceil(router.block_flits),
    },
    Size {
        name: "input_buffer_blocks",
        of: |router| &mut router.input_buffer_blocks,
        least: |router| router.private_blocks * router.virtual_channels,
    },
    Size {
        name: "row_buffer_flits",
        of: |router| &mut router.row_buffer_flits,
        least: |_| 2,
    },
    Size {
        name: "column_buffer_flits",
        of: |router| &mut router.column_buffer_flits,
        least: |_| 2,
    },
    Size {
        name: "routing.in_supernode_entries",
        of: |router| &mut router.routing.in_supernode_entries,
        least: |router| router.ports(),
    },
    Size {
        name: "routing.out_supernode_entries",
        of: |router| &mut router.routing.out_supernode_entries,
        least: |router| router.ports(),
    },
];

impl<T: Trial> Shrinker<'_, T> {
    /// Everything at once, if that will do; else one size after the other, to its least or by half.
    pub(super) fn shrink_chip(&mut self) -> Result<()> {
        for array in [true, false] {
            let config = smallest(&self.best.candidate.config, array);
            if self.attempt_chip(config, "the smallest chip".into())? {
                break;
            }
        }
        for size in SIZES {
            let router = &mut self.best.candidate.config.router.clone();
            let (now, least) = (*(size.of)(router), (size.least)(router));
            for next in [least, now / 2] {
                if next < now && next >= least {
                    let mut config = self.best.candidate.config.clone();
                    *(size.of)(&mut config.router) = next;
                    let step = format!("{} {now} → {next}", size.name);
                    if self.attempt_chip(config, step)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn attempt_chip(&mut self, config: Config, step: String) -> Result<bool> {
        let settings = self.best.candidate.settings.clone();
        self.attempt(Candidate { config, settings }, step)
    }
}

/// The smallest chip in which a packet still meets others: 2 × 2 ports, 2 virtual channels; or everything but these.
fn smallest(config: &Config, array: bool) -> Config {
    let mut config = config.clone();
    let router = &mut config.router;
    for size in SIZES {
        let floor = match size.name {
            "rows" | "columns" | "virtual_channels" if array => 2,
            "rows" | "columns" | "virtual_channels" | "phases" if !array => continue,
            _ => (size.least)(router),
        };
        let value = (size.of)(router);
        *value = floor.min(*value);
    }
    config
}
