//! Harnesses of proofs in lockstep: what the model checker sees is what rust-hdl simulates.

use fantree_formal::harness::*;
use fantree_hdl::router::RouterParams;
use fantree_tb::lockstep::Lockstep;

macro_rules! lockstep {
    ($($name:ident: $harness:expr;)*) => {
        $(#[test]
        fn $name() {
            let bench = Lockstep::new(concat!(stringify!($name), "_harness"), || $harness);
            if let Err(error) = bench.cycles(2000).run() {
                panic!("{error}");
            }
        })*
    };
}

const LINK: RouterParams = RouterParams {
    rows: 2,
    columns: 2,
    virtual_channels: 2,
    phases: 1,
    max_packet_flits: 5,
    block_flits: 2,
    input_buffer_blocks: 5,
    private_blocks: 0,
    row_buffer_flits: 1,
    column_buffer_flits: 3,
    in_supernode_entries: 1,
    out_supernode_entries: 1,
    candidates: 1,
    managed: false,
};

lockstep! {
    fifo: FifoHarness::new(8, 5);
    credit_counter: CreditCounterHarness::new(7, 3, 7);
    round_robin: RoundRobinHarness::new(5);
    hierarchical: HierarchicalHarness::new(12);
    weighted: WeightedHarness::new(3, 2);
    credit_pool: CreditPoolHarness::new(&LINK, 2);
    credit_pair: CreditPairHarness::new(&LINK);
    output_unit: OutputUnitHarness::new(&LINK);
    replay_pair: ReplayPairHarness::new(3, 4, 2);
    credit_counts: CreditCountsHarness::new(3, 5, 2);
}
