//! Concatenations: flat, with neighbours joined, and recognised where a kernel shifts and ors.

use super::{Builder, Expr, Node};
use crate::verilog::scope::Type;

impl Builder<'_> {
    pub(super) fn repeat(&self, count: usize, a: Expr) -> Expr {
        Expr {
            ty: Type::bits(count * a.ty.width),
            node: Node::Repeat(count, Box::new(a)),
        }
    }

    /// The parts side by side, highest first; neighbours that belong together are joined.
    pub fn concat(&self, parts: Vec<Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::new();
        for part in parts {
            let inner = match part.node {
                Node::Concat(inner) => inner,
                _ => vec![part],
            };
            for part in inner {
                match flat.last().and_then(|last| self.joined(last, &part)) {
                    Some(joined) => *flat.last_mut().unwrap_or(&mut Expr::zero(1)) = joined,
                    None => flat.push(part),
                }
            }
        }
        if flat.len() == 1 {
            return flat.remove(0);
        }
        Expr {
            ty: Type::bits(flat.iter().map(|p| p.ty.width).sum()),
            node: Node::Concat(flat),
        }
    }

    /// Two neighbours as one: constants, and slices of one signal that meet.
    fn joined(&self, high: &Expr, low: &Expr) -> Option<Expr> {
        let width = high.ty.width + low.ty.width;
        let ty = Type::bits(width);
        match (&high.node, &low.node) {
            (Node::Const { value: h, .. }, Node::Const { value: l, .. }) => {
                Some(Expr::constant((h << low.ty.width) | l, ty))
            }
            (Node::Part { of, low: from }, Node::Part { of: other, low: at })
                if of == other && at + low.ty.width == *from =>
            {
                let whole = *at == 0 && width == self.scope.ty(*of).width;
                let node = match whole {
                    true => Node::Signal(*of),
                    false => Node::Part { of: *of, low: *at },
                };
                Some(Expr { ty, node })
            }
            _ => None,
        }
    }

    /// `a | b` as one concatenation, when wherever one has bits the other has constant zeros.
    pub(super) fn merge(&self, a: &Expr, b: &Expr) -> Option<Expr> {
        let parts = |e: &Expr| match &e.node {
            Node::Concat(parts) => Some(parts.clone()),
            _ => None,
        };
        let (mut left, mut right) = (parts(a)?, parts(b)?);
        let mut merged = Vec::new();
        left.reverse();
        right.reverse();
        while let (Some(x), Some(y)) = (left.pop(), right.pop()) {
            let width = x.ty.width.min(y.ty.width);
            let (zero, other, zeros) = match (x.is_zero(), y.is_zero()) {
                (true, _) if y.ty.width == width => (x, y, &mut left),
                (_, true) if x.ty.width == width => (y, x, &mut right),
                _ => return None,
            };
            if zero.ty.width > width {
                zeros.push(Expr::zero(zero.ty.width - width));
            }
            merged.push(other);
        }
        Some(self.concat(merged))
    }
}
