//! Points: questions asked of what is sampled, whose answers are bins with names.

use serde::{Deserialize, Serialize};

/// What is looked at in a sample; its values are its bins. Made by [`point!`].
pub trait Point: Copy {
    /// Name in reports.
    const NAME: &'static str;
    /// What it is, in a sentence.
    const ABOUT: &'static str;
    /// Names of its bins.
    const BINS: &'static [&'static str];

    /// The number of this value's bin.
    fn bin(self) -> usize;
}

/// A point as reports and files have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    pub name: String,
    pub about: String,
    pub bins: Vec<String>,
}

impl Axis {
    pub fn of<P: Point>() -> Self {
        Self {
            name: P::NAME.into(),
            about: P::ABOUT.trim().into(),
            bins: P::BINS.iter().map(|bin| bin.to_string()).collect(),
        }
    }
}

/// Defines a point: an enum with a bin a variant. Its documentation is the point's.
macro_rules! point {
    (
        $(#[doc = $about:literal])+
        $visibility:vis enum $type:ident: $name:literal {
            $($(#[$attribute:meta])* $bin:ident = $text:literal),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $type {
            $($(#[$attribute])* $bin),+
        }

        impl $crate::coverage::Point for $type {
            const NAME: &'static str = $name;
            const ABOUT: &'static str = concat!($($about),+);
            const BINS: &'static [&'static str] = &[$($text),+];

            fn bin(self) -> usize {
                self as usize
            }
        }
    };
}
pub(crate) use point;
