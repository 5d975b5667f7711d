//! Reading and writing the ports of a model, without any call into C.

use super::model::{Model, Port};
use super::ports::{Direction, PortInfo};

impl Model {
    /// Drives an input. Wider ports are filled up with zeros.
    ///
    /// # Panics
    /// If the port is an output or the value needs more bits than the port has.
    #[inline]
    pub fn write(&mut self, port: Port, value: u64) {
        let slot = &self.slots[port.0 as usize];
        if !slot.input || (slot.width < 64 && value >> slot.width != 0) {
            self.refuse_write(port, &format!("{value:#x}"));
        }
        // SAFETY: Verilator holds a port in the smallest of 8, 16, 32, 64 bits or 32-bit words
        // that fits its width, and `address` points at it for as long as the instance lives.
        unsafe {
            match slot.width {
                0..=8 => slot.address.cast::<u8>().write(value as u8),
                9..=16 => slot.address.cast::<u16>().write(value as u16),
                17..=32 => slot.address.cast::<u32>().write(value as u32),
                33..=64 => slot.address.cast::<u64>().write(value),
                _ => self.words_mut(port).copy_from_low(value.into()),
            }
        }
    }

    /// Drives an input of up to 128 bits.
    ///
    /// # Panics
    /// As [`write`](Model::write).
    #[inline]
    pub fn write_u128(&mut self, port: Port, value: u128) {
        let slot = &self.slots[port.0 as usize];
        if slot.width <= 64 {
            match u64::try_from(value) {
                Ok(value) => self.write(port, value),
                Err(_) => self.refuse_write(port, &format!("{value:#x}")),
            }
            return;
        }
        if !slot.input || (slot.width < 128 && value >> slot.width != 0) {
            self.refuse_write(port, &format!("{value:#x}"));
        }
        self.words_mut(port).copy_from_low(value);
    }

    /// Drives an input of any width from 32-bit words, the lowest first; missing words are zeros.
    ///
    /// # Panics
    /// As [`write`](Model::write).
    pub fn write_words(&mut self, port: Port, words: &[u32]) {
        let slot = &self.slots[port.0 as usize];
        let fits = words.iter().enumerate().all(|(index, &word)| {
            let below = slot.width.saturating_sub(32 * index as u32);
            below >= 32 || word >> below == 0
        });
        if !slot.input || !fits {
            self.refuse_write(port, &format!("{words:x?}"));
        }
        if slot.width <= 64 {
            let low = |index: usize| words.get(index).copied().map_or(0, u64::from);
            self.write(port, low(0) | low(1) << 32);
            return;
        }
        let target = self.words_mut(port);
        let used = words.len().min(target.len());
        target[..used].copy_from_slice(&words[..used]);
        target[used..].fill(0);
    }

    /// Value of a port of up to 64 bits.
    ///
    /// # Panics
    /// If the port is wider.
    #[inline]
    pub fn read(&self, port: Port) -> u64 {
        let slot = &self.slots[port.0 as usize];
        // SAFETY: as in `write`.
        unsafe {
            match slot.width {
                0..=8 => slot.address.cast::<u8>().read().into(),
                9..=16 => slot.address.cast::<u16>().read().into(),
                17..=32 => slot.address.cast::<u32>().read().into(),
                33..=64 => slot.address.cast::<u64>().read(),
                _ => self.refuse_read(port, 64),
            }
        }
    }

    /// Value of a port of up to 128 bits.
    ///
    /// # Panics
    /// If the port is wider.
    #[inline]
    pub fn read_u128(&self, port: Port) -> u128 {
        let slot = &self.slots[port.0 as usize];
        if slot.width <= 64 {
            return self.read(port).into();
        }
        if slot.width > 128 {
            self.refuse_read(port, 128);
        }
        let words = self.words(port).iter().rev();
        words.fold(0, |value, &word| value << 32 | u128::from(word))
    }

    /// Value of a port of any width in 32-bit words, the lowest first.
    pub fn read_words(&self, port: Port) -> Vec<u32> {
        match self.slots[port.0 as usize].width {
            0..=32 => vec![self.read(port) as u32],
            33..=64 => vec![self.read(port) as u32, (self.read(port) >> 32) as u32],
            _ => self.words(port).to_vec(),
        }
    }

    /// The words of a port wider than 64 bits.
    fn words(&self, port: Port) -> &[u32] {
        let slot = &self.slots[port.0 as usize];
        debug_assert!(slot.width > 64);
        // SAFETY: as in `write`; such a port is an array of words.
        unsafe { std::slice::from_raw_parts(slot.address.cast(), slot.width.div_ceil(32) as usize) }
    }

    fn words_mut(&mut self, port: Port) -> &mut [u32] {
        let slot = &self.slots[port.0 as usize];
        debug_assert!(slot.width > 64);
        // SAFETY: as in `words`, and `self` is borrowed mutably.
        unsafe {
            std::slice::from_raw_parts_mut(slot.address.cast(), slot.width.div_ceil(32) as usize)
        }
    }

    #[cold]
    fn refuse_write(&self, port: Port, value: &str) -> ! {
        let PortInfo {
            name,
            direction,
            width,
        } = self.info(port);
        let top = self.top();
        if *direction == Direction::Output {
            panic!("`{name}` of `{top}` is an output and cannot be written");
        }
        panic!("{value} does not fit into `{name}` of `{top}`, which is {width} bits wide");
    }

    #[cold]
    fn refuse_read(&self, port: Port, limit: u32) -> ! {
        let PortInfo { name, width, .. } = self.info(port);
        panic!(
            "`{name}` of `{}` is {width} bits wide: more than {limit}, use `read_words`",
            self.top()
        );
    }
}

/// Filling 32-bit words from an integer.
trait CopyFromLow {
    fn copy_from_low(&mut self, value: u128);
}

impl CopyFromLow for [u32] {
    fn copy_from_low(&mut self, mut value: u128) {
        for word in self {
            *word = value as u32;
            value >>= 32;
        }
    }
}
