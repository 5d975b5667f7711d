//! Statements of a kernel as code that builds rust-hdl's syntax tree.

use crate::expression::{signal_name, Scope};
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{Arm, Block, Error, Expr, ExprIf, ExprMatch, Member, Pat, Result, Stmt};

/// An expression that builds the `VerilogBlock` of the kernel.
pub fn kernel(block: &Block) -> Result<TokenStream> {
    new_block(block, &mut Scope::default())
}

/// A block of its own: a fresh list of statements.
fn new_block(block: &Block, scope: &mut Scope) -> Result<TokenStream> {
    let body = body(block, scope)?;
    Ok(quote!({
        let mut ast_statements = ::std::vec::Vec::new();
        #body
        ast_statements
    }))
}

/// The statements of a block, pushed to the list of the block around it.
fn body(block: &Block, scope: &mut Scope) -> Result<TokenStream> {
    scope.enter();
    let stmts: Result<Vec<_>> = block.stmts.iter().map(|s| statement(s, scope)).collect();
    scope.leave();
    let stmts = stmts?;
    Ok(quote!(#(#stmts)*))
}

fn statement(stmt: &Stmt, scope: &mut Scope) -> Result<TokenStream> {
    match stmt {
        Stmt::Local(local) => {
            let Some((name, value)) = scope.declare(local)? else {
                return Ok(quote!(#local));
            };
            let ast = scope.ast(value)?;
            let ast_name = Scope::ast_name(name);
            Ok(quote!(#local let #ast_name = #ast;))
        }
        Stmt::Expr(e, _) => expression(e, scope),
        Stmt::Macro(m) if m.mac.path.is_ident("comment") => {
            let text = &m.mac.tokens;
            Ok(quote! {
                ast_statements.push(::rust_hdl::core::ast::VerilogStatement::Comment(::std::format!(#text)));
            })
        }
        other => Err(Error::new_spanned(
            other,
            "a kernel cannot have this statement",
        )),
    }
}

fn expression(e: &Expr, scope: &mut Scope) -> Result<TokenStream> {
    match e {
        Expr::Assign(assign) => {
            let target = match &*assign.left {
                Expr::Field(field) if matches!(&field.member, Member::Named(n) if n == "next") => {
                    signal_name(&field.base)?
                }
                other => {
                    return Err(Error::new_spanned(
                        other,
                        "a kernel assigns to `signal.next` only",
                    ))
                }
            };
            let value = scope.ast(&assign.right)?;
            Ok(quote! {
                ast_statements.push(::rust_hdl::core::ast::VerilogStatement::Assignment(
                    ::rust_hdl::core::ast::VerilogExpression::Signal(#target),
                    #value,
                ));
            })
        }
        Expr::If(x) if scope.is_hardware(&x.cond) => {
            let conditional = conditional(x, scope)?;
            Ok(quote!(ast_statements.push(#conditional);))
        }
        Expr::If(x) => {
            let cond = &x.cond;
            let then = body(&x.then_branch, scope)?;
            let otherwise = match &x.else_branch {
                Some((_, e)) => expression(e, scope)?,
                None => TokenStream::new(),
            };
            Ok(quote!(if #cond { #then } else { #otherwise }))
        }
        Expr::Match(x) => match_statement(x, scope),
        Expr::ForLoop(x) => {
            let (pat, range) = (&x.pat, &x.expr);
            let body = body(&x.body, scope)?;
            Ok(quote!(for #pat in #range { #body }))
        }
        Expr::Block(x) => body(&x.block, scope).map(|body| quote!({ #body })),
        other => Err(Error::new_spanned(
            other,
            "a kernel cannot have this statement",
        )),
    }
}

fn conditional(x: &ExprIf, scope: &mut Scope) -> Result<TokenStream> {
    let test = scope.ast(&x.cond)?;
    let then = new_block(&x.then_branch, scope)?;
    let otherwise = match &x.else_branch {
        None => quote!(::rust_hdl::core::ast::VerilogBlockOrConditional::None),
        Some((_, e)) => match &**e {
            Expr::If(next) if scope.is_hardware(&next.cond) => {
                let next = conditional(next, scope)?;
                quote!(::rust_hdl::core::ast::VerilogBlockOrConditional::Conditional(::std::boxed::Box::new(#next)))
            }
            other => {
                let statements = expression(other, scope)?;
                quote!(::rust_hdl::core::ast::VerilogBlockOrConditional::Block({
                    let mut ast_statements = ::std::vec::Vec::new();
                    #statements
                    ast_statements
                }))
            }
        },
    };
    Ok(quote! {
        ::rust_hdl::core::ast::VerilogStatement::If(::rust_hdl::core::ast::VerilogConditional {
            test: #test,
            then: #then,
            otherwise: #otherwise,
        })
    })
}

fn match_statement(x: &ExprMatch, scope: &mut Scope) -> Result<TokenStream> {
    let test = scope.ast(&x.expr)?;
    let cases: Result<Vec<_>> = x.arms.iter().map(|arm| case(arm, scope)).collect();
    let cases = cases?;
    Ok(quote! {
        ast_statements.push(::rust_hdl::core::ast::VerilogStatement::Match(
            ::rust_hdl::core::ast::VerilogMatch {
                test: #test,
                cases: ::std::vec![#(#cases),*],
            },
        ));
    })
}

fn case(arm: &Arm, scope: &mut Scope) -> Result<TokenStream> {
    if let Some((_, guard)) = &arm.guard {
        return Err(Error::new_spanned(
            guard,
            "a kernel's `match` has no guards",
        ));
    }
    let condition = match &arm.pat {
        Pat::Wild(_) => "default".to_string(),
        Pat::Lit(_) | Pat::Ident(_) | Pat::Path(_) => arm
            .pat
            .to_token_stream()
            .to_string()
            .replace(' ', "")
            .replace("::", "$"),
        other => {
            return Err(Error::new_spanned(
                other,
                "a kernel's `match` takes names, literals and `_`",
            ))
        }
    };
    let statements = expression(&arm.body, scope)?;
    Ok(quote! {
        ::rust_hdl::core::ast::VerilogCase {
            condition: #condition.to_string(),
            block: {
                let mut ast_statements = ::std::vec::Vec::new();
                #statements
                ast_statements
            },
        }
    })
}
