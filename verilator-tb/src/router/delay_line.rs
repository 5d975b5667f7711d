//! The wires that bring credits and reports back to whoever sends: a fixed number of cycles long.

/// Values of several lanes on their way.
#[derive(Debug, Clone)]
pub struct DelayLine<T> {
    lanes: usize,
    /// One row of values a cycle; the row in use is the oldest, and becomes the newest.
    values: Vec<T>,
    row: usize,
}

impl<T: Copy + Default> DelayLine<T> {
    /// `cycles` is at least 1.
    pub fn new(lanes: usize, cycles: usize) -> Self {
        assert!(
            cycles >= 1,
            "a credit cannot serve in the cycle that frees it"
        );
        Self {
            lanes,
            values: vec![T::default(); lanes * cycles],
            row: 0,
        }
    }

    /// The value that arrives in this cycle.
    #[inline]
    pub fn arriving(&self, lane: usize) -> T {
        self.values[self.row * self.lanes + lane]
    }

    /// Sends a value off, after [`arriving`](Self::arriving) was read.
    #[inline]
    pub fn send(&mut self, lane: usize, value: T) {
        self.values[self.row * self.lanes + lane] = value;
    }

    /// Ends the cycle.
    #[inline]
    pub fn advance(&mut self) {
        self.row += 1;
        if self.row * self.lanes == self.values.len() {
            self.row = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_arrives_after_the_length_of_the_line() {
        for length in 1..5 {
            let mut line = DelayLine::new(2, length);
            for cycle in 0..20 {
                let sent = if cycle >= length {
                    cycle - length + 1
                } else {
                    0
                };
                assert_eq!(line.arriving(1), sent, "cycle {cycle} of {length}");
                line.send(1, cycle + 1);
                line.advance();
            }
            assert_eq!(line.arriving(0), 0);
        }
    }
}
