//! How much memory the routing table of a port takes, and what its two levels save.

use std::fmt;

use fantree_hdl::router::bus::entry;

use super::Routing;

/// Memory of a port's routing table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableMemory {
    /// Entries of both levels.
    pub entries: usize,
    /// Bits of an entry.
    pub entry_bits: usize,
    /// End points in all supernodes that the table can tell apart: entries that a table of one level would need.
    pub end_points: usize,
}

impl TableMemory {
    /// The memory of a table.
    pub fn of(routing: &Routing) -> Self {
        let (inside, outside) = (routing.in_supernode_entries, routing.out_supernode_entries);
        Self {
            entries: inside + outside,
            entry_bits: routing.candidates * entry::CANDIDATE_BITS,
            end_points: inside * outside,
        }
    }

    /// Bits of the table.
    pub fn bits(&self) -> usize {
        self.entries * self.entry_bits
    }

    /// Per cent of the memory of one level that two levels save; below zero for tables so small that they do not.
    pub fn saved_percent(&self) -> f64 {
        100.0 - 100.0 * self.entries as f64 / self.end_points as f64
    }
}

impl fmt::Display for TableMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            entries,
            entry_bits,
            end_points,
        } = self;
        write!(
            f,
            "{entries} entries × {entry_bits} bits = {} bits, for {end_points} end points; one level would need \
             {end_points} entries",
            self.bits()
        )?;
        if entries < end_points {
            write!(f, " ({:.1} % saved)", self.saved_percent())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_levels_save_nearly_all() {
        let memory = TableMemory::of(&Routing::default());
        assert_eq!(
            memory.to_string(),
            "1280 entries × 56 bits = 71680 bits, for 262144 end points; one level would need 262144 entries (99.5 % \
             saved)"
        );
    }

    #[test]
    fn a_tiny_table_saves_nothing() {
        let memory = TableMemory::of(&Routing {
            in_supernode_entries: 4,
            out_supernode_entries: 1,
            candidates: 3,
        });
        assert_eq!(
            memory.to_string(),
            "5 entries × 21 bits = 105 bits, for 4 end points; one level would need 4 entries"
        );
    }
}
