//! The packet header: the first flit of every packet (decisions for the project, `spec/sunway.md` section 5).
//!
//! Fields are listed from bit 0 upwards; byte 0 of the flit is bits 7:0. Hardware slices with the constants:
//! `flit.field(header::DST_GUID)`.

use super::crc::header_crc;
use crate::wire::Field;

/// Width of the header: one flit's data.
pub const HEADER_BITS: usize = 128;

/// A field of the header, for documents and waves.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// Name, as in [`Header`].
    pub name: &'static str,
    /// Where it stands.
    pub field: Field,
    /// What it means.
    pub meaning: &'static str,
}

macro_rules! define_header {
    ($($name:ident $constant:ident $width:literal $meaning:literal;)*) => {
        /// A packet header, decoded.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Header {
            $(#[doc = $meaning] pub $name: u32,)*
        }

        define_header!(@constants 0; $($constant $width $meaning;)*);

        /// Every field, from bit 0 upwards.
        pub const FIELDS: &[FieldInfo] = &[
            $(FieldInfo { name: stringify!($name), field: $constant, meaning: $meaning },)*
        ];

        impl Header {
            /// The header as 128 bits, each field cut to its width.
            pub fn encode(&self) -> u128 {
                0 $(| $constant.put(self.$name))*
            }

            /// The fields of 128 bits.
            pub fn decode(bits: u128) -> Self {
                Self { $($name: $constant.get(bits),)* }
            }
        }
    };
    (@constants $offset:expr;) => {
        const _: () = assert!($offset == HEADER_BITS, "the fields fill the header");
    };
    (@constants $offset:expr; $constant:ident $width:literal $meaning:literal; $($rest:tt)*) => {
        #[doc = $meaning]
        pub const $constant: Field = Field { offset: $offset, width: $width };
        define_header!(@constants $offset + $width; $($rest)*);
    };
}

define_header! {
    opcode OPCODE 6 "message class (high three bits) and kind (low three bits)";
    vc VC 3 "virtual channel";
    source_route SOURCE_ROUTE 1 "routed by the flit after the header, else by table";
    adaptive ADAPTIVE 1 "the router may choose among a table entry's candidates";
    multicast MULTICAST 1 "sent to every port of a group";
    first FIRST 1 "first packet of its message";
    last LAST 1 "last packet of its message";
    retry RETRY 1 "sent again by the message engine";
    congestion CONGESTION 1 "met congestion on its way";
    extended EXTENDED 1 "an extended header follows";
    dst_guid DST_GUID 18 "destination: supernode (10 bits) and number in it (8 bits)";
    src_guid SRC_GUID 18 "source: supernode (10 bits) and number in it (8 bits)";
    engine ENGINE 2 "message engine at the destination";
    src_queue SRC_QUEUE 8 "queue at the source";
    message_id MESSAGE_ID 16 "message slot (low 8 bits) and epoch (high 8 bits)";
    flits_minus_one FLITS_MINUS_ONE 8 "length of the packet in flits, header included, minus one";
    pad_bytes PAD_BYTES 4 "bytes of the last payload flit that carry nothing";
    dst_queue DST_QUEUE 8 "queue at the destination";
    job JOB 16 "job that the packet belongs to";
    hops_left HOPS_LEFT 4 "routers that may still be crossed";
    reserved RESERVED 1 "zero";
    header_crc HEADER_CRC 8 "CRC-8, polynomial 0x1D, over the header with this field zero";
}

/// Where the number inside a supernode stands in a GUID.
pub const GUID_NUMBER: Field = Field {
    offset: 0,
    width: 8,
};
/// Where the supernode stands in a GUID.
pub const GUID_SUPERNODE: Field = Field {
    offset: GUID_NUMBER.width,
    width: DST_GUID.width - GUID_NUMBER.width,
};

/// What a router changes in a header; the packet's CRC-32C takes these fields as zero.
pub const CHANGED_BY_ROUTERS: [Field; 4] = [VC, CONGESTION, HOPS_LEFT, HEADER_CRC];

/// Routers that a new packet may cross.
pub const MAX_HOPS: u32 = (1 << HOPS_LEFT.width) - 1;

impl Header {
    /// The header as 128 bits with its CRC filled in.
    pub fn sealed(&self) -> u128 {
        let open = Self {
            header_crc: 0,
            ..*self
        }
        .encode();
        open | HEADER_CRC.put(header_crc(open).into())
    }

    /// Whether the CRC of an encoded header is right.
    pub fn is_sound(bits: u128) -> bool {
        let crc = HEADER_CRC.get(bits);
        u32::from(header_crc(bits & !HEADER_CRC.put(crc))) == crc
    }

    /// Length of the packet in flits.
    pub fn flits(&self) -> usize {
        self.flits_minus_one as usize + 1
    }

    /// The header in a few words, for waves and messages: `write.0 vc1 0:3>0:17 #5 4 flits`.
    pub fn describe(&self) -> String {
        let guid = |bits: u32| {
            format!(
                "{}:{}",
                bits >> GUID_NUMBER.width,
                bits & ((1 << GUID_NUMBER.width) - 1)
            )
        };
        format!(
            "{} vc{} {}>{} #{} {} flits",
            Opcode(self.opcode),
            self.vc,
            guid(self.src_guid),
            guid(self.dst_guid),
            self.message_id,
            self.flits()
        )
    }
}

/// An opcode, shown as class and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opcode(pub u32);

impl std::fmt::Display for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let class = match self.0 >> 3 {
            0 => "async",
            1 => "write",
            2 => "read",
            3 => "fast",
            4 => "management",
            6 => "collective",
            _ => "reserved",
        };
        write!(f, "{class}.{}", self.0 & 7)
    }
}
