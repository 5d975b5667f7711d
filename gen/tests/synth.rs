//! Synthesis of blocks whose area is known to the cell.

use std::path::Path;

use fantree_gen::synth::{Job, Library, LongestPath, Resource, Technology, Unit};
use fantree_gen::verilog::emit;
use fantree_hdl::cells::{Fifo, Ram, Register};
use rust_hdl::core::block::Block;

/// Standard cells: a buffer (7 µm²), an inverter (2.5), NAND2 (4), NOR2 (5), a flip-flop (20).
fn few_cells() -> Technology {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/few-cells.lib");
    Technology::Cells(Library::load(Path::new(file)).unwrap())
}

fn synthesized(block: &dyn Block, technology: &Technology, depth: usize) -> (Unit, LongestPath) {
    let design = emit(block, "block").unwrap_or_else(|error| panic!("{error}"));
    let job = Job {
        design: &design,
        block: design.top(),
        depth,
    };
    let netlist = job.map(technology).unwrap();
    Unit::of_block(&netlist, "block", technology).unwrap()
}

fn amounts<const N: usize>(unit: &Unit, resources: [Resource; N]) -> [f64; N] {
    resources.map(|resource| unit.whole.get(resource))
}

#[test]
fn a_queue_is_distributed_ram_and_its_counters() {
    use Resource::*;
    let (fifo, _) = synthesized(&Fifo::new(134, 16), &Technology::Ecp5, 2);
    let found = amounts(&fifo, [DistributedRams, BlockRams, FlipFlops]);
    // Each RAM is 4 bits wide. Two counters to 15, one to 16.
    assert_eq!(found, [34.0, 0.0, 13.0]);
}

#[test]
fn a_small_memory_is_flip_flops_among_standard_cells() {
    use Resource::*;
    let cells = few_cells();
    // A word has 5 bits; the read and the write counter 2 each, the count 3. Not kept apart, the read counter would be
    // there twice: Yosys makes it the memory's as well.
    let (fifo, _) = synthesized(&Fifo::new(5, 4), &cells, 1);
    assert_eq!(amounts(&fifo, [FlipFlops, RamBits]), [27.0, 0.0]);
    let [area, gates] = amounts(&fifo, [SquareMicrons, Gates]);
    assert_eq!(gates, area / 4.0);
    assert!(area > 27.0 * 20.0, "the flip-flops and more: {area}");
}

#[test]
fn a_large_memory_stays_one() {
    use Resource::*;
    let (ram, _) = synthesized(&Ram::without_collisions(7, 100), &few_cells(), 0);
    let found = amounts(&ram, [RamBits, FlipFlops, SquareMicrons]);
    assert_eq!(found, [700.0, 0.0, 0.0]);
    let (ram, _) = synthesized(&Ram::without_collisions(36, 512), &Technology::Ecp5, 0);
    assert_eq!(amounts(&ram, [BlockRams, FlipFlops, Luts]), [1.0, 0.0, 0.0]);
}

#[test]
fn parts_add_up_to_the_whole() {
    for technology in [Technology::Ecp5, few_cells()] {
        let (fifo, _) = synthesized(&Fifo::new(5, 4), &technology, 1);
        let [counters] = &fifo.parts[..] else {
            panic!("{:?}", fifo.parts);
        };
        assert_eq!(
            (counters.module.as_str(), counters.instances),
            ("modulo_counter_4", 2)
        );
        assert_eq!(amounts(counters, [Resource::FlipFlops]), [4.0]);
        for &resource in technology.resources() {
            let parts = fifo.own.get(resource) + counters.whole.get(resource);
            assert_eq!(fifo.whole.get(resource), parts, "{resource:?}");
        }
    }
}

#[test]
fn paths_end_at_registers() {
    // Nothing but flip-flops: the reset is an input of theirs in an ECP5, an inverter and a NOR2 among these cells.
    let (register, path) = synthesized(&Register::new(3), &Technology::Ecp5, 0);
    assert_eq!((register.levels, path.levels), (0, 0));
    let (register, path) = synthesized(&Register::new(3), &few_cells(), 0);
    assert_eq!(
        (path.levels, path.from.as_str(), path.to.as_str()),
        (2, "d", "q[0]")
    );
    let area = register.whole.get(Resource::SquareMicrons);
    assert_eq!(area, 3.0 * (20.0 + 2.5 + 5.0));
}
