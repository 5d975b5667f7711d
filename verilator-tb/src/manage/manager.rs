//! What software does with a chip: registers, tables and groups, of any ports at once.

use anyhow::{ensure, Result};
use fantree_hdl::manage::registers::{identity, IDENTITY};
use fantree_hdl::manage::{Combine, Op, Setup};
use fantree_hdl::router::bus::{self, entry};
use fantree_hdl::router::RouterParams;

use super::{Answer, Refused, Transport};

/// Manages a chip through a transport.
pub struct Manager<T> {
    transport: T,
    params: RouterParams,
}

/// Routing tables of a port: the candidate ports of each entry, best first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tables {
    /// The supernode that the port belongs to.
    pub supernode: u32,
    /// By number in it.
    pub in_supernode: Vec<Vec<usize>>,
    /// By supernode.
    pub out_supernode: Vec<Vec<usize>>,
}

impl<T: Transport> Manager<T> {
    /// Of a chip of these sizes.
    pub fn new(transport: T, params: &RouterParams) -> Self {
        Self {
            transport,
            params: *params,
        }
    }

    /// The transport.
    pub fn transport(&mut self) -> &mut T {
        &mut self.transport
    }

    /// All ports of the chip.
    pub fn all(&self) -> u64 {
        self.params.all_ports()
    }

    /// Does a command, whatever comes of it.
    pub fn run(&mut self, setup: &Setup, beats: &[u32]) -> Result<Answer> {
        self.transport.run(setup, beats)
    }

    /// Does a command; a refusal is an error, a [`Refused`].
    fn done(&mut self, setup: &Setup, beats: &[u32]) -> Result<Vec<u32>> {
        let answer = self.run(setup, beats)?;
        ensure!(answer.status == 0, Refused(answer.status));
        Ok(answer.values)
    }

    /// Writes words to consecutive addresses of ports.
    pub fn write(&mut self, ports: u64, address: usize, words: &[u32]) -> Result<()> {
        self.done(&Setup::new(Op::Write, address, ports), words)
            .map(|_| ())
    }

    /// Writes the words of consecutive entries of a table of ports, so many words each.
    fn write_entries(&mut self, ports: u64, first: usize, words: &[u32]) -> Result<()> {
        self.done(&self.entries(first, ports), words).map(|_| ())
    }

    /// Writes other entries in each row: `rows[r]` are those of row r.
    fn write_entries_by_row(&mut self, first: usize, rows: &[Vec<u32>]) -> Result<()> {
        let setup = Setup {
            spread: true,
            ..self.entries(first, self.all())
        };
        let words = rows.iter().map(Vec::len).max().unwrap_or(0);
        let beats: Vec<u32> = (0..words)
            .flat_map(|i| rows.iter().map(move |row| row.get(i).copied().unwrap_or(0)))
            .collect();
        self.done(&setup, &beats).map(|_| ())
    }

    fn entries(&self, first: usize, ports: u64) -> Setup {
        Setup {
            entry: entry::words(self.params.candidates),
            ..Setup::new(Op::Write, first, ports)
        }
    }

    /// Reads a register of ports, in their order.
    pub fn read(&mut self, ports: u64, address: usize) -> Result<Vec<u32>> {
        self.done(&Setup::new(Op::Read, address, ports), &[0])
    }

    /// Reads a register of ports, all values as one.
    pub fn read_combined(&mut self, ports: u64, address: usize, combine: Combine) -> Result<u32> {
        let setup = Setup {
            combine,
            ..Setup::new(Op::Read, address, ports)
        };
        Ok(self.done(&setup, &[0])?.first().copied().unwrap_or(0))
    }

    /// Reads a register of ports, and leaves zero.
    pub fn read_and_clear(&mut self, ports: u64, address: usize) -> Result<Vec<u32>> {
        self.done(&Setup::new(Op::ReadClear, address, ports), &[0])
    }

    /// Changes the bits of `mask`; gives what stood there.
    pub fn modify(&mut self, ports: u64, address: usize, mask: u32, data: u32) -> Result<Vec<u32>> {
        let setup = Setup {
            mask,
            ..Setup::new(Op::Modify, address, ports)
        };
        self.done(&setup, &[data])
    }

    /// Tells ports who the chip is.
    pub fn set_identity(&mut self, guid: u32) -> Result<()> {
        let all = self.all();
        self.write(all, IDENTITY, &[identity::of(guid)])
    }

    /// Loads the same routing tables into ports.
    pub fn load_tables(&mut self, ports: u64, tables: &Tables) -> Result<()> {
        self.write(ports, bus::SUPERNODE, &[tables.supernode])?;
        for (first, words) in tables.words(&self.params) {
            self.write_entries(ports, first, &words)?;
        }
        Ok(())
    }

    /// Loads other routing tables in each row, into all rows at the same time.
    pub fn load_tables_by_row(&mut self, tables: &[Tables]) -> Result<()> {
        let supernodes = tables.iter().map(|row| row.supernode);
        let setup = Setup {
            spread: true,
            ..Setup::new(Op::Write, bus::SUPERNODE, self.all())
        };
        self.done(&setup, &supernodes.collect::<Vec<_>>())?;
        let words = tables.iter().map(|row| row.words(&self.params));
        let words: Vec<_> = words.collect();
        for (table, first) in [bus::IN_SUPERNODE_TABLE, bus::OUT_SUPERNODE_TABLE]
            .into_iter()
            .enumerate()
        {
            let rows = words.iter().map(|row| row[table].1.clone());
            self.write_entries_by_row(first, &rows.collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Loads a multicast group into ports.
    pub fn load_group(&mut self, ports: u64, group: usize, members: u64) -> Result<()> {
        let words = [members as u32, (members >> 32) as u32];
        self.write(ports, bus::MULTICAST_TABLE + 2 * group, &words)
    }
}

impl Tables {
    /// The words of both, from which address on.
    fn words(&self, params: &RouterParams) -> [(usize, Vec<u32>); 2] {
        let words = |entries: &[Vec<usize>]| {
            let entries = entries.iter();
            entries
                .flat_map(|ports| entry::to_ports(ports, params.candidates))
                .collect()
        };
        [
            (bus::IN_SUPERNODE_TABLE, words(&self.in_supernode)),
            (bus::OUT_SUPERNODE_TABLE, words(&self.out_supernode)),
        ]
    }
}
