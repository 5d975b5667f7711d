//! Statements of a kernel as code that builds rust-hdl's syntax tree.

use crate::expression::{signal_name, Scope};
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{Arm, Block, Error, Expr, Member, Pat, Result, Stmt};

/// An expression that builds the `VerilogBlock` of the kernel.
pub fn kernel(block: &Block) -> Result<TokenStream> {
    new_block(block, &mut Scope::default())
}

/// Statements as a fresh list.
fn list(statements: &TokenStream) -> TokenStream {
    quote!({
        let mut ast_statements = ::std::vec::Vec::new();
        #statements
        ast_statements
    })
}

/// A block of its own: a fresh list of statements.
fn new_block(block: &Block, scope: &mut Scope) -> Result<TokenStream> {
    Ok(list(&body(block, scope)?))
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
            Ok(quote!(ast_statements.push(VerilogStatement::Comment(::std::format!(#text)));))
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
            Ok(quote!(ast_statements.push(tree::assign(#target, #value));))
        }
        Expr::If(x) => {
            let hardware = scope.is_hardware(&x.cond);
            let inner = if hardware { new_block } else { body };
            let then = inner(&x.then_branch, scope)?;
            let otherwise = match &x.else_branch {
                None => None,
                Some((_, e)) => Some(expression(e, scope)?),
            };
            if !hardware {
                let cond = &x.cond;
                return Ok(quote!(if #cond { #then } else { #otherwise }));
            }
            let test = scope.ast(&x.cond)?;
            let otherwise = match otherwise {
                None => quote!(::std::option::Option::None),
                Some(statements) => {
                    let block = list(&statements);
                    quote!(::std::option::Option::Some(#block))
                }
            };
            Ok(quote!(ast_statements.push(tree::conditional(#test, #then, #otherwise));))
        }
        Expr::Match(x) => {
            let test = scope.ast(&x.expr)?;
            let cases: Result<Vec<_>> = x.arms.iter().map(|arm| case(arm, scope)).collect();
            let cases = cases?;
            Ok(quote!(ast_statements.push(tree::match_of(#test, ::std::vec![#(#cases),*]));))
        }
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

fn case(arm: &Arm, scope: &mut Scope) -> Result<TokenStream> {
    if let Some((_, guard)) = &arm.guard {
        return Err(Error::new_spanned(
            guard,
            "a kernel's `match` has no guards",
        ));
    }
    let condition = match &arm.pat {
        Pat::Wild(_) => "default".to_string(),
        Pat::Lit(_) | Pat::Ident(_) | Pat::Path(_) => {
            let text = arm.pat.to_token_stream().to_string();
            text.replace(' ', "").replace("::", "$")
        }
        other => {
            return Err(Error::new_spanned(
                other,
                "a kernel's `match` takes names, literals and `_`",
            ))
        }
    };
    let block = list(&expression(&arm.body, scope)?);
    Ok(quote!((#condition, #block)))
}
