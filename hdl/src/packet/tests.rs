use super::*;
use crate::wire::Value;

fn sample() -> Header {
    Header {
        opcode: 0b001_010,
        vc: 5,
        adaptive: 1,
        last: 1,
        dst_guid: 0x2_A5C3,
        src_guid: 0x1_0F0F,
        engine: 2,
        src_queue: 0x81,
        message_id: 0xBEEF,
        flits_minus_one: 68,
        pad_bytes: 9,
        dst_queue: 0x42,
        job: 0x1234,
        hops_left: 15,
        ..Header::default()
    }
}

#[test]
fn decodes_what_it_encodes() {
    assert_eq!(Header::decode(sample().encode()), sample());
}

#[test]
fn fields_neither_overlap_nor_leave_gaps() {
    let mut next = 0;
    for info in FIELDS {
        assert_eq!(info.field.offset, next, "{}", info.name);
        next += info.field.width;
    }
    assert_eq!(next, HEADER_BITS);
}

#[test]
fn hardware_slices_what_rust_encodes() {
    let bits = sample().encode();
    let words: Vec<u32> = (0..4).map(|i| (bits >> (32 * i)) as u32).collect();
    let flit = Value::from_words(FLIT_BITS, &words);
    assert_eq!(flit.field(header::DST_GUID).to_u64(), 0x2_A5C3);
    assert_eq!(flit.field(header::FLITS_MINUS_ONE).to_u64(), 68);
    assert_eq!(flit.field(header::HOPS_LEFT).to_u64(), 15);
}

#[test]
fn header_crc_is_the_published_one() {
    // CRC-8/SAE-J1850 is this polynomial with these ends; its check value is 0x4B over "123456789".
    let check = ::crc::Crc::<u8>::new(&::crc::CRC_8_SAE_J1850);
    for bits in [0, 1, u128::MAX, sample().encode()] {
        assert_eq!(header_crc(bits), check.checksum(&bits.to_le_bytes()));
    }
}

#[test]
fn a_sealed_header_is_sound_until_a_bit_flips() {
    let sealed = sample().sealed();
    assert!(Header::is_sound(sealed));
    assert!((0..HEADER_BITS).all(|bit| !Header::is_sound(sealed ^ 1 << bit)));
    assert!(!Header::is_sound(0));
}

#[test]
fn describes_a_header_in_a_few_words() {
    assert_eq!(
        sample().describe(),
        "write.2 vc5 271:15>677:195 #48879 69 flits"
    );
}

#[test]
fn documents_the_header() {
    expect_test::expect_file!["../../../docs/packet-header.md"].assert_eq(&format!(
        "# Packet header\n\nGenerated from `hdl/src/packet/header.rs`; `UPDATE_EXPECT=1 cargo test -p fantree-hdl` writes it anew.\n\n{}",
        markdown()
    ));
}
