//! Statements that stand for several: `registers!` and `clocked!`.

use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ImplItemFn, Result, Stmt, StmtMacro, Token};

/// Replaces each `registers!` and `clocked!` by the assignments it stands for.
pub fn expand(function: &mut ImplItemFn) -> Result<()> {
    let mut expander = Expander { error: None };
    expander.visit_block_mut(&mut function.block);
    expander.error.map_or(Ok(()), Err)
}

/// Takes the comments out, which only the Verilog has.
pub fn strip_comments(function: &mut ImplItemFn) {
    struct Stripper;
    impl VisitMut for Stripper {
        fn visit_block_mut(&mut self, block: &mut Block) {
            block
                .stmts
                .retain(|s| !matches!(s, Stmt::Macro(m) if m.mac.path.is_ident("comment")));
            visit_mut::visit_block_mut(self, block);
        }
    }
    Stripper.visit_block_mut(&mut function.block);
}

struct Expander {
    error: Option<syn::Error>,
}

impl VisitMut for Expander {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut stmts = Vec::new();
        for stmt in block.stmts.drain(..) {
            match &stmt {
                Stmt::Macro(m) if m.mac.path.is_ident("registers") => {
                    self.push(&mut stmts, m, true)
                }
                Stmt::Macro(m) if m.mac.path.is_ident("clocked") => self.push(&mut stmts, m, false),
                _ => stmts.push(stmt),
            }
        }
        block.stmts = stmts;
        visit_mut::visit_block_mut(self, block);
    }
}

impl Expander {
    fn push(&mut self, stmts: &mut Vec<Stmt>, call: &StmtMacro, hold: bool) {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        match parser.parse2(call.mac.tokens.clone()) {
            Ok(children) => {
                for child in children {
                    let hold = hold.then(|| quote!(#child.d.next = #child.q.val();));
                    let expanded: Block = syn::parse_quote!({
                        #child.clock.next = self.clock.val();
                        #child.reset.next = self.reset.val();
                        #hold
                    });
                    stmts.extend(expanded.stmts);
                }
            }
            Err(error) => self.error = Some(error),
        }
    }
}
