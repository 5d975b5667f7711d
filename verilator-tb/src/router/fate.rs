//! What is to become of a packet: how it is routed, what is done to it, and where it must come out.

use std::fmt;

use fantree_hdl::router::DropCause;

/// Where a packet must come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Of one of these ports, a bit each.
    Any(u64),
    /// Of every one of these ports, once.
    Each(u64),
    /// Nowhere: its input drops it for this cause.
    Dropped(DropCause),
}

impl Fate {
    /// Of this port.
    pub fn port(port: usize) -> Self {
        Fate::Any(1 << port)
    }

    /// How many times it must come out.
    pub fn arrivals(self) -> usize {
        match self {
            Fate::Any(_) => 1,
            Fate::Each(ports) => ports.count_ones() as usize,
            Fate::Dropped(_) => 0,
        }
    }

    /// Ports of which it may come out.
    pub fn ports(self) -> u64 {
        match self {
            Fate::Any(ports) | Fate::Each(ports) => ports,
            Fate::Dropped(_) => 0,
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |ports: u64| {
            let ports = (0..u64::BITS).filter(|port| ports >> port & 1 == 1);
            ports
                .map(|port| port.to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Fate::Any(ports) if ports.is_power_of_two() => {
                write!(f, "port {}", ports.trailing_zeros())
            }
            Fate::Any(ports) => write!(f, "one of ports {}", list(*ports)),
            Fate::Each(ports) => write!(f, "all of ports {}", list(*ports)),
            Fate::Dropped(cause) => write!(f, "nowhere ({})", cause.name()),
        }
    }
}

/// How a packet is routed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By table, to the first usable candidate.
    Deterministic,
    /// By table, to the idlest candidate.
    Adaptive,
    /// By its second flit, to this port.
    Source(usize),
    /// To the ports of a group.
    Multicast,
}

/// What is done to a packet on the link into the chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    None,
    /// A bit of its header changes.
    Header,
    /// A bit of its last flit changes.
    Payload,
}
