//! The route of a packet, as the input unit keeps it while the packet waits.

use super::{drop_cause::CAUSE_BITS, DropCause, PORT_BITS};
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

/// A route in a few words, for waves: `port 3, 2 more flits`, `group 7, 0 more flits`, `dropped: no_route`.
pub fn describe(bits: u64) -> String {
    let get = |field: Field| bits >> field.offset & ((1 << field.width) - 1);
    if let Some(cause) = DropCause::from_code(get(CAUSE)) {
        return format!("dropped: {}", cause.name());
    }
    let target = match get(MULTICAST) {
        1 => "group",
        _ => "port",
    };
    let phase = match get(AFTER) {
        1 => " in the next phase",
        _ => "",
    };
    format!("{target} {}{phase}, {} more flits", get(PORT), get(REST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_told_in_words() {
        let route = |fields: &[(Field, u64)]| {
            let bits = fields.iter().map(|(field, value)| value << field.offset);
            describe(bits.sum())
        };
        assert_eq!(route(&[(PORT, 3), (REST, 2)]), "port 3, 2 more flits");
        assert_eq!(
            route(&[(PORT, 39), (AFTER, 1), (REST, 255)]),
            "port 39 in the next phase, 255 more flits"
        );
        assert_eq!(route(&[(PORT, 7), (MULTICAST, 1)]), "group 7, 0 more flits");
        let cause = DropCause::NoRoute.code();
        assert_eq!(route(&[(PORT, 3), (CAUSE, cause)]), "dropped: no_route");
    }
}
