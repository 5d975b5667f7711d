//! Random legal designs: each is fixed by a seed and a number, whatever else is generated.

mod block;
mod body;
mod drive;
mod expression;
mod leaf;
mod operand;

use super::tree::*;
use crate::traffic::{stream, Random};
use rand::seq::SliceRandom;
use rand::Rng;

/// Kernels of one group share a few widths: every width more is code of rust-hdl's `Bits` to compile.
pub const GROUP: usize = 50;

/// Widths where something changes: in rust-hdl's storage, in Verilator's, at the ends.
const EDGES: [usize; 16] = [
    1, 2, 4, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 7,
];
const WIDEST: usize = 130;

/// The design of this number in the series of the seed.
pub fn design(seed: u64, number: usize) -> Design {
    let mut rng = stream(seed, "kernel", number);
    let style = match rng.gen() {
        true => Style::Plain,
        false => Style::Wired,
    };
    let mut maker = Maker {
        rng,
        widths: widths(seed, number / GROUP),
        names: vec![],
        modules: shuffled(MODULES, &mut stream(seed, "modules", number)),
        design: Design {
            style,
            blocks: vec![],
        },
    };
    maker.block(0);
    maker.design
}

/// The widths of a group: some edges, some others, some that a `Vec` of bits has.
fn widths(seed: u64, group: usize) -> Vec<usize> {
    const SHARE: usize = 5;
    let mut edges = EDGES;
    edges.shuffle(&mut stream(seed, "edges", 0));
    let mut rng = stream(seed, "widths", group);
    let mut widths: Vec<usize> = edges
        .into_iter()
        .cycle()
        .skip(group * SHARE)
        .take(SHARE)
        .collect();
    widths.extend([3, 8]);
    while widths.len() < 10 {
        let width = rng.gen_range(1..=WIDEST);
        if !widths.contains(&width) {
            widths.push(width);
        }
    }
    widths
}

fn shuffled(words: &str, rng: &mut Random) -> Vec<String> {
    let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    words.shuffle(rng);
    words
}

/// Modules below the top.
const MODULES: &str = "alu lane mixer sum gate filter stage slot unit2 port table_unit";

/// Names of fields: words of Verilog and C++ that Rust lets through, names that look like others, and plain ones.
const NAMES: &str = "table priority always begin end initial integer assign case signed real time force event join \
    wait logic bit byte int string class package double template register xor buf repeat release task function \
    parameter endmodule var unique this float short char public delete val data_0 data a b c count total state \
    sum enable ready valid address payload left right low high";

/// Makes a design, block by block.
struct Maker {
    rng: Random,
    widths: Vec<usize>,
    /// Names of fields that are still free in the block.
    names: Vec<String>,
    modules: Vec<String>,
    design: Design,
}

impl Maker {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.gen_range(0..100) < percent
    }

    fn is_plain(&self) -> bool {
        self.design.style == Style::Plain
    }

    /// One of the group's widths.
    fn width(&mut self) -> usize {
        let at = self.rng.gen_range(0..self.widths.len());
        self.widths[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{is_legal, source};

    /// As many as `make test` runs.
    const COUNT: usize = 300;

    #[test]
    fn every_design_is_legal() {
        for number in 0..COUNT {
            let design = design(1, number);
            assert!(is_legal(&design), "kernel {number}:\n{}", source(&design));
        }
    }

    #[test]
    fn a_design_is_fixed_by_seed_and_number() {
        assert_eq!(design(5, 17), design(5, 17));
        assert_ne!(design(5, 17), design(5, 18));
        assert_ne!(design(5, 17), design(6, 17));
    }

    /// Everything the two kinds of kernels offer, separated by two spaces.
    const CONSTRUCTS: &str = "\
#[hdl_gen]  #[kernel]  comment!  Signal<Local,  Wire<Local>  Vec<Signal<In,  Vec<Wire<In>>  Vec<Vec<  Constant<  \
LogicState  LogicStruct  Signed<  Value::from_words(  DFF<  StateRegister<  Register::new(  dff_setup!  clock!(  \
registers!(  clocked!(  ::Unit>  vec![  .next.  .val().  self.priority  .resize(self._own)  ].bits())  \
 &  |  ^  +  -  <<  >>  ==  !=  <  <=  >  >=  &&  ||  !self.  -self.  !(  \
.any()  .all()  .xor()  .get_bit(  .get_bits::<  .replace_bit(  .slice(  .resize(  .index()  .into()  .to_bits::<  \
_u128.to_bits  bit_cast::<  signed_cast(  unsigned_cast(  cat(  replicate(  any_of(  or_of(  bits_of(  (-  \
if  else if  } else {  match  _ =>  true =>  for i in  for j in  let x0 =  [i + 1]  [(i +  i ==  i as u64";

    #[test]
    fn every_construct_is_reached() {
        let texts: Vec<String> = (0..COUNT)
            .map(|number| source(&design(1, number)))
            .collect();
        let occurs = |text: &str| texts.iter().any(|source| source.contains(text));
        for construct in CONSTRUCTS.split("  ").map(str::trim) {
            let is_operator =
                !construct.contains(|c: char| c.is_alphanumeric() || "(){}[]!.".contains(c));
            let wanted = match is_operator {
                true => format!(" {construct} "),
                false => construct.to_owned(),
            };
            assert!(occurs(&wanted), "`{construct}` never occurs");
        }
        for width in [1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130] {
            for kind in [format!("Bits<{width}>"), format!("Wire::new({width})")] {
                assert!(occurs(&kind), "`{kind}` never occurs");
            }
        }
    }
}
