//! A block with registers around it, for place and route.
//!
//! A tile has thousands of ports, more than any package has pins, and a path that starts or ends at a pin tells nothing
//! of the chip, where a register is on the other side. So each input bit comes from a register and each output bit goes
//! to one; the registers of the inputs are one shift register from a pin, those of the outputs another to a pin, loaded
//! from the block or shifted by `load`. Nothing of the block can be optimised away, and all of its paths are timed.

use anyhow::{bail, ensure, Result};

use crate::generate::CLOCK;
use crate::verilog::{Direction, Module};

/// The name of the harness's module.
pub const TOP: &str = "fantree_harness";
/// The name of the block in it.
pub const BLOCK: &str = "block";

/// The Verilog of a harness.
pub struct Harness {
    pub text: String,
    /// Its registers, which are not the block's.
    pub flip_flops: usize,
}

impl Harness {
    pub fn new(block: &Module) -> Result<Self> {
        let (mut inputs, mut outputs) = (0, 0);
        let mut pins = Vec::new();
        for port in &block.ports {
            let name = &port.name;
            let (bus, next) = match port.direction {
                Direction::Input if name == CLOCK => {
                    pins.push(format!(".{CLOCK}({CLOCK})"));
                    continue;
                }
                Direction::Input => ("to_block", &mut inputs),
                Direction::Output => ("from_block", &mut outputs),
                Direction::InOut => bail!(
                    "`{}` cannot be placed: its port `{name}` is bidirectional",
                    block.name
                ),
            };
            let last = *next + port.width - 1;
            pins.push(format!(".{name}({bus}[{last}:{next}])"));
            *next = last + 1;
        }
        ensure!(
            inputs > 0 && outputs > 0,
            "`{}` cannot be placed: it needs an input besides its clock, and an output",
            block.name
        );
        let text = format!(
            "module {TOP} (input wire {CLOCK}, input wire load, input wire serial_in, output wire serial_out);
    reg [{last_input}:0] to_block;
    reg [{last_output}:0] captured;
    wire [{last_output}:0] from_block;
    assign serial_out = captured[{last_output}];
    always @(posedge {CLOCK}) begin
        to_block <= {{to_block, serial_in}};
        captured <= load ? from_block : {{captured, to_block[{last_input}]}};
    end
    {block} {BLOCK} ({pins});
endmodule
",
            last_input = inputs - 1,
            last_output = outputs - 1,
            block = block.name,
            pins = pins.join(", "),
        );
        Ok(Self {
            text,
            flip_flops: inputs + outputs,
        })
    }
}
