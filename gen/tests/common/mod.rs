//! Runs the tools that generated Verilog must please, and compares it with rust-hdl's own simulation.

#![allow(dead_code)] // Each test file uses its part of this.

use fantree_gen::lint::{Memories, Target, CHECKS};
use fantree_gen::verilog::{emit, Design};
use num_bigint::BigUint;
use rust_hdl::core::ast::VerilogLiteral;
use rust_hdl::prelude::*;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Emits a block whose Verilog must please every tool.
pub fn checked(block: &dyn Block, name: &str) -> Design {
    let design = emit(block, name).unwrap_or_else(|error| panic!("{error}"));
    lint(&design.to_verilog(), name);
    design
}

/// The Verilog of a block, which must please every tool.
pub fn verilog(block: &dyn Block, name: &str) -> String {
    checked(block, name).to_verilog()
}

pub fn lint(verilog: &str, top: &str) {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let file = format!("rtl/{top}.v");
    fs::create_dir(folder.path().join("rtl")).expect("the folder is new");
    write(folder.path(), &file, verilog);
    write(folder.path(), "files.f", &format!("{file}\n"));
    for check in CHECKS {
        let findings = check.run(Target {
            dir: folder.path(),
            top,
            memories: Memories::Kept,
        });
        let findings = findings.unwrap_or_else(|error| panic!("{error}"));
        assert!(findings.is_empty(), "{top}: {findings:#?}\n{verilog}");
    }
}

fn write(folder: &Path, file: &str, text: &str) {
    fs::write(folder.join(file), text).expect("the temporary folder is writable");
}

/// Values from a seed, with a taste for zeros and ones.
pub struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn bits(&mut self, width: usize) -> BigUint {
        let all = (BigUint::from(1u8) << width) - 1u8;
        let words = (0..width.div_ceil(64)).flat_map(|_| {
            let word = self.word();
            [word as u32, (word >> 32) as u32]
        });
        let value = BigUint::new(words.collect()) & &all;
        match self.word() % 8 {
            0 => BigUint::default(),
            1 => all,
            2 => value >> (width / 2),
            3 => BigUint::from(1u8) << (self.word() as usize % width),
            _ => value,
        }
    }
}

/// What a port of a test block can carry.
pub trait Arbitrary: Synth {
    fn any(random: &mut Random) -> Self;
}

impl Arbitrary for bool {
    fn any(random: &mut Random) -> Self {
        random.word() & 1 == 1
    }
}

impl<const N: usize> Arbitrary for Bits<N> {
    fn any(random: &mut Random) -> Self {
        random.bits(N).into()
    }
}

impl<const N: usize> Arbitrary for Signed<N> {
    fn any(random: &mut Random) -> Self {
        signed_cast(random.bits(N).into())
    }
}

/// A port as the bench sees it: name, width and value.
pub type Seen = (&'static str, usize, VerilogLiteral);

/// Drives a port with something random.
pub fn drive<T: Arbitrary>(
    name: &'static str,
    port: &mut Signal<In, T>,
    random: &mut Random,
) -> Seen {
    port.next = T::any(random);
    (name, T::BITS, port.next.verilog())
}

/// Reads an output.
pub fn read<T: Synth>(name: &'static str, port: &Signal<Out, T>) -> Seen {
    (name, T::BITS, port.val().verilog())
}

/// Compares a combinational block with its Verilog, run by Icarus, on random inputs.
#[macro_export]
macro_rules! agrees {
    ($block:ident; $($input:ident)*; $($output:ident)*) => {
        $crate::common::compare(
            stringify!($block),
            &mut $block::default(),
            |block, random| vec![$($crate::common::drive(stringify!($input), &mut block.$input, random)),*],
            |block| vec![$($crate::common::read(stringify!($output), &block.$output)),*],
        )
    };
}

/// Behind [`agrees!`].
pub fn compare<B: Block>(
    name: &str,
    block: &mut B,
    inputs: impl Fn(&mut B, &mut Random) -> Vec<Seen>,
    outputs: impl Fn(&B) -> Vec<Seen>,
) {
    const VECTORS: usize = 400;
    let text = verilog(block, name);
    let mut random = Random(1);
    let (mut steps, mut ports) = (String::new(), Vec::new());
    for _ in 0..VECTORS {
        let driven = inputs(block, &mut random);
        settle(block);
        let seen = outputs(block);
        for (port, _, value) in &driven {
            steps += &format!("    {port} = {value};\n");
        }
        steps += "    #1;\n";
        for (port, _, value) in &seen {
            steps += &format!(
                "    if ({port} !== {value}) $display(\"{port}: %h, in Rust %h\", {port}, {value});\n"
            );
        }
        ports = vec![("reg", driven), ("wire", seen)];
    }
    let (mut nets, mut pins) = (String::new(), Vec::new());
    for (kind, list) in ports {
        for (port, width, _) in list {
            nets += &format!("  {kind} [{}:0] {port};\n", width - 1);
            pins.push(format!(".{port}({port})"));
        }
    }
    let bench = format!(
        "{text}\nmodule bench;\n{nets}  {name} dut ({});\n  initial begin\n{steps}  end\nendmodule\n",
        pins.join(", ")
    );
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    write(folder.path(), "bench.v", &bench);
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap_or_else(|error| panic!("{program} must be installed: {error}"));
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && said.is_empty(),
            "{name}: {said}\n{text}"
        );
    };
    run(
        "iverilog",
        &["-g2005", "-s", "bench", "-o", "bench", "bench.v"],
    );
    run("vvp", &["-n", "bench"]);
}

fn settle(block: &mut impl Block) {
    for _ in 0..100 {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
    panic!("the block does not settle");
}
