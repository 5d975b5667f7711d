//! The cells as Verilog: their text, which every tool reads without a word, and the area that the catalogue states.

mod common;

use common::checked;
use fantree_gen::synth::Netlist;
use fantree_gen::tool::YOSYS;
use fantree_gen::verilog::emit;
use fantree_hdl::cells::*;
use rust_hdl::core::block::Block;
use rust_hdl::prelude::Bit;
use std::collections::BTreeMap;
use std::fs;

macro_rules! snapshots {
    ($($name:ident: $block:expr;)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(checked(&$block, stringify!($name)).to_verilog());
        })*
    };
}

snapshots! {
    register_of_a_value: Register::with_reset(5, 17);
    flag: StateRegister::<Bit>::default();
    falling_flag: FallingFlag::default();
    lut_ram: LutRam::new(9, 4);
    ram: Ram::new(6, 12);
    ram_without_collisions: Ram::without_collisions(6, 12);
    ram2: Ram2::new(8, 5);
    fifo: Fifo::new(9, 4);
    fifo_of_odd_depth: Fifo::new(8, 5);
    fifo_of_one: Fifo::new(8, 1);
    async_fifo: AsyncFifo::new(8, 4);
    synchronizer: Synchronizer::new(3);
    gray_counter: GrayCounter::new(4);
    modulo_counter: ModuloCounter::new(5);
    credit_counter: CreditCounter::new(16);
    credit_counter_with_steps: CreditCounter::with_steps(69, 7, 3);
    round_robin_arbiter: RoundRobinArbiter::new(8);
    hierarchical_arbiter: HierarchicalArbiter::new(12);
    weighted_arbiter: WeightedArbiter::new(3, 2);
    one_hot_encoder: OneHotEncoder::new(8);
    one_hot_mux: OneHotMux::new(3, 8);
    crc8: Crc8::default();
    crc32c_word: Crc32cWord::default();
    crc32c: Crc32c::default();
}

/// Sizes at the ends of what a cell allows, where the text is not worth keeping.
#[test]
fn tools_accept_the_smallest_and_the_largest() {
    checked(&Fifo::new(1, 2), "fifo_2x1");
    checked(&Fifo::new(256, 1), "fifo_1x256");
    checked(&AsyncFifo::new(1, 64), "async_fifo_64x1");
    checked(&Ram::new(1, 1), "ram_1x1");
    checked(&Register::new(256), "register_256");
    checked(&CreditCounter::new(1), "credit_counter_1");
    checked(&ModuloCounter::new(1), "modulo_counter_1");
    checked(&RoundRobinArbiter::new(1), "round_robin_1");
    checked(&RoundRobinArbiter::new(64), "round_robin_64");
    checked(&HierarchicalArbiter::new(1), "hierarchical_1");
    checked(&HierarchicalArbiter::new(9), "hierarchical_9");
    checked(&HierarchicalArbiter::new(64), "hierarchical_64");
    checked(&WeightedArbiter::new(1, 1), "weighted_1");
    checked(&WeightedArbiter::new(64, 7), "weighted_64");
    checked(&OneHotEncoder::new(1), "encoder_1");
    checked(&OneHotEncoder::new(64), "encoder_64");
    checked(&OneHotMux::new(1, 1), "mux_1x1");
}

/// How many cells of each kind.
type Area = BTreeMap<String, usize>;

/// What a Yosys script leaves of each block. One run for all costs less than one for each: they stand in a module that
/// keeps them apart.
fn synthesized(blocks: &[(&str, Box<dyn Block>)], script: &str) -> BTreeMap<String, Area> {
    let (mut text, mut instances, mut names) = (String::new(), String::new(), String::new());
    for (name, block) in blocks {
        let design = emit(&**block, name).unwrap_or_else(|error| panic!("{error}"));
        text += &design.to_verilog();
        instances += &format!("(* keep *) {name} the_{name} ();\n");
        names += &format!(" {name}");
    }
    text += &format!("module apart ();\n{instances}endmodule\n");
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let file = folder.path().join("design.v");
    fs::write(&file, text).expect("the temporary folder is writable");
    // Blocks may have modules in common.
    let script = format!(
        "read_verilog -nooverwrite {}; setattr -mod -set keep_hierarchy 1{names}; {script} -top apart; write_json {}",
        file.display(),
        folder.path().join("netlist").display()
    );
    let output = YOSYS.run(|command| command.args(["-p", &script]));
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    assert!(output.status.success(), "yosys: {script}");
    let netlist = fs::read_to_string(folder.path().join("netlist"));
    let netlist = Netlist::read(&netlist.expect("Yosys writes the file")).expect("a netlist");
    let area = |(name, _): &(&str, _)| (name.to_string(), netlist.kinds(name));
    blocks.iter().map(area).collect()
}

fn count(area: &Area, kind: &str) -> usize {
    area.get(kind).copied().unwrap_or(0)
}

#[test]
fn memories_become_block_ram() {
    let only = |kind: &str, count| Area::from([(kind.to_string(), count)]);
    let plain = |depth| -> Box<dyn Block> { Box::new(Ram::without_collisions(36, depth)) };
    let ecp5 = synthesized(
        &[
            ("plain_300", plain(300)),
            ("plain_512", plain(512)),
            ("ram_300", Box::new(Ram::new(36, 300))),
            ("ram_512", Box::new(Ram::new(36, 512))),
            ("ram2", Box::new(Ram2::without_collisions(36, 512))),
        ],
        "synth_ecp5",
    );
    let ice40 = synthesized(
        &[("plain_300", plain(300)), ("plain_512", plain(512))],
        "synth_ice40",
    );
    for depth in [300, 512] {
        assert_eq!(ecp5[&format!("plain_{depth}")], only("DP16KD", 1));
        assert_eq!(ice40[&format!("plain_{depth}")], only("SB_RAM40_4K", 5));
        // The bypass that keeps the old word: the write port once more, and the bit that chooses.
        let bypassed = &ecp5[&format!("ram_{depth}")];
        assert_eq!(count(bypassed, "DP16KD"), 1);
        assert!(count(bypassed, "TRELLIS_FF") < 3 * 36, "{bypassed:?}");
    }
    assert_eq!(ecp5["ram2"], only("DP16KD", 2));
}

/// The catalogue's figures are those of today's cells, give or take what another Yosys finds.
#[test]
fn areas_are_as_the_catalogue_says() {
    let catalogue = include_str!("../../hdl/src/cells/mod.rs");
    let sized: Vec<(&str, Box<dyn Block>)> = vec![
        ("Register", Box::new(Register::new(8))),
        ("FallingFlag", Box::new(FallingFlag::default())),
        ("ModuloCounter", Box::new(ModuloCounter::new(5))),
        ("GrayCounter", Box::new(GrayCounter::new(5))),
        ("LutRam", Box::new(LutRam::new(134, 16))),
        ("Ram", Box::new(Ram::without_collisions(36, 512))),
        ("Ram2", Box::new(Ram2::without_collisions(36, 512))),
        ("Fifo", Box::new(Fifo::new(134, 16))),
        ("AsyncFifo", Box::new(AsyncFifo::new(134, 16))),
        ("Synchronizer", Box::new(Synchronizer::new(5))),
        ("CreditCounter", Box::new(CreditCounter::new(16))),
        ("RoundRobinArbiter", Box::new(RoundRobinArbiter::new(8))),
        (
            "HierarchicalArbiter",
            Box::new(HierarchicalArbiter::new(64)),
        ),
        ("WeightedArbiter", Box::new(WeightedArbiter::new(5, 4))),
        ("OneHotEncoder", Box::new(OneHotEncoder::new(64))),
        ("OneHotMux", Box::new(OneHotMux::new(8, 134))),
        ("Crc8", Box::new(Crc8::default())),
        ("Crc32cWord", Box::new(Crc32cWord::default())),
        ("Crc32c", Box::new(Crc32c::default())),
    ];
    let areas = synthesized(&sized, "synth_ecp5 -noccu2 -nowidelut");
    let mut wrong = Vec::new();
    for (name, area) in &areas {
        let measured =
            ["LUT4", "TRELLIS_FF", "TRELLIS_DPR16X4", "DP16KD"].map(|kind| count(area, kind));
        let row = catalogue
            .lines()
            .find(|line| line.starts_with(&format!("//! | [`{name}`]")))
            .unwrap_or_else(|| panic!("the catalogue has no {name}"));
        let columns: Vec<&str> = row.split('|').map(str::trim).collect();
        // The last column is what stands behind the last bar.
        let figures = &columns[columns.len() - 5..columns.len() - 1];
        let near = |(stated, measured): (&&str, usize)| {
            let stated: usize = stated.parse().expect("a figure");
            stated.abs_diff(measured) <= stated / 10
        };
        if !figures.iter().zip(measured).all(near) {
            wrong.push(format!("{name}: {measured:?} measured, {figures:?} stated"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
