//! Expressions of a kernel as code that builds rust-hdl's syntax tree.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, ToTokens};
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Error, Expr, ExprCall, ExprMethodCall, Ident, Lit, Local, Member, Pat, Result, Stmt,
    UnOp,
};

/// Which names of the kernel stand for hardware.
#[derive(Default)]
pub struct Scope {
    levels: Vec<HashMap<String, bool>>,
}

impl Scope {
    pub fn enter(&mut self) {
        self.levels.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        self.levels.pop();
    }

    /// Notes a `let`; gives its name and value when it is hardware.
    pub fn declare<'a>(&mut self, local: &'a Local) -> Result<Option<(&'a Ident, &'a Expr)>> {
        let Some(init) = &local.init else {
            return Err(Error::new_spanned(local, "a kernel's `let` has a value"));
        };
        let hardware = self.is_hardware(&init.expr);
        let Pat::Ident(pat) = &local.pat else {
            return match hardware {
                false => Ok(None),
                true => Err(Error::new_spanned(
                    local,
                    "a kernel's `let` of hardware is `let name = expression;`",
                )),
            };
        };
        if let Some(level) = self.levels.last_mut() {
            level.insert(pat.ident.to_string(), hardware);
        }
        Ok(hardware.then_some((&pat.ident, &*init.expr)))
    }

    /// Whether `e` reads a signal, itself or through a `let`.
    pub fn is_hardware(&self, e: &Expr) -> bool {
        struct Finder<'a>(&'a Scope, bool);
        impl Visit<'_> for Finder<'_> {
            fn visit_expr_method_call(&mut self, call: &ExprMethodCall) {
                self.1 |= call.method == "val" && call.args.is_empty();
                visit::visit_expr_method_call(self, call);
            }
            fn visit_ident(&mut self, ident: &Ident) {
                self.1 |= self.0.names_hardware(ident);
            }
        }
        let mut finder = Finder(self, false);
        finder.visit_expr(e);
        finder.1
    }

    fn names_hardware(&self, ident: &Ident) -> bool {
        let name = ident.to_string();
        let innermost = self.levels.iter().rev().find_map(|level| level.get(&name));
        innermost.copied().unwrap_or(false)
    }

    /// The variable that holds the syntax tree of the hardware `let` called `name`.
    pub fn ast_name(name: &Ident) -> Ident {
        format_ident!("ast_of_{name}")
    }

    /// Code that builds the `VerilogExpression` of `e`.
    pub fn ast(&self, e: &Expr) -> Result<TokenStream> {
        if !self.is_hardware(e) {
            return Ok(constant(e));
        }
        match e {
            Expr::Path(path) => {
                let name = Self::ast_name(path.path.require_ident()?);
                Ok(quote!(#name.clone()))
            }
            Expr::Paren(paren) => {
                let inner = self.ast(&paren.expr)?;
                Ok(quote!(tree::paren(#inner)))
            }
            // The body of a closure, which may need braces to be laid out well.
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [Stmt::Expr(e, None)] => self.ast(e),
                _ => Err(Error::new_spanned(
                    block,
                    "an expression's block in a kernel holds one expression",
                )),
            },
            Expr::Unary(unary) => match unary.op {
                UnOp::Not(_) => self.unary(quote!(Not), &unary.expr),
                _ => Err(Error::new_spanned(
                    unary,
                    "a kernel has only the unary operator `!`",
                )),
            },
            Expr::Binary(binary) => {
                let op = operator(&binary.op)?;
                let (left, right) = (self.ast(&binary.left)?, self.ast(&binary.right)?);
                Ok(quote!(tree::binary(#left, VerilogOp::#op, #right)))
            }
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.call(call),
            other => Err(Error::new_spanned(
                other,
                "a kernel cannot have this expression",
            )),
        }
    }

    fn unary(&self, op: TokenStream, operand: &Expr) -> Result<TokenStream> {
        let operand = self.ast(operand)?;
        Ok(quote!(tree::unary(VerilogOpUnary::#op, #operand)))
    }

    fn method(&self, call: &ExprMethodCall) -> Result<TokenStream> {
        let receiver = || self.ast(&call.receiver);
        let args: Vec<&Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), args.as_slice()) {
            ("val", []) => {
                let name = signal_name(&call.receiver)?;
                Ok(quote!(tree::signal(#name)))
            }
            ("into", []) => receiver(),
            ("any", []) => self.unary(quote!(Any), &call.receiver),
            ("all", []) => self.unary(quote!(All), &call.receiver),
            ("xor", []) => self.unary(quote!(Xor), &call.receiver),
            ("resize", [width]) => {
                let receiver = receiver()?;
                Ok(quote!(tree::cast(#receiver, #width)))
            }
            ("slice", [offset, width]) => {
                let receiver = receiver()?;
                Ok(quote!(tree::slice(#receiver, #offset, #width)))
            }
            ("field", [field]) => {
                let receiver = receiver()?;
                Ok(quote!(tree::slice(#receiver, #field.offset, #field.width)))
            }
            ("get_bits", [offset]) => {
                let Some(width) = &call.turbofish else {
                    return Err(Error::new_spanned(
                        call,
                        "`get_bits` needs its width: `get_bits::<4>(offset)`",
                    ));
                };
                let (receiver, width) = (receiver()?, &width.args);
                Ok(quote!(tree::slice(#receiver, #offset, #width)))
            }
            ("get_bit", [index]) => {
                let (receiver, index) = (receiver()?, self.ast(index)?);
                Ok(quote!(tree::get_bit(#receiver, #index)))
            }
            ("replace_bit", [index, bit]) => {
                let (receiver, index, bit) = (receiver()?, self.ast(index)?, self.ast(bit)?);
                Ok(quote!(tree::replace_bit(#receiver, #index, #bit)))
            }
            _ => Err(Error::new_spanned(
                call,
                "a kernel cannot call this method on hardware",
            )),
        }
    }

    fn call(&self, call: &ExprCall) -> Result<TokenStream> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let function = call.func.to_token_stream().to_string();
        match (function.as_str(), args.as_slice()) {
            ("cat", [high, low]) => {
                let (high_ast, low_ast) = (self.ast(high)?, self.ast(low)?);
                Ok(quote!(tree::cat(
                    #high_ast,
                    Value::from(#high).bits(),
                    #low_ast,
                    Value::from(#low).bits(),
                )))
            }
            ("replicate", [bit, width]) => {
                let bit = self.ast(bit)?;
                Ok(quote!(tree::replicate(#bit, #width)))
            }
            ("any_of" | "or_of" | "bits_of", [range, Expr::Closure(closure)]) => {
                let [index] = closure.inputs.iter().collect::<Vec<_>>()[..] else {
                    return Err(Error::new_spanned(
                        closure,
                        "this closure takes the index alone",
                    ));
                };
                let term = self.ast(&closure.body)?;
                let term = match function.as_str() {
                    "bits_of" => quote!(tree::placed(#term, ast_position, ast_count)),
                    _ => term,
                };
                Ok(quote!({
                    let ast_count = (#range).len();
                    let terms = (#range).enumerate().map(|(ast_position, #index)| #term);
                    tree::joined(terms.collect())
                }))
            }
            _ => Err(Error::new_spanned(
                call,
                "a kernel cannot call this function on hardware",
            )),
        }
    }
}

/// An expression that Rust evaluates when the tree is built.
fn constant(e: &Expr) -> TokenStream {
    match e {
        // A plain number is a `u64` beside hardware; said here, since nothing else would infer it.
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => {
                quote!(tree::literal(#int as u64))
            }
            _ => quote!(tree::literal(#lit)),
        },
        Expr::MethodCall(call) if call.method == "into" => constant(&call.receiver),
        Expr::Paren(paren) => constant(&paren.expr),
        Expr::Path(path) if is_state(path) => {
            let name = path
                .to_token_stream()
                .to_string()
                .replace(' ', "")
                .replace("::", "$");
            quote!(tree::signal(#name.to_string()))
        }
        _ => quote!(tree::literal(#e)),
    }
}

/// `State::Idle` is a state of an enum; `packet::BITS` is a constant.
fn is_state(path: &syn::ExprPath) -> bool {
    let upper = |ident: &Ident| ident.to_string().starts_with(char::is_uppercase);
    let segments: Vec<_> = path.path.segments.iter().map(|s| &s.ident).collect();
    match segments.as_slice() {
        [.., kind, state] => {
            upper(kind) && upper(state) && state.to_string().contains(char::is_lowercase)
        }
        _ => false,
    }
}

/// Code that builds the name rust-hdl's probes give to `self.a[i].b`: `a$0$b`.
pub fn signal_name(e: &Expr) -> Result<TokenStream> {
    let mut format = String::new();
    let mut indexes = Vec::new();
    path(e, &mut format, &mut indexes)?;
    Ok(quote!(::std::format!(#format #(, #indexes)*)))
}

fn path<'a>(e: &'a Expr, format: &mut String, indexes: &mut Vec<&'a Expr>) -> Result<()> {
    match e {
        Expr::Path(p) if p.path.is_ident("self") => Ok(()),
        Expr::Field(field) => {
            path(&field.base, format, indexes)?;
            let Member::Named(name) = &field.member else {
                return Err(Error::new_spanned(field, "a signal has a name"));
            };
            if !format.is_empty() {
                format.push('$');
            }
            format.push_str(&name.to_string());
            Ok(())
        }
        Expr::Index(index) => {
            path(&index.expr, format, indexes)?;
            format.push_str("${}");
            indexes.push(&index.index);
            Ok(())
        }
        other => Err(Error::new_spanned(
            other,
            "a signal is `self.` and a path of fields and indexes",
        )),
    }
}

fn operator(op: &BinOp) -> Result<TokenStream> {
    Ok(match op {
        BinOp::Add(_) => quote!(Add),
        BinOp::Sub(_) => quote!(Sub),
        BinOp::And(_) => quote!(LogicalAnd),
        BinOp::Or(_) => quote!(LogicalOr),
        BinOp::BitXor(_) => quote!(BitXor),
        BinOp::BitAnd(_) => quote!(BitAnd),
        BinOp::BitOr(_) => quote!(BitOr),
        BinOp::Shl(_) => quote!(Shl),
        BinOp::Shr(_) => quote!(Shr),
        BinOp::Eq(_) => quote!(Eq),
        BinOp::Lt(_) => quote!(Lt),
        BinOp::Le(_) => quote!(Le),
        BinOp::Ne(_) => quote!(Ne),
        BinOp::Ge(_) => quote!(Ge),
        BinOp::Gt(_) => quote!(Gt),
        other => return Err(Error::new_spanned(other, "a kernel has no such operator")),
    })
}
