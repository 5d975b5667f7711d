//! Registers and their fields.

use serde::Serialize;

use super::Access;
use crate::wire::Field;

/// Equal registers at equal distances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArraySpec {
    /// What numbers them: `vc`, `entry`.
    pub index: &'static str,
    pub count: usize,
    /// From the address of one to that of the next.
    pub stride: usize,
}

/// Bits of a register that mean something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldSpec {
    /// Empty if the field is all that there is in the register.
    pub name: String,
    pub offset: usize,
    pub width: usize,
    /// After a reset; none for memories, which keep what they held.
    pub reset: Option<u64>,
    pub about: String,
}

impl FieldSpec {
    /// A field that resets to zero.
    pub fn new(name: impl Into<String>, field: Field, about: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            offset: field.offset,
            width: field.width,
            reset: Some(0),
            about: about.into(),
        }
    }

    /// The same with another value after a reset.
    pub fn reset(self, reset: impl Into<Option<u64>>) -> Self {
        Self {
            reset: reset.into(),
            ..self
        }
    }

    /// Its bits in the register.
    pub fn mask(&self) -> u64 {
        ((1 << self.width) - 1) << self.offset
    }
}

/// A register, or an array of equal ones.
#[derive(Clone, Debug, Serialize)]
pub struct RegisterSpec {
    pub name: String,
    /// Of the first.
    pub address: usize,
    pub array: Option<ArraySpec>,
    pub access: Access,
    pub about: String,
    pub fields: Vec<FieldSpec>,
}

impl RegisterSpec {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.array.as_ref().map_or(1, |array| array.count)
    }

    /// Address of one of them.
    pub fn address_of(&self, index: usize) -> usize {
        self.address + self.array.as_ref().map_or(0, |array| index * array.stride)
    }

    /// Name of one of them; a word of several keeps its number at the end: `multicast_table[3].1`.
    pub fn name_of(&self, index: usize) -> String {
        match (&self.array, self.name.split_once('.')) {
            (None, _) => self.name.clone(),
            (Some(_), None) => format!("{}[{index}]", self.name),
            (Some(_), Some((name, word))) => format!("{name}[{index}].{word}"),
        }
    }

    /// The bits that are not reserved.
    pub fn mask(&self) -> u64 {
        self.fields
            .iter()
            .fold(0, |mask, field| mask | field.mask())
    }

    /// Width up to the highest bit that is not reserved.
    pub fn bits(&self) -> usize {
        let ends = self.fields.iter().map(|field| field.offset + field.width);
        ends.max().unwrap_or(0)
    }

    /// Value after a reset; none if a field keeps what it held.
    pub fn reset(&self) -> Option<u64> {
        self.fields
            .iter()
            .try_fold(0, |value, field| Some(value | field.reset? << field.offset))
    }
}

/// What a definition says of a register besides its address, name and description.
pub struct Shape {
    access: Access,
    array: Option<ArraySpec>,
    /// Fields of each word; one word unless it is a wide register.
    words: Vec<Vec<FieldSpec>>,
}

impl Shape {
    /// A register of these fields.
    pub fn fields(access: Access, fields: Vec<FieldSpec>) -> Self {
        Self::words(access, vec![fields])
    }

    /// A register that is one number, zero after a reset.
    pub fn number(access: Access, width: usize) -> Self {
        Self::number_from(access, width, 0)
    }

    /// A register that is one number, with its value after a reset.
    pub fn number_from(access: Access, width: usize, reset: impl Into<Option<u64>>) -> Self {
        let field = FieldSpec::new("", Field { offset: 0, width }, "").reset(reset);
        Self::fields(access, vec![field])
    }

    /// A register of several words at consecutive addresses, the lowest first.
    pub fn words(access: Access, words: Vec<Vec<FieldSpec>>) -> Self {
        Self {
            access,
            array: None,
            words,
        }
    }

    /// An array of such registers, so far apart.
    pub fn each(self, index: &'static str, count: usize, stride: usize) -> Self {
        Self {
            array: Some(ArraySpec {
                index,
                count,
                stride,
            }),
            ..self
        }
    }

    /// The registers of this shape: one a word.
    pub fn at(self, address: usize, name: &str, about: &str) -> Vec<RegisterSpec> {
        let wide = self.words.len() > 1;
        let words = self.words.into_iter().enumerate();
        words
            .map(|(word, fields)| RegisterSpec {
                name: match wide {
                    true => format!("{name}.{word}"),
                    false => name.into(),
                },
                address: address + word,
                array: self.array.clone(),
                access: self.access,
                about: about.into(),
                fields,
            })
            .collect()
    }
}
