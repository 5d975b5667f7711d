//! Names that every tool takes: no keyword, no `$`, none twice.

use std::collections::{HashMap, HashSet};

/// Gives out the names of one name space.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The last suffix given to a name, so that many equal wishes are quick.
    copies: HashMap<String, usize>,
}

impl Names {
    /// Takes names out of reach.
    pub fn reserve(&mut self, names: impl IntoIterator<Item = String>) {
        self.taken.extend(names);
    }

    /// `wanted` as a Verilog name, with a suffix if it is a keyword or taken.
    pub fn claim(&mut self, wanted: &str) -> String {
        self.claim_apart(wanted, &Names::default())
    }

    /// [`claim`](Self::claim) for an instance of a module with these names, none of which it may have: it would be
    /// hidden inside.
    pub fn claim_apart(&mut self, wanted: &str, inside: &Names) -> String {
        let base = identifier(wanted);
        let mut name = base.clone();
        while inside.taken.contains(&name) || !self.taken.insert(name.clone()) {
            let copy = self.copies.entry(base.clone()).or_insert(1);
            *copy += 1;
            name = format!("{base}_{copy}");
        }
        name
    }
}

/// `text` as the name of a signal or instance: a keyword, or a word of C++ that Verilator warns about
/// (SYMRSVDWORD), gets a `_` behind it.
fn identifier(text: &str) -> String {
    let mut name = module_name(text);
    if is_in(VERILATOR, &name) {
        name.push('_');
    }
    name
}

/// `text` with nothing in it that a Verilog name cannot have; a keyword gets a `_` behind it.
pub fn module_name(text: &str) -> String {
    let text = text.trim_start_matches("r#").replace("$r#", "$");
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = text.chars().map(plain).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    if is_keyword(&name) {
        name.push('_');
    }
    name
}

/// Whether a name is a keyword of Verilog-2005 or SystemVerilog.
fn is_keyword(name: &str) -> bool {
    is_in(VERILOG, name) || is_in(SYSTEM_VERILOG, name)
}

fn is_in(words: &str, name: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == name)
}

const VERILOG: &str = "always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign \
default defparam design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive \
endspecify endtable endtask event for force forever fork function generate genvar highz0 highz1 if ifnone incdir \
include initial inout input instance integer join large liblist library localparam macromodule medium module nand \
negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive pull0 pull1 pulldown \
pullup pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran rtranif0 \
rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table task time tran \
tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use vectored wait wand weak0 weak1 while wire wor xnor xor";

const SYSTEM_VERILOG: &str = "accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof \
bit break byte chandle checker class clocking const constraint context continue cover covergroup coverpoint cross \
dist do endchecker endclass endclocking endgroup endinterface endpackage endprogram endproperty endsequence enum \
eventually expect export extends extern final first_match foreach forkjoin global iff ignore_bins illegal_bins \
implements implies import inside int interconnect interface intersect join_any join_none let local logic longint \
matches modport nettype new nexttime null package packed priority program property protected pure rand randc randcase \
randsequence ref reject_on restrict return s_always s_eventually s_nexttime s_until s_until_with sequence shortint \
shortreal soft solve static string strong struct super sync_accept_on sync_reject_on tagged this throughout \
timeprecision timeunit type typedef union unique unique0 until until_with untyped uwire var virtual void wait_order \
weak wildcard with within";

const VERILATOR: &str = "abort alignas alignof and_eq asm atomic_cancel atomic_commit atomic_noexcept auto \
bit_vector bitand bitor bool catch cdecl char char16_t char32_t compl complex concept const_cast const_iterator \
const_reference constexpr decltype delete deque double dynamic_cast explicit false far float friend goto huge inline \
interrupt iterator list long map mutable namespace near noexcept not_eq nullptr operator or_eq override pascal \
private public queue reference register reinterpret_cast requires sc_clock sc_in sc_inout sc_out sc_signal sensitive \
sensitive_neg sensitive_pos set short sizeof stack static_assert static_cast switch synchronized template \
thread_local throw transaction_safe transaction_safe_dynamic true try type_info typeid typename uint16_t uint32_t \
uint8_t using vector volatile wchar_t xor_eq";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_verilog() {
        for (text, name) in [
            ("fifo$0$data", "fifo_0_data"),
            ("r#type", "type_"),
            ("a$r#match", "a_match"),
            ("table", "table_"),
            ("priority", "priority_"),
            ("double", "double_"),
            ("größe", "gr__e"),
            ("0a", "_0a"),
            ("Table", "Table"),
        ] {
            assert_eq!(identifier(text), name, "{text}");
        }
    }

    #[test]
    fn a_name_is_given_once() {
        let mut names = Names::default();
        names.reserve(["b".to_string()]);
        assert_eq!(names.claim("a$b"), "a_b");
        assert_eq!(names.claim("a_b"), "a_b_2");
        assert_eq!(names.claim("a$b"), "a_b_3");
        assert_eq!(names.claim("b"), "b_2");
        let mut outside = Names::default();
        assert_eq!(outside.claim_apart("a_b", &names), "a_b_4");
        assert_eq!(outside.claim_apart("c", &names), "c");
    }
}
