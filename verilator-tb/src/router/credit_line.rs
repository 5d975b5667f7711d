//! The wires that bring credits back to whoever sends: a fixed number of cycles long.

/// Credit masks of all ports on their way.
#[derive(Debug, Clone)]
pub struct CreditLine {
    ports: usize,
    /// One row of masks a cycle; the row in use is the oldest, and becomes the newest.
    masks: Vec<u8>,
    row: usize,
}

impl CreditLine {
    /// `cycles` is at least 1.
    pub fn new(ports: usize, cycles: usize) -> Self {
        assert!(
            cycles >= 1,
            "a credit cannot serve in the cycle that frees it"
        );
        Self {
            ports,
            masks: vec![0; ports * cycles],
            row: 0,
        }
    }

    /// The mask that arrives in this cycle.
    #[inline]
    pub fn arriving(&self, port: usize) -> u8 {
        self.masks[self.row * self.ports + port]
    }

    /// Sends a mask off, after [`arriving`](Self::arriving) was read.
    #[inline]
    pub fn send(&mut self, port: usize, mask: u8) {
        self.masks[self.row * self.ports + port] = mask;
    }

    /// Ends the cycle.
    #[inline]
    pub fn advance(&mut self) {
        self.row += 1;
        if self.row * self.ports == self.masks.len() {
            self.row = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_arrives_after_the_length_of_the_line() {
        for length in 1..5 {
            let mut line = CreditLine::new(2, length);
            for cycle in 0..20 {
                let sent = if cycle >= length {
                    cycle - length + 1
                } else {
                    0
                };
                assert_eq!(line.arriving(1), sent as u8, "cycle {cycle} of {length}");
                line.send(1, cycle as u8 + 1);
                line.advance();
            }
            assert_eq!(line.arriving(0), 0);
        }
    }
}
