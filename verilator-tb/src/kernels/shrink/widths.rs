//! Designs with narrower signals.

use crate::kernels::tree::*;
use num_bigint::BigUint;
use std::collections::BTreeSet;

/// Every width made 1, half of it, and one less, everywhere at once.
pub fn narrower(design: &Design) -> Vec<Design> {
    let mut all = vec![];
    for width in widths(design) {
        let new: BTreeSet<usize> = [1, width / 2, width - 1].into();
        for new in new.into_iter().filter(|new| (1..width).contains(new)) {
            all.push(with_width(design.clone(), width, new));
        }
    }
    all
}

fn widths(design: &Design) -> BTreeSet<usize> {
    let mut widths = BTreeSet::new();
    let mut note = |ty: &Type| {
        if let Type::Bits(width) | Type::Signed(width) = ty {
            widths.insert(*width);
        }
    };
    for block in design.used_blocks() {
        let block = &design.blocks[block];
        block.fields.values().for_each(|field| note(&field.ty));
        each_expr(&block.body, &mut |expr| match &expr.op {
            Op::Number(ty, _) | Op::Cast(ty) | Op::Let(_, ty) => note(ty),
            Op::Slice(_, width) | Op::Copies(width) => note(&Type::Bits(*width)),
            _ => {}
        });
    }
    widths
}

fn with_width(mut design: Design, old: usize, new: usize) -> Design {
    let number = |width: &mut usize| {
        if *width == old {
            *width = new;
        }
    };
    let change = |ty: &mut Type| {
        if let Type::Bits(width) | Type::Signed(width) = ty {
            number(width);
        }
    };
    let place = |at: &mut At| {
        if let At::Fixed(n) = at {
            *n = (*n).min(new - 1);
        }
    };
    for block in &mut design.blocks {
        for field in block.fields.values_mut() {
            change(&mut field.ty);
            if let Role::Child(child) = &mut field.role {
                child
                    .instances
                    .iter_mut()
                    .for_each(|instance| number(&mut instance.width));
            }
        }
        for definition in &mut block.types {
            if let Kind::Struct(members) = &mut definition.kind {
                members.iter_mut().for_each(|(_, ty)| change(ty));
            }
        }
        each_expr_mut(&mut block.body, &mut |expr| match &mut expr.op {
            Op::Number(ty, value) => {
                change(ty);
                if let Type::Bits(width) | Type::Signed(width) = ty {
                    *value &= (BigUint::from(1u8) << *width) - 1u8;
                }
            }
            Op::Cast(ty) | Op::Let(_, ty) => change(ty),
            Op::Loop(_, width) | Op::Copies(width) => number(width),
            Op::Slice(at, width) => {
                number(width);
                place(at);
            }
            Op::Bit(at) | Op::Replace(at) => place(at),
            _ => {}
        });
    }
    design
}
