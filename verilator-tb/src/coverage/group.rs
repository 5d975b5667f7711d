//! Groups: points that are sampled together, so that they can be crossed.

use serde::{Deserialize, Serialize};

use super::Axis;

/// A sample of points. Made by [`group!`].
pub trait Group {
    /// The points, the crosses, and what is ignored.
    fn definition() -> Definition;

    /// The number of this combination of bins among all, the last point counting fastest.
    fn index(&self) -> usize;
}

/// A group as reports and files have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    pub name: String,
    pub about: String,
    pub points: Vec<Axis>,
    /// Points, by their numbers, all of whose combinations are wanted.
    pub crosses: Vec<Vec<usize>>,
    pub ignored: Vec<Ignored>,
}

/// A combination of bins that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ignored {
    /// Points and their bins, by their numbers; points that are not named may have any bin.
    pub bins: Vec<(usize, usize)>,
    pub because: String,
}

impl Definition {
    /// Combinations of bins of all points.
    pub fn combinations(&self) -> usize {
        self.points.iter().map(|point| point.bins.len()).product()
    }

    /// The bins of a combination, one a point.
    pub fn bins(&self, index: usize) -> Vec<usize> {
        digits(index, self.points.iter().map(|point| point.bins.len()))
    }

    /// Why these bins of these points cannot be together, if they cannot.
    pub fn why_ignored(&self, points: &[usize], bins: &[usize]) -> Option<&str> {
        let has = |&(point, bin): &(usize, usize)| {
            points.iter().position(|&it| it == point).map(|at| bins[at]) == Some(bin)
        };
        let ignored = self.ignored.iter();
        let mut those = ignored.filter(|ignored| ignored.bins.iter().all(has));
        those.next().map(|ignored| ignored.because.as_str())
    }
}

/// The digits of a number, each with a base of its own, the last one counting ones.
pub fn digits(number: usize, bases: impl DoubleEndedIterator<Item = usize>) -> Vec<usize> {
    let mut rest = number;
    let low_first = bases.rev().map(|base| {
        let digit = rest % base;
        rest /= base;
        digit
    });
    let mut digits: Vec<usize> = low_first.collect();
    digits.reverse();
    digits
}

/// Defines a group: a struct with a point a field. `crosses` names the fields that are crossed, `ignored` bins that cannot be
/// together, with the reason.
macro_rules! group {
    (
        $(#[doc = $about:literal])+
        $visibility:vis struct $type:ident: $name:literal {
            $($field:ident: $point:ty),+ $(,)?
        }
        crosses { $($($crossed:ident),+;)* }
        ignored { $($($at:ident: $bin:expr),+ => $because:literal;)* }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy)]
        $visibility struct $type {
            $(pub $field: $point),+
        }

        impl $crate::coverage::Group for $type {
            fn definition() -> $crate::coverage::Definition {
                let fields = [$(stringify!($field)),+];
                let number = |name: &str| {
                    let place = fields.iter().position(|field| *field == name);
                    place.expect("a field of the group")
                };
                $crate::coverage::Definition {
                    name: $name.into(),
                    about: concat!($($about),+).trim().into(),
                    points: vec![$($crate::coverage::Axis::of::<$point>()),+],
                    crosses: vec![$(vec![$(number(stringify!($crossed))),+]),*],
                    ignored: vec![$($crate::coverage::Ignored {
                        bins: vec![$((number(stringify!($at)), $crate::coverage::Point::bin($bin))),+],
                        because: $because.into(),
                    }),*],
                }
            }

            #[inline]
            fn index(&self) -> usize {
                let mut index = 0;
                $(
                    index = index * <$point as $crate::coverage::Point>::BINS.len()
                        + $crate::coverage::Point::bin(self.$field);
                )+
                index
            }
        }
    };
}
pub(crate) use group;
