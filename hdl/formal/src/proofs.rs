//! The list of what is proved.
//!
//! Sizes are small but real: a queue of five words has every corner of one of 500, and the proof is done in seconds.

use fantree_gen::verilog::{emit, Design};
use fantree_hdl::router::RouterParams;

use crate::aiger::Graph;
use crate::claim::Claim;
use crate::harness::*;
use crate::model::{self, Error};

/// A harness of certain sizes.
pub struct Proof {
    /// Names it on the command line.
    pub name: String,
    /// The block under proof.
    pub subject: &'static str,
    pub sizes: String,
    /// All its claims together take seconds.
    pub is_fast: bool,
    harness: Box<dyn Harness>,
    /// Claims that are looked at for so many cycles, not for ever.
    bounded: &'static [(&'static str, usize)],
}

impl Proof {
    fn of(
        name: String,
        subject: &'static str,
        sizes: String,
        mut harness: impl Harness + 'static,
    ) -> Self {
        harness.connect_all();
        Self {
            name,
            subject,
            sizes,
            is_fast: false,
            harness: Box::new(harness),
            bounded: &[],
        }
    }

    fn fast(self) -> Self {
        Self {
            is_fast: true,
            ..self
        }
    }

    fn bounded(self, bounded: &'static [(&'static str, usize)]) -> Self {
        Self { bounded, ..self }
    }

    /// The harness itself, to be simulated.
    pub fn harness(&mut self) -> &mut dyn Harness {
        &mut *self.harness
    }

    /// The harness in Verilog.
    pub fn design(&self) -> Design {
        emit(self.harness.as_block(), "harness")
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The harness in gates.
    pub fn circuit(&self) -> Result<Graph, Error> {
        self.circuit_of(&self.design().to_verilog())
    }

    /// The same of other Verilog with the same ports.
    pub fn circuit_of(&self, verilog: &str) -> Result<Graph, Error> {
        let design = self.design();
        model::circuit(verilog, &design.top().name, &design.top().ports)
    }

    /// What is claimed.
    pub fn claims(&self) -> Vec<Claim> {
        let design = self.design();
        let ports = design.top().ports.iter();
        ports
            .filter_map(|port| Claim::of(&port.name, self.bounded))
            .collect()
    }
}

/// Every proof there is.
pub fn all() -> Vec<Proof> {
    let fifo = [(1, 8), (2, 8), (3, 8), (5, 4)].map(|(depth, width)| {
        let sizes = format!("{depth} words of {width} bits");
        let harness = FifoHarness::new(width, depth);
        Proof::of(format!("fifo-{depth}"), "Fifo", sizes, harness).fast()
    });
    let credit_counter = [(1, 1, 1), (5, 1, 1), (7, 3, 7)].map(|(places, taken, given)| {
        let name = format!("credit-counter-{places}");
        let sizes = format!("{places} places, up to {taken} taken and {given} given");
        let harness = CreditCounterHarness::new(places, taken, given);
        Proof::of(name, "CreditCounter", sizes, harness).fast()
    });
    let round_robin = [2, 3, 4, 5, 6, 7, 8].map(|requests| {
        let name = format!("round-robin-{requests}");
        let harness = RoundRobinHarness::new(requests);
        Proof::of(
            name,
            "RoundRobinArbiter",
            format!("{requests} requests"),
            harness,
        )
        .fast()
    });
    let hierarchical = [7, 9, 16, 40, 64].map(|requests| {
        let name = format!("hierarchical-{requests}");
        let harness = HierarchicalHarness::new(requests);
        Proof::of(
            name,
            "HierarchicalArbiter",
            format!("{requests} requests"),
            harness,
        )
        .fast()
    });
    let weighted = [(2, 2), (3, 1), (3, 2)].map(|(requests, bits)| {
        let name = format!("weighted-{requests}x{bits}");
        let sizes = format!("{requests} requests, weights of {bits} bits");
        Proof::of(
            name,
            "WeightedArbiter",
            sizes,
            WeightedHarness::new(requests, bits),
        )
        .fast()
    });
    let mut proofs = Vec::new();
    proofs.extend(fifo);
    proofs.extend(credit_counter);
    proofs.extend(round_robin);
    proofs.extend(hierarchical);
    proofs.extend(weighted);
    proofs.extend(of_links());
    proofs.extend(of_lines());
    proofs
}

/// Those with a router's units.
fn of_links() -> Vec<Proof> {
    let pool = |params: RouterParams, bound| {
        let name = format!(
            "credit-pool-{}x{}",
            params.virtual_channels, params.input_buffer_blocks
        );
        Proof::of(
            name,
            "CreditPool",
            sizes_of(&params),
            CreditPoolHarness::new(&params, bound),
        )
    };
    let pair = |params: RouterParams| {
        let name = format!(
            "credit-pair-{}x{}",
            params.input_buffer_blocks, params.block_flits
        );
        let subject = "CreditPool, InputBuffer";
        Proof::of(
            name,
            subject,
            sizes_of(&params),
            CreditPairHarness::new(&params),
        )
    };
    let output_unit = |params: RouterParams| {
        let name = format!("output-unit-{}", params.column_buffer_flits);
        Proof::of(
            name,
            "OutputUnit",
            sizes_of(&params),
            OutputUnitHarness::new(&params),
        )
    };
    vec![
        pool(
            RouterParams {
                input_buffer_blocks: 3,
                max_packet_flits: 3,
                ..LINK
            },
            2,
        )
        .fast(),
        pool(
            RouterParams {
                virtual_channels: 3,
                input_buffer_blocks: 4,
                ..LINK
            },
            5,
        )
        .bounded(&[("never_starves", 16)]),
        pair(LINK).fast(),
        pair(RouterParams {
            block_flits: 2,
            max_packet_flits: 3,
            ..LINK
        })
        .bounded(&[
            ("never_loses_a_credit", 12),
            ("never_accuses", 12),
            ("never_overflows", 12),
            ("never_loses_a_flit", 12),
            ("never_out_of_order", 12),
        ]),
        output_unit(LINK).fast(),
        output_unit(RouterParams {
            max_packet_flits: 3,
            input_buffer_blocks: 3,
            column_buffer_flits: 2,
            ..LINK
        })
        .bounded(&[("never_overflows", 10), ("never_loses_a_credit", 10)]),
    ]
}

/// Those with a link's ends, and an adversary between them.
fn of_lines() -> Vec<Proof> {
    let replay = |depth: usize, frames: usize| {
        let harness = ReplayPairHarness::new(1, depth, frames);
        let sizes = format!("{depth} words of 1 bit, {frames} frames on each line");
        let subject = "ReplayBuffer, SequenceCheck";
        Proof::of(
            format!("replay-pair-{depth}x{frames}"),
            subject,
            sizes,
            harness,
        )
    };
    let counts = |vcs: usize, places: usize, reports: usize| {
        let harness = CreditCountsHarness::new(vcs, places, reports);
        let sizes = format!("{vcs} VCs, {places} blocks each, {reports} reports on the line");
        let subject = "CreditReport, CreditReturn";
        Proof::of(
            format!("credit-counts-{vcs}x{places}"),
            subject,
            sizes,
            harness,
        )
    };
    vec![
        replay(2, 2).fast(),
        replay(4, 2),
        counts(1, 2, 2).fast(),
        counts(2, 1, 2).fast(),
        counts(2, 2, 2),
    ]
}

/// The smallest link on which virtual channels meet and packets are longer than a flit; what no harness has does not
/// matter.
const LINK: RouterParams = RouterParams {
    rows: 2,
    columns: 1,
    virtual_channels: 2,
    phases: 1,
    max_packet_flits: 2,
    block_flits: 1,
    input_buffer_blocks: 2,
    private_blocks: 0,
    row_buffer_flits: 1,
    column_buffer_flits: 1,
    in_supernode_entries: 1,
    out_supernode_entries: 1,
    candidates: 1,
    managed: false,
};

fn sizes_of(params: &RouterParams) -> String {
    format!(
        "{} VCs, {} blocks of {} flits, packets of up to {} flits",
        params.virtual_channels,
        params.input_buffer_blocks,
        params.block_flits,
        params.max_packet_flits
    )
}
