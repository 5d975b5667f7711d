//! `Crc8`: the check code of a packet header, in one cycle.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `data` | in | 128 bits |
//! | `crc` | out | [`header_crc`] of them |
//!
//! Latency: 0 cycles. The header's own CRC field must be zero in `data`, as [`header_crc`] wants it.
//!
//! Linear up to a constant: flipping bits of the header flips the bits of the CRC that those bits alone would.

use super::xor_matrix;
use crate::kernel;
use crate::packet::{header_crc, HEADER_BITS};
use crate::ports::Ports;
use crate::wire::{bits_of, Value, Wire};
use rust_hdl::prelude::*;

/// CRC-8 of a header; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Crc8 {
    pub data: Wire<In>,
    pub crc: Wire<Out>,
    _rows: Vec<Value>,
}

impl Default for Crc8 {
    fn default() -> Self {
        Self {
            data: Wire::new(HEADER_BITS),
            crc: Wire::new(8),
            _rows: xor_matrix::rows(HEADER_BITS, 8, |data| header_crc(data).into()),
        }
    }
}

impl Logic for Crc8 {
    #[kernel]
    fn update(&mut self) {
        comment!("module: crc8");
        let of_zero = u64::from(header_crc(0));
        self.crc.next = bits_of(0..8, |bit| (self.data.val() & self._rows[bit]).xor()) ^ of_zero;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::Random;

    #[test]
    fn agrees_with_an_independent_crc() {
        let reference = ::crc::Crc::<u8>::new(&::crc::CRC_8_SAE_J1850);
        let mut random = Random(8);
        let mut block = Crc8::default();
        block.connect_all();
        for step in 0..200 {
            let data = match step {
                0 => Value::zero(128),
                1 => !Value::zero(128),
                _ => random.value(128),
            };
            block.data.next = data;
            assert!(simulate(&mut block, 10));
            let expected = reference.checksum(&data.to_u128().to_le_bytes());
            assert_eq!(block.crc.val(), u64::from(expected));
        }
    }
}
