//! The route of a packet, as the input unit keeps it while the packet waits.

use super::{drop_cause::CAUSE_BITS, PORT_BITS};
use crate::packet::header;
use crate::wire::Field;

/// Flits that come after the one being sent.
pub const REST: Field = Field {
    offset: 0,
    width: header::FLITS_MINUS_ONE.width,
};
/// Output port, or multicast group.
pub const PORT: Field = REST.above(PORT_BITS);
/// The packet goes to a multicast group.
pub const MULTICAST: Field = PORT.above(1);
/// It leaves on a sibling link, and so on the next phase's virtual channel.
pub const AFTER: Field = MULTICAST.above(1);
/// Why it is dropped; 0: it is not.
pub const CAUSE: Field = AFTER.above(CAUSE_BITS);
/// Width of a route.
pub const BITS: usize = CAUSE.offset + CAUSE.width;
