//! Values with names, as GTKWave's translate files: a value in hexadecimal and its text on each line.

use fantree_hdl::packet::{header, Opcode};
use fantree_hdl::router::{bus, DropCause, RouterParams, CAUSE_BITS};

use super::filter::{ALARM_COLOUR, NOTHING};

/// A set of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// A valid bit above the number of a virtual channel.
    Vc,
    /// One bit for each of so many virtual channels.
    VcBits(usize),
    /// One bit for each of so many ports, 64 at most.
    PortBits(usize),
    /// A valid bit and a head bit above an opcode.
    Opcode,
    /// A valid bit and the mark of a bad packet.
    Bad,
    /// Why a packet is dropped.
    DropCause,
    /// Bits of a virtual channel's first packet: it has its route, has started, reads its group.
    ChannelState,
    /// An address of the register bus.
    Register(RouterParams),
}

impl Table {
    /// What tells its file from the others beside the same save file.
    pub fn suffix(self) -> String {
        match self {
            Table::Vc => "vc.txt".into(),
            Table::VcBits(count) => format!("vc-of-{count}.txt"),
            Table::PortBits(count) => format!("port-of-{count}.txt"),
            Table::Opcode => "opcode.txt".into(),
            Table::Bad => "bad.txt".into(),
            Table::DropCause => "drop-cause.txt".into(),
            Table::ChannelState => "channel-state.txt".into(),
            Table::Register(_) => "register.txt".into(),
        }
    }

    /// The translate file.
    pub fn text(self) -> String {
        // GTKWave compares texts, so values have as many digits as it shows.
        let digits = self.width().div_ceil(4);
        let line = |(value, text): (u64, String)| format!("{value:0digits$x} {text}\n");
        self.entries().into_iter().map(line).collect()
    }

    /// The values and their texts; others are shown as numbers.
    fn entries(self) -> Vec<(u64, String)> {
        let nothing = |end: u64| (0..end).map(|value| (value, NOTHING.into()));
        let one_hot = |what: &str, count: usize| {
            let names = (0..count).map(|it| (1 << it, format!("{what}{it}")));
            nothing(1).chain(names).collect()
        };
        let alarm = |text: &str| format!("{ALARM_COLOUR}{text}");
        match self {
            Table::Vc => {
                let valid = 1 << header::VC.width;
                let names = (0..valid).map(|vc| (valid | vc, format!("vc{vc}")));
                nothing(valid).chain(names).collect()
            }
            Table::VcBits(count) => one_hot("vc", count),
            Table::PortBits(count) => one_hot("port ", count),
            Table::Opcode => {
                let kinds = 1 << header::OPCODE.width;
                let names =
                    (0..kinds).map(|code| ((3 * kinds) | code, Opcode(code as u32).to_string()));
                nothing(3 * kinds).chain(names).collect()
            }
            Table::Bad => nothing(2)
                .chain([(2, "good".into()), (3, alarm("bad"))])
                .collect(),
            Table::DropCause => {
                let causes = DropCause::ALL.map(|cause| (cause.code(), alarm(cause.name())));
                nothing(1).chain(causes).collect()
            }
            Table::ChannelState => nothing(4)
                .chain([
                    (4, "waits".into()),
                    (5, "reads group".into()),
                    (6, "sends".into()),
                ])
                .collect(),
            Table::Register(params) => {
                let map = bus::register_map(&params);
                let names = map.places().map(|it| (it.address as u64, it.name));
                names.collect()
            }
        }
    }

    /// Bits of a value.
    fn width(self) -> usize {
        match self {
            Table::Vc => 1 + header::VC.width,
            Table::VcBits(count) | Table::PortBits(count) => count,
            Table::Opcode => 2 + header::OPCODE.width,
            Table::Bad => 2,
            Table::DropCause => CAUSE_BITS,
            Table::ChannelState => 3,
            Table::Register(_) => bus::ADDRESS_BITS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(table: Table, value: &str) -> Option<String> {
        let text = table.text();
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let found = lines.find(|(key, _)| *key == value);
        found.map(|(_, name)| name.to_owned())
    }

    #[test]
    fn names_are_of_values_as_shown() {
        assert_eq!(name(Table::Vc, "d").as_deref(), Some("vc5"));
        assert_eq!(name(Table::Vc, "5").as_deref(), Some("-"));
        assert_eq!(name(Table::VcBits(4), "8").as_deref(), Some("vc3"));
        assert_eq!(name(Table::VcBits(8), "08").as_deref(), Some("vc3"));
        assert_eq!(name(Table::VcBits(8), "00").as_deref(), Some("-"));
        assert_eq!(
            name(Table::VcBits(8), "03"),
            None,
            "several channels have no name"
        );
        assert_eq!(name(Table::Opcode, "c8").as_deref(), Some("write.0"));
        assert_eq!(
            name(Table::Opcode, "88").as_deref(),
            Some("-"),
            "valid, no head"
        );
        assert_eq!(
            name(Table::PortBits(64), "8000000000000000").as_deref(),
            Some("port 63")
        );
        assert_eq!(
            name(Table::DropCause, "3").as_deref(),
            Some("?red4?no_route")
        );
        assert_eq!(name(Table::ChannelState, "6").as_deref(), Some("sends"));
    }
}
