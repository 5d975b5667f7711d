//! Numbers, and what is read.

use super::body::{Body, Bundle};
use crate::kernels::rules::WIDEST_LITERAL;
use crate::kernels::tree::*;
use num_bigint::BigUint;
use rand::Rng;

impl Body<'_> {
    /// A number of the type, often one at an edge.
    pub fn number(&mut self, ty: Type) -> Expr {
        let width = self
            .maker
            .design
            .width(ty)
            .unwrap_or(40)
            .min(WIDEST_LITERAL as usize);
        let rng = &mut self.maker.rng;
        let one = BigUint::from(1u8);
        let ones = (&one << width) - 1u8;
        let bit = &one << rng.gen_range(0..width);
        let random = BigUint::new((0..5).map(|_| rng.gen()).collect());
        let value = match rng.gen_range(0..9) {
            0 => BigUint::default(),
            1 => one,
            2 => ones.clone(),
            3 => &ones - 1u8,
            4 => &one << (width - 1),
            5 => (&one << (width - 1)) - 1u8,
            6 => bit - 1u8,
            7 => bit,
            _ => random,
        };
        Expr::leaf(Op::Number(ty, value & ones))
    }

    /// Whether some loop variable has a value for this many bits.
    pub fn loop_fits(&self, width: usize) -> bool {
        let fits = |range: &std::ops::Range<usize>| range.end <= 1 << width.min(16);
        self.closed == 0 && self.vars.iter().any(|(_, range)| fits(range))
    }

    pub fn loop_value(&mut self, width: usize) -> Expr {
        let fits = |range: &std::ops::Range<usize>| range.end <= 1 << width.min(16);
        let vars: Vec<usize> = self
            .vars
            .iter()
            .filter(|(_, r)| fits(r))
            .map(|v| v.0)
            .collect();
        Expr::leaf(Op::Loop(
            vars[self.maker.rng.gen_range(0..vars.len())],
            width,
        ))
    }

    /// Something of exactly this type that can be read here.
    pub fn source(&mut self, ty: Type) -> Option<Expr> {
        let lets: Vec<usize> = self
            .lets
            .iter()
            .filter(|l| l.1 == ty)
            .map(|l| l.0)
            .collect();
        if !lets.is_empty() && self.maker.chance(25) {
            let name = lets[self.maker.rng.gen_range(0..lets.len())];
            return Some(Expr::leaf(Op::Let(name, ty)));
        }
        let fresh: Vec<Path> = self
            .fresh
            .iter()
            .filter(|t| t.ty == ty)
            .map(|t| t.path.clone())
            .collect();
        let fixed = |path: &Path| path.indexes().all(|at| matches!(at, Index::Fixed(_)));
        let fresh: Vec<Path> = fresh
            .into_iter()
            .filter(|p| self.closed == 0 || fixed(p))
            .collect();
        if !fresh.is_empty() && self.maker.chance(40) {
            let at = self.maker.rng.gen_range(0..fresh.len());
            return Some(Expr::leaf(Op::Read(fresh[at].clone())));
        }
        let mut found: Vec<(Bundle, Option<usize>)> = vec![];
        for bundle in &self.sources {
            if bundle.ty == ty {
                found.push((bundle.clone(), None));
            }
            let members = self.maker.design.members(bundle.ty).iter().enumerate();
            found.extend(
                members
                    .filter(|(_, m)| m.1 == ty)
                    .map(|(at, _)| (bundle.clone(), Some(at))),
            );
        }
        if found.is_empty() {
            return None;
        }
        let (bundle, member) = found.swap_remove(self.maker.rng.gen_range(0..found.len()));
        Some(match member {
            None => Expr::leaf(Op::Read(self.element(&bundle))),
            Some(member) => {
                // A member is reached through no loop variable.
                self.closed += 1;
                let path = self.element(&bundle);
                self.closed -= 1;
                Expr::leaf(Op::Member(path, member))
            }
        })
    }

    /// States and members that are states.
    pub fn enum_sources(&mut self) -> Vec<(Expr, Type)> {
        let mut types: Vec<Type> = vec![];
        for bundle in &self.sources {
            types.push(bundle.ty);
            types.extend(
                self.maker
                    .design
                    .members(bundle.ty)
                    .iter()
                    .map(|member| member.1),
            );
        }
        types.sort();
        types.dedup();
        types.retain(|ty| !self.maker.design.states(*ty).is_empty());
        types
            .into_iter()
            .filter_map(|ty| Some((self.source(ty)?, ty)))
            .collect()
    }

    pub fn read_one(&mut self, bundles: &[Bundle]) -> Option<Expr> {
        if bundles.is_empty() {
            return None;
        }
        let at = self.maker.rng.gen_range(0..bundles.len());
        Some(Expr::leaf(Op::Read(self.element(&bundles[at]))))
    }

    /// One signal of a bundle.
    pub fn element(&mut self, bundle: &Bundle) -> Path {
        let at: Vec<Index> = bundle
            .all_dims()
            .into_iter()
            .map(|dim| self.index(dim))
            .collect();
        bundle.at(&at)
    }

    pub fn index(&mut self, dim: usize) -> Index {
        match self.loop_index(dim) {
            Some(index) if self.maker.chance(75) => index,
            _ => Index::Fixed(self.maker.rng.gen_range(0..dim)),
        }
    }

    /// An index below `dim` made of a loop variable, if one is in reach.
    pub fn loop_index(&mut self, dim: usize) -> Option<Index> {
        if self.closed > 0 || self.vars.is_empty() {
            return None;
        }
        let at = self.maker.rng.gen_range(0..self.vars.len());
        let (var, end) = (self.vars[at].0, self.vars[at].1.end);
        let room = dim.checked_sub(end);
        let rng = &mut self.maker.rng;
        match (rng.gen_range(0..5), room) {
            (0, Some(_)) => Some(Index::From(dim - 1, var)),
            (1, Some(room)) => Some(Index::Plus(var, rng.gen_range(0..=room))),
            (2, Some(_)) if end > 1 => {
                let step = rng.gen_range(1..=(dim - 1) / (end - 1));
                let most = dim - 1 - step * (end - 1);
                Some(Index::Times(var, step, rng.gen_range(0..=most.min(3))))
            }
            (3, _) if dim > 1 => Some(Index::Ring(var, rng.gen_range(1..4), dim)),
            (_, Some(_)) => Some(Index::Plus(var, 0)),
            _ => None,
        }
    }
}
