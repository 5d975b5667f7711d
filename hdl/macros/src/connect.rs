//! The `connect` function: marks every signal that the kernel drives.

use crate::expression::Scope;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Block, Expr, Member, Result, Stmt};

/// The statements that mark what `block` drives. A condition on hardware marks both branches; one on configuration
/// is decided as in the kernel.
pub fn block(block: &Block) -> Result<TokenStream> {
    inner_block(block, &mut Scope::default())
}

fn inner_block(block: &Block, scope: &mut Scope) -> Result<TokenStream> {
    scope.enter();
    let stmts: Result<Vec<_>> = block.stmts.iter().map(|s| statement(s, scope)).collect();
    scope.leave();
    let stmts = stmts?;
    Ok(quote!({ #(#stmts)* }))
}

fn statement(stmt: &Stmt, scope: &mut Scope) -> Result<TokenStream> {
    match stmt {
        Stmt::Local(local) => {
            scope.declare(local)?;
            Ok(quote!(#local))
        }
        Stmt::Expr(e, _) => expression(e, scope),
        _ => Ok(TokenStream::new()),
    }
}

fn expression(e: &Expr, scope: &mut Scope) -> Result<TokenStream> {
    match e {
        Expr::Assign(assign) => Ok(match &*assign.left {
            Expr::Field(field) if matches!(&field.member, Member::Named(n) if n == "next") => {
                let signal = &field.base;
                quote!(::rust_hdl::core::logic::logic_connect_fn(&mut #signal);)
            }
            _ => TokenStream::new(),
        }),
        Expr::If(x) => {
            let then = inner_block(&x.then_branch, scope)?;
            let otherwise = match &x.else_branch {
                Some((_, e)) => expression(e, scope)?,
                None => TokenStream::new(),
            };
            if scope.is_hardware(&x.cond) {
                Ok(quote!(#then #otherwise))
            } else {
                let cond = &x.cond;
                Ok(quote!(if #cond #then else { #otherwise }))
            }
        }
        Expr::Match(x) => {
            let arms: Result<Vec<_>> = x.arms.iter().map(|a| expression(&a.body, scope)).collect();
            let arms = arms?;
            Ok(quote!(#(#arms)*))
        }
        Expr::ForLoop(x) => {
            let (pat, range) = (&x.pat, &x.expr);
            let body = inner_block(&x.body, scope)?;
            Ok(quote!(for #pat in #range #body))
        }
        Expr::Block(x) => inner_block(&x.block, scope),
        _ => Ok(TokenStream::new()),
    }
}
