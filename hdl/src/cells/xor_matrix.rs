//! Linear functions over bits, as the hardware of check codes computes them.
//!
//! A CRC of a fixed number of bits is linear (up to a constant): each output bit is the parity of some of the input
//! bits. Which ones is found by asking the plain Rust function about each input bit alone, so hardware and Rust have
//! one definition.

use crate::wire::Value;

/// For each of `outputs` output bits of `function`, the mask of the `inputs` input bits that flip it.
pub(crate) fn rows(inputs: usize, outputs: usize, function: impl Fn(u128) -> u32) -> Vec<Value> {
    let constant = function(0);
    let columns: Vec<u32> = (0..inputs).map(|i| function(1 << i) ^ constant).collect();
    let row = |output: usize| {
        let flipping = (0..inputs).filter(|&i| columns[i] >> output & 1 == 1);
        flipping.fold(Value::zero(inputs), |row, i| {
            row.replace_bit(i as u64, true)
        })
    };
    (0..outputs).map(row).collect()
}
