//! A line from one end to the other: a delay, and errors.

use std::collections::VecDeque;

use fantree_hdl::link::frame::{CONTROL, KIND_BITS, WORD_BITS};
use rand::Rng;

use super::options::Faults;
use crate::traffic::Random;

/// What a line carries in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    pub bits: u128,
    pub kind: u8,
}

impl Word {
    fn is_control(self) -> bool {
        u64::from(self.kind) == CONTROL
    }

    fn flip(&mut self, bit: usize) {
        match bit.checked_sub(WORD_BITS) {
            None => self.bits ^= 1 << bit,
            Some(bit) => self.kind ^= 1 << bit,
        }
    }
}

/// Full frames that came, and those of them that did not come as they were sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Frames {
    pub carried: u64,
    pub spoiled: u64,
}

/// One direction of a link.
pub struct Channel {
    faults: Faults,
    /// Flits of a full frame.
    frame_flits: usize,
    random: Random,
    /// Words on their way, one a cycle; `None` where nothing comes.
    line: VecDeque<Option<Word>>,
    /// The present frame as it was sent, whether it is lost, whether anything of it was spoiled.
    frame: Vec<Word>,
    is_lost: bool,
    is_spoiled: bool,
    /// Words of the frame that enters the line.
    length: usize,
    /// What comes again before anything else.
    again: VecDeque<Word>,
    /// Bits until the next error, and bits of the present one that are to come.
    until_error: u64,
    burst_left: usize,
    pub frames: Frames,
}

impl Channel {
    /// A line of `delay` cycles for frames of up to `frame_flits`.
    pub fn new(delay: usize, frame_flits: usize, faults: Faults, mut random: Random) -> Self {
        Self {
            faults,
            frame_flits,
            line: VecDeque::from(vec![None; delay]),
            frame: Vec::new(),
            is_lost: random.gen_bool(faults.lost),
            is_spoiled: false,
            length: 0,
            again: VecDeque::new(),
            until_error: gap(faults.rate, &mut random),
            burst_left: 0,
            frames: Frames::default(),
            random,
        }
    }

    /// Whether a word is taken in this cycle.
    pub fn is_ready(&self) -> bool {
        self.again.is_empty()
    }

    /// A cycle: takes the word of the sender if it is [ready](Self::is_ready), gives what arrives. A dead channel carries
    /// nothing, but takes its time as ever.
    pub fn carry(&mut self, sent: Word, is_dead: bool) -> Option<Word> {
        let entering = match self.again.pop_front() {
            Some(copy) => Some(copy),
            None => self.take(sent),
        };
        let entering = entering.map(|word| self.spoil(word)).filter(|_| !is_dead);
        self.line.push_back(entering);
        self.line.pop_front().flatten()
    }

    fn take(&mut self, word: Word) -> Option<Word> {
        self.frame.push(word);
        let is_lost = self.is_lost;
        if word.is_control() {
            if !is_lost && self.random.gen_bool(self.faults.doubled) {
                self.again.extend(&self.frame);
            }
            self.frame.clear();
            self.is_lost = self.random.gen_bool(self.faults.lost);
        }
        (!is_lost).then_some(word)
    }

    /// Flips bits where errors fall.
    fn spoil(&mut self, mut word: Word) -> Word {
        let was = word;
        let bits = WORD_BITS + KIND_BITS;
        let mut bit = 0;
        while bit < bits {
            if self.burst_left > 0 {
                self.burst_left -= 1;
                if self.random.gen() {
                    word.flip(bit);
                }
                bit += 1;
            } else if self.until_error < (bits - bit) as u64 {
                bit += self.until_error as usize;
                word.flip(bit);
                bit += 1;
                self.burst_left = self.faults.burst.saturating_sub(1);
                self.until_error = gap(self.faults.rate, &mut self.random);
            } else {
                self.until_error -= (bits - bit) as u64;
                break;
            }
        }
        self.is_spoiled |= word != was;
        self.length += 1;
        if was.is_control() {
            let counts = u64::from(self.length > self.frame_flits);
            self.frames.carried += counts;
            self.frames.spoiled += counts & u64::from(self.is_spoiled);
            (self.length, self.is_spoiled) = (0, false);
        }
        word
    }
}

/// Bits before the next error.
fn gap(rate: f64, random: &mut Random) -> u64 {
    if rate == 0.0 {
        return u64::MAX;
    }
    // The inverse of a geometric distribution.
    let share: f64 = random.gen_range(f64::MIN_POSITIVE..1.0);
    (share.ln() / (-rate).ln_1p()) as u64
}
