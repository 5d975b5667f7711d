//! The texts of flits and of routes: a filter process that GTKWave starts, gives one value a line and reads one text a
//! line from.
//!
//! A value is a flit ([`flit`]) in hexadecimal with any number of bits above it that tell, by not being zero, that the
//! flit is there: a valid bit, or one bit a virtual channel. Or it is a [route](route) with such a bit above it.

use std::io::{self, BufRead, Write};

use fantree_hdl::packet::{flit, Header, FLIT_BITS};
use fantree_hdl::router::route;

/// What a filter decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Flits,
    Routes,
}

impl Kind {
    /// The argument of `fantree` that makes it this filter.
    pub const fn command(self) -> &'static str {
        match self {
            Kind::Flits => "decode-flits",
            Kind::Routes => "decode-routes",
        }
    }

    /// The text of a value, in front of it GTKWave's background if it has one.
    fn text(self, value: &str) -> String {
        match self {
            Kind::Flits => match Flit::parse(value) {
                Some(flit) => format!("{}{}", flit.background(), flit.describe()),
                None => value.to_owned(),
            },
            Kind::Routes => describe_route(value),
        }
    }
}

/// Shown while there is no flit.
pub const NOTHING: &str = "-";

/// GTKWave's background for heads, so that packets are seen to start.
const HEAD_COLOUR: &str = "?MidnightBlue?";

/// GTKWave's background for what is wrong.
pub(super) const ALARM_COLOUR: &str = "?red4?";

/// Answers values by texts until there are no more.
pub fn run(kind: Kind, values: impl BufRead, mut texts: impl Write) -> io::Result<()> {
    for value in values.lines() {
        writeln!(texts, "{}", kind.text(&value?))?;
        // GTKWave waits for the answer before it asks on.
        texts.flush()?;
    }
    Ok(())
}

/// The text of a value; undefined values are their own text.
pub fn describe(value: &str) -> String {
    Flit::parse(value).map_or_else(|| value.to_owned(), |flit| flit.describe())
}

/// The text of a route below its bit.
fn describe_route(value: &str) -> String {
    match u64::from_str_radix(value, 16) {
        Ok(bits) if bits >> route::BITS == 0 => NOTHING.into(),
        Ok(bits) => route::describe(bits),
        Err(_) => value.into(),
    }
}

/// A flit with what stands beside it in a value.
struct Flit {
    present: bool,
    head: bool,
    tail: bool,
    bad: bool,
    data: u128,
}

impl Flit {
    fn parse(value: &str) -> Option<Self> {
        const DATA_DIGITS: usize = flit::DATA.width / 4;
        let (above, data) = value.split_at_checked(value.len().saturating_sub(DATA_DIGITS))?;
        let above = match above {
            "" => 0,
            digits => u64::from_str_radix(digits, 16).ok()?,
        };
        let bit = |offset: usize| above >> (offset - flit::DATA.width) & 1 == 1;
        Some(Self {
            present: above >> (FLIT_BITS - flit::DATA.width) != 0,
            head: bit(flit::HEAD.offset),
            tail: bit(flit::TAIL.offset),
            bad: bit(flit::BAD.offset),
            data: u128::from_str_radix(data, 16).ok()?,
        })
    }

    /// Damage is seen, and where packets start.
    fn background(&self) -> &'static str {
        match self.present {
            true if self.bad || self.has_wrong_header() => ALARM_COLOUR,
            true if self.head => HEAD_COLOUR,
            _ => "",
        }
    }

    fn has_wrong_header(&self) -> bool {
        self.head && !Header::is_sound(self.data)
    }

    /// A head is its header, another flit its data without leading zeros.
    fn describe(&self) -> String {
        if !self.present {
            return NOTHING.into();
        }
        let mut text = match (self.head, self.tail) {
            (true, _) => Header::decode(self.data).describe(),
            (false, true) => format!("tail {:x}", self.data),
            (false, false) => format!("{:x}", self.data),
        };
        if self.has_wrong_header() {
            text += ", wrong header CRC";
        }
        if self.bad {
            text += ", bad";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            opcode: 0b001_000,
            vc: 1,
            src_guid: 3,
            dst_guid: 17,
            message_id: 5,
            flits_minus_one: 3,
            ..Header::default()
        }
    }

    /// A value of a flit below `guard` of any width.
    fn value(guard: u64, bad: bool, tail: bool, head: bool, data: u128) -> String {
        let marks = u64::from(bad) << 2 | u64::from(tail) << 1 | u64::from(head);
        format!("{:X}{data:032X}", guard << 3 | marks)
    }

    #[test]
    fn a_head_is_its_header() {
        let bits = header().sealed();
        let text = header().describe();
        assert_eq!(describe(&value(1, false, false, true, bits)), text);
        // One bit a virtual channel says as well that there is a flit.
        assert_eq!(describe(&value(0b0100_0000, false, true, true, bits)), text);
    }

    #[test]
    fn damage_is_told() {
        let text = header().describe();
        let damaged = header().sealed() ^ 1 << 127;
        assert!(describe(&value(1, false, false, true, damaged)).ends_with(", wrong header CRC"));
        let marked = value(1, true, true, true, header().sealed());
        assert_eq!(describe(&marked), format!("{text}, bad"));
        assert_eq!(describe(&value(1, true, true, false, 0xab)), "tail ab, bad");
    }

    #[test]
    fn other_flits_are_data_and_absent_ones_nothing() {
        assert_eq!(describe(&value(1, false, false, false, 0xdeaf)), "deaf");
        assert_eq!(describe(&value(1, false, true, false, 0xdeaf)), "tail deaf");
        assert_eq!(describe(&value(0, true, true, true, 0xdeaf)), NOTHING);
        assert_eq!(describe(&"0".repeat(33)), NOTHING);
    }

    #[test]
    fn what_is_no_number_stays_as_it_is() {
        for value in ["", "xxxx", "zz00000000000000000000000000000000", "é"] {
            assert_eq!(describe(value), value);
        }
    }

    #[test]
    fn each_value_is_answered_by_one_line() {
        let head = header().sealed();
        let values = [
            value(1, false, false, true, head),
            value(1, true, true, false, 0),
            value(0, true, true, true, head),
            String::new(),
            "x".into(),
        ];
        let text = header().describe();
        let expected = format!("{HEAD_COLOUR}{text}\n{ALARM_COLOUR}tail 0, bad\n{NOTHING}\n\nx\n");
        assert_eq!(answers(Kind::Flits, &values), expected);
    }

    fn answers(kind: Kind, values: &[String]) -> String {
        let mut texts = Vec::new();
        run(kind, values.join("\n").as_bytes(), &mut texts).unwrap();
        String::from_utf8(texts).unwrap()
    }

    #[test]
    fn a_route_is_there_or_not() {
        let route = |there: u64, port: u64| {
            format!("{:06x}", there << route::BITS | port << route::PORT.offset)
        };
        let values = [route(1, 3), route(0, 3), "xxxxxx".into()];
        assert_eq!(
            answers(Kind::Routes, &values),
            format!("port 3, 0 more flits\n{NOTHING}\nxxxxxx\n")
        );
    }
}
