//! Designs without some of their fields.

use super::zero;
use crate::kernels::rules::Rules;
use crate::kernels::tree::*;
use crate::traffic::Random;
use rand::Rng;

/// Without one field, and with one output of the top alone.
pub fn without_some(design: &Design) -> Vec<Design> {
    let mut all = vec![];
    let top = design.top();
    let outputs = |design: &Design| -> Vec<usize> {
        let fields = design.blocks[top].fields.iter();
        fields
            .filter(|(_, field)| field.role == Role::Output)
            .map(|(id, _)| *id)
            .collect()
    };
    for kept in outputs(design) {
        let others = outputs(design).into_iter().filter(|output| *output != kept);
        all.push(others.fold(design.clone(), |design, other| without(design, top, other)));
    }
    for block in design.used_blocks() {
        for &field in design.blocks[block].fields.keys() {
            all.push(without(design.clone(), block, field));
        }
    }
    all
}

/// Without each field with this chance in percent.
pub fn without_many(design: &Design, chance: u32, rng: &mut Random) -> Design {
    let mut fewer = design.clone();
    for block in design.used_blocks() {
        for &field in design.blocks[block].fields.keys() {
            if rng.gen_range(0..100) < chance {
                fewer = without(fewer, block, field);
            }
        }
    }
    fewer
}

/// Without this field: nothing drives it, and what read it reads zero.
fn without(mut design: Design, block: usize, field: usize) -> Design {
    let whole = design.clone();
    let users: Vec<usize> = (block..design.blocks.len()).collect();
    for user in users {
        // The field itself in its block, the port of a child in others.
        let is_it = |path: &Path| match &path.port {
            Port::Of(port, _) if user != block => {
                *port == field
                    && whole
                        .child(user, path.field)
                        .is_some_and(|child| child.block == block)
            }
            _ => user == block && path.field == field,
        };
        let body = &mut design.blocks[user].body;
        remove_assignments(body, &is_it);
        let rules = Rules::trusting(&whole, user);
        each_expr_mut(body, &mut |expr| {
            let ty = match &expr.op {
                Op::Read(path) if is_it(path) => rules.path(path),
                Op::Member(path, member) if is_it(path) => {
                    let ty = rules.path(path);
                    ty.and_then(|ty| Some(whole.members(ty).get(*member)?.1))
                }
                _ => None,
            };
            if let Some(zero) = ty.and_then(|ty| zero(ty, &whole)) {
                *expr = zero;
            }
        });
    }
    design.blocks[block].fields.remove(&field);
    design
}

fn remove_assignments(stmts: &mut Vec<Stmt>, is_it: &impl Fn(&Path) -> bool) {
    stmts.retain(|stmt| !matches!(stmt, Stmt::Assign { target, .. } if is_it(target)));
    for stmt in stmts {
        for list in stmt.lists_mut() {
            remove_assignments(list, is_it);
        }
    }
}

/// Without what nobody reads.
pub fn tidy(mut design: Design) -> Design {
    loop {
        for block in &mut design.blocks {
            remove_empty(&mut block.body);
        }
        match unread(&design) {
            Some((block, field)) => design = without(design, block, field),
            None => return design,
        }
    }
}

fn remove_empty(stmts: &mut Vec<Stmt>) {
    for stmt in stmts.iter_mut() {
        stmt.lists_mut().into_iter().for_each(remove_empty);
    }
    let is_empty = |stmt: &Stmt| {
        let lists = stmt.lists();
        !lists.is_empty() && lists.iter().all(|list| list.is_empty())
    };
    stmts.retain(|stmt| !is_empty(stmt));
}

/// A field that nobody reads, and its block.
fn unread(design: &Design) -> Option<(usize, usize)> {
    for block in design.used_blocks() {
        for (&id, field) in &design.blocks[block].fields {
            let read = match field.role {
                Role::Output if block == design.top() => true,
                Role::Output => {
                    (block..design.blocks.len()).any(|user| {
                        reads(design, user, |path| {
                            let child = design.child(user, path.field);
                            child.is_some_and(|child| child.block == block)
                                && matches!(path.port, Port::Of(port, _) if port == id)
                        })
                    }) || reads(design, block, |path| path.field == id)
                }
                _ => reads(design, block, |path| path.field == id),
            };
            if !read {
                return Some((block, id));
            }
        }
    }
    None
}

fn reads(design: &Design, block: usize, is_it: impl Fn(&Path) -> bool) -> bool {
    let mut found = false;
    each_expr(&design.blocks[block].body, &mut |expr| {
        if let Op::Read(path) | Op::Member(path, _) = &expr.op {
            found |= is_it(path);
        }
    });
    found
}
