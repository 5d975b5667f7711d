//! Expressions of a kernel as code that builds rust-hdl's syntax tree.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, ToTokens};
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Error, Expr, ExprCall, ExprClosure, ExprMethodCall, Ident, Lit, Local, Member, Pat,
    Result, Stmt, UnOp,
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
                Ok(
                    quote!(::rust_hdl::core::ast::VerilogExpression::Paren(::std::boxed::Box::new(#inner))),
                )
            }
            // The body of a closure, which may need braces to be laid out well.
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [Stmt::Expr(e, None)] => self.ast(e),
                _ => Err(Error::new_spanned(
                    block,
                    "an expression's block in a kernel holds one expression",
                )),
            },
            Expr::Unary(unary) => {
                let op = match unary.op {
                    UnOp::Not(_) => quote!(Not),
                    _ => {
                        return Err(Error::new_spanned(
                            unary,
                            "a kernel has only the unary operator `!`",
                        ))
                    }
                };
                Ok(self.unary(op, self.ast(&unary.expr)?))
            }
            Expr::Binary(binary) => {
                let op = operator(&binary.op)?;
                Ok(self.binary(self.ast(&binary.left)?, op, self.ast(&binary.right)?))
            }
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.call(call),
            other => Err(Error::new_spanned(
                other,
                "a kernel cannot have this expression",
            )),
        }
    }

    fn method(&self, call: &ExprMethodCall) -> Result<TokenStream> {
        let receiver = || self.ast(&call.receiver);
        let args: Vec<&Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), args.as_slice()) {
            ("val", []) => {
                let name = signal_name(&call.receiver)?;
                Ok(quote!(::rust_hdl::core::ast::VerilogExpression::Signal(#name)))
            }
            ("into", []) => receiver(),
            ("any", []) => Ok(self.unary(quote!(Any), receiver()?)),
            ("all", []) => Ok(self.unary(quote!(All), receiver()?)),
            ("xor", []) => Ok(self.unary(quote!(Xor), receiver()?)),
            ("resize", [width]) => Ok(cast(receiver()?, quote!(#width))),
            ("slice", [offset, width]) => Ok(slice(receiver()?, quote!(#offset), quote!(#width))),
            ("field", [field]) => Ok(slice(
                receiver()?,
                quote!(#field.offset),
                quote!(#field.width),
            )),
            ("get_bits", [offset]) => match &call.turbofish {
                Some(width) => {
                    let width = &width.args;
                    Ok(slice(receiver()?, quote!(#offset), quote!(#width)))
                }
                None => Err(Error::new_spanned(
                    call,
                    "`get_bits` needs its width: `get_bits::<4>(offset)`",
                )),
            },
            ("get_bit", [index]) => {
                let (receiver, index) = (receiver()?, self.ast(index)?);
                Ok(quote!(::rust_hdl::core::ast::VerilogExpression::Index(
                    ::std::boxed::Box::new(#receiver),
                    ::std::boxed::Box::new(#index),
                )))
            }
            ("replace_bit", [index, bit]) => {
                let (receiver, index, bit) = (receiver()?, self.ast(index)?, self.ast(bit)?);
                Ok(
                    quote!(::rust_hdl::core::ast::VerilogExpression::IndexReplace(
                        ::std::boxed::Box::new(#receiver),
                        ::std::boxed::Box::new(#index),
                        ::std::boxed::Box::new(#bit),
                    )),
                )
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
            // `high << bits(low) | low`, at the width of both: the tree has no concatenation.
            ("cat", [high, low]) => {
                let width = |e: &Expr| quote!(::fantree_hdl::wire::Value::from(#e).bits());
                let (high_width, low_width) = (width(high), width(low));
                let total = quote!(#high_width + #low_width);
                let amount = quote!(::fantree_hdl::wire::literal((#low_width) as u64));
                let high = self.binary(cast(self.ast(high)?, total.clone()), quote!(Shl), amount);
                let high = quote!(::rust_hdl::core::ast::VerilogExpression::Paren(::std::boxed::Box::new(#high)));
                Ok(self.binary(high, quote!(BitOr), cast(self.ast(low)?, total)))
            }
            // `0 - bit` is all ones or all zeros.
            ("replicate", [bit, width]) => {
                let zero = cast(quote!(::fantree_hdl::wire::literal(0u64)), quote!(#width));
                Ok(self.binary(zero, quote!(Sub), cast(self.ast(bit)?, quote!(#width))))
            }
            ("any_of" | "or_of" | "bits_of", [range, Expr::Closure(closure)]) => {
                self.fold(&function, range, closure)
            }
            _ => Err(Error::new_spanned(
                call,
                "a kernel cannot call this function on hardware",
            )),
        }
    }

    /// Terms of a range, joined by `|`: for `bits_of`, term i is a bit and stands at bit i.
    fn fold(&self, function: &str, range: &Expr, closure: &ExprClosure) -> Result<TokenStream> {
        let [index] = closure.inputs.iter().collect::<Vec<_>>()[..] else {
            return Err(Error::new_spanned(
                closure,
                "this closure takes the index alone",
            ));
        };
        let term = self.ast(&closure.body)?;
        let term = match function {
            "bits_of" => {
                let amount = quote!(::fantree_hdl::wire::literal(ast_position as u64));
                self.binary(cast(term, quote!(ast_count)), quote!(Shl), amount)
            }
            _ => term,
        };
        let joined = self.binary(quote!(ast_joined), quote!(BitOr), quote!(ast_term));
        Ok(quote!({
            let ast_range = #range;
            let ast_count = ast_range.len();
            ast_range
                .enumerate()
                .map(|(ast_position, #index)| {
                    ::rust_hdl::core::ast::VerilogExpression::Paren(::std::boxed::Box::new(#term))
                })
                .reduce(|ast_joined, ast_term| #joined)
                .expect("a kernel joins at least one term")
        }))
    }

    fn unary(&self, op: TokenStream, operand: TokenStream) -> TokenStream {
        quote!(::rust_hdl::core::ast::VerilogExpression::Unary(
            ::rust_hdl::core::ast::VerilogOpUnary::#op,
            ::std::boxed::Box::new(#operand),
        ))
    }

    fn binary(&self, left: TokenStream, op: TokenStream, right: TokenStream) -> TokenStream {
        quote!(::rust_hdl::core::ast::VerilogExpression::Binary(
            ::std::boxed::Box::new(#left),
            ::rust_hdl::core::ast::VerilogOp::#op,
            ::std::boxed::Box::new(#right),
        ))
    }
}

fn cast(operand: TokenStream, width: TokenStream) -> TokenStream {
    quote!(::rust_hdl::core::ast::VerilogExpression::Cast(::std::boxed::Box::new(#operand), #width))
}

fn slice(operand: TokenStream, offset: TokenStream, width: TokenStream) -> TokenStream {
    quote!(::rust_hdl::core::ast::VerilogExpression::Slice(
        ::std::boxed::Box::new(#operand),
        #width,
        ::std::boxed::Box::new(::fantree_hdl::wire::literal((#offset) as u64)),
    ))
}

/// An expression that Rust evaluates when the tree is built.
fn constant(e: &Expr) -> TokenStream {
    match e {
        // A plain number is a `u64` beside hardware; said here, since nothing else would infer it.
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => {
                quote!(::fantree_hdl::wire::literal(#int as u64))
            }
            _ => quote!(::fantree_hdl::wire::literal(#lit)),
        },
        Expr::MethodCall(call) if call.method == "into" => constant(&call.receiver),
        Expr::Paren(paren) => constant(&paren.expr),
        Expr::Path(path) if is_state(path) => {
            let name = path
                .to_token_stream()
                .to_string()
                .replace(' ', "")
                .replace("::", "$");
            quote!(::rust_hdl::core::ast::VerilogExpression::Signal(#name.to_string()))
        }
        _ => quote!(::fantree_hdl::wire::literal(#e)),
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
