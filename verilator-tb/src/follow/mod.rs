//! Packets followed through a router chip, from a wave: what happened to each, in which unit, in which cycle, and what it
//! waited for.
//!
//! ```text
//! FST ──► Wave ──► Samples ──► InputUnit, CrossbarUnit, OutputUnit of each tile ──► Journeys ──► `fantree trace`
//! ```
//!
//! A unit is left to the wave's signals alone, and a packet is known in each by its header, so a packet is followed from
//! where the wave first shows it, and through faults. Cycles are those of the bench.
//!
//! | file | holds |
//! |---|---|
//! | [`journey`](Journey) | a packet's life, and how it ended |
//! | [`event`](Event) | one thing that happens to it, in words |
//! | [`waits`](Waits) | what it waits for, and for how long |
//! | `focus` | the window of GTKWave on a packet |
//! | `samples` | the values of signals, cycle by cycle |
//! | `input`, `crossbar`, `output` | what the signals of a unit say |

mod crossbar;
mod event;
mod focus;
mod input;
mod journey;
mod output;
mod samples;
mod waits;

#[cfg(test)]
mod tests;

pub use event::{Change, Event, Place, Station, What};
pub use journey::{Arrival, Fate, Journey};
pub use waits::{Reason, Waits};

use fantree_gen::config::Router;
use fantree_hdl::packet::{flit, header, Header, HEADER_BITS};
use fantree_hdl::wire::Value;

use crate::router::{packet_number, wave_cycle};
use crate::wave::{Error, Wave};
use crossbar::CrossbarUnit;
use input::InputUnit;
use journey::Journeys;
use output::OutputUnit;
use samples::{Picker, Samples};

/// The life of every packet in a wave up to a cycle, in the order in which they came in.
pub fn follow(router: &Router, wave: &mut Wave, until: u64) -> Result<Vec<Journey>, Error> {
    let mut picker = Picker::default();
    let (mut inputs, mut crossbars, mut outputs) = (vec![], vec![], vec![]);
    for port in 0..router.ports() {
        inputs.push(InputUnit::new(router, port, &mut picker));
        crossbars.push(CrossbarUnit::new(router, port, &mut picker));
        outputs.push(OutputUnit::new(router, port, &mut picker));
    }
    let mut samples = Samples::load(wave, picker)?;
    let mut journeys = Journeys::default();
    let Some((start, end)) = wave.span() else {
        return Ok(vec![]);
    };
    let first = wave_cycle(start).unwrap_or(0).max(1);
    for cycle in first..=wave_cycle(end).unwrap_or(0).min(until) {
        samples.advance(cycle);
        // Against the stream: a packet that leaves a unit does so before it is seen in the next one.
        inputs
            .iter_mut()
            .for_each(|it| it.step(cycle, &samples, &mut journeys));
        crossbars
            .iter_mut()
            .for_each(|it| it.step(cycle, &samples, &mut journeys));
        outputs
            .iter_mut()
            .for_each(|it| it.step(cycle, &samples, &mut journeys));
    }
    Ok(journeys.finish())
}

/// A head: the packet's number and its header.
#[derive(Clone, Copy)]
struct Head {
    id: u32,
    header: Header,
}

impl Head {
    /// The head that a flit is, if it is one.
    fn of(flit: Value) -> Option<Self> {
        let is_head = flit.field(flit::HEAD).any();
        is_head.then(|| Self::of_header(flit.field(flit::DATA)))
    }

    fn of_header(bits: Value) -> Self {
        debug_assert_eq!(bits.bits(), HEADER_BITS);
        let header = Header::decode(bits.to_u128());
        Self {
            id: packet_number(&header),
            header,
        }
    }
}

/// The packet whose head the flit is, without decoding the rest of it.
fn id_of(flit: Value) -> Option<u32> {
    let number = |field| flit.field(field).to_u64() as u32;
    let id = || number(header::JOB) << header::MESSAGE_ID.width | number(header::MESSAGE_ID);
    flit.field(flit::HEAD).any().then(id)
}

/// The set bits of a value.
fn ones(value: Value) -> impl Iterator<Item = usize> {
    (0..value.bits()).filter(move |&bit| value.get_bit(bit as u64))
}
