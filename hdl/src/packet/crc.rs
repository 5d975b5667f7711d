//! CRC-8 of the header.

/// CRC-8, polynomial 0x1D, initial value 0xFF, final XOR 0xFF, of the header's 16 bytes, byte 0 (bits 7:0) first and
/// each byte from its high bit.
///
/// The initial value makes an all-zero header a bad one.
pub fn header_crc(header: u128) -> u8 {
    let crc = header.to_le_bytes().iter().fold(0xFF, |crc: u8, byte| {
        (0..8).fold(crc ^ byte, |crc, _| match crc & 0x80 {
            0 => crc << 1,
            _ => crc << 1 ^ 0x1D,
        })
    });
    !crc
}
