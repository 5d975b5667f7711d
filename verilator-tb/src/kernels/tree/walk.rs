//! Going through statements and expressions.

use super::{Expr, Op, Stmt};

impl Expr {
    pub fn new(op: Op, args: Vec<Expr>) -> Expr {
        Expr { op, args }
    }

    pub fn leaf(op: Op) -> Expr {
        Expr { op, args: vec![] }
    }

    /// A number of Rust, which takes its width from elsewhere.
    pub fn is_numeric(&self) -> bool {
        matches!(self.op, Op::Number(..) | Op::Loop(..))
    }

    /// Calls `f` with this expression and all in it.
    pub fn each(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        self.args.iter().for_each(|arg| arg.each(f));
    }

    /// Calls `f` with all expressions in this one, then with itself.
    pub fn each_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        self.args.iter_mut().for_each(|arg| arg.each_mut(f));
        f(self);
    }
}

impl Stmt {
    /// The lists of statements inside.
    pub fn lists(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::Assign { .. } | Stmt::Let { .. } => vec![],
            Stmt::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Stmt::Match { arms, default, .. } => {
                arms.iter().map(|arm| &arm.body).chain(default).collect()
            }
            Stmt::For { body, .. } => vec![body],
        }
    }

    /// The lists of statements inside, to change.
    pub fn lists_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::Assign { .. } | Stmt::Let { .. } => vec![],
            Stmt::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Stmt::Match { arms, default, .. } => arms
                .iter_mut()
                .map(|arm| &mut arm.body)
                .chain(default)
                .collect(),
            Stmt::For { body, .. } => vec![body],
        }
    }

    /// The expression of this statement itself.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Stmt::Assign { value, .. } | Stmt::Let { value, .. } => Some(value),
            Stmt::If { test, .. } => Some(test),
            Stmt::Match { on, .. } => Some(on),
            Stmt::For { .. } => None,
        }
    }

    /// The expression of this statement itself, to change.
    pub fn expr_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Stmt::Assign { value, .. } | Stmt::Let { value, .. } => Some(value),
            Stmt::If { test, .. } => Some(test),
            Stmt::Match { on, .. } => Some(on),
            Stmt::For { .. } => None,
        }
    }
}

/// Calls `f` with every statement, outer ones first.
pub fn each_stmt(stmts: &[Stmt], f: &mut impl FnMut(&Stmt)) {
    for stmt in stmts {
        f(stmt);
        stmt.lists().into_iter().for_each(|list| each_stmt(list, f));
    }
}

/// Calls `f` with every expression of the statements, outer ones first.
pub fn each_expr(stmts: &[Stmt], f: &mut impl FnMut(&Expr)) {
    each_stmt(stmts, &mut |stmt| {
        if let Some(expr) = stmt.expr() {
            expr.each(f);
        }
    });
}

/// Calls `f` with every expression of the statements, inner ones first.
pub fn each_expr_mut(stmts: &mut [Stmt], f: &mut impl FnMut(&mut Expr)) {
    for stmt in stmts {
        if let Some(expr) = stmt.expr_mut() {
            expr.each_mut(f);
        }
        for list in stmt.lists_mut() {
            each_expr_mut(list, f);
        }
    }
}
