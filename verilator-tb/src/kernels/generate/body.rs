//! The body of a kernel: what is driven, in which order, from what.
//!
//! Each signal is driven by one group of statements, and read by later groups only; so there is no loop, and no read
//! between two writes. What a register holds can be read everywhere.

use super::Maker;
use crate::kernels::rules::Rules;
use crate::kernels::tree::*;
use rand::seq::SliceRandom;
use rand::Rng;
use std::ops::Range;

/// A signal or `Vec` of signals that can be read or driven; its path has no indexes yet.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub path: Path,
    pub ty: Type,
    /// Lengths around the field, and around the port of a child.
    pub dims: (Vec<usize>, Vec<usize>),
    /// A register that is held where it is not driven.
    pub hold: bool,
}

/// One signal to drive.
#[derive(Clone, Debug)]
pub struct Target {
    pub path: Path,
    pub ty: Type,
    pub fit: bool,
}

/// Writes the body of a block.
pub struct Body<'a> {
    pub maker: &'a mut Maker,
    pub block: usize,
    pub sources: Vec<Bundle>,
    /// Single signals that were driven just now.
    pub fresh: Vec<Target>,
    /// Loop variables around.
    pub vars: Vec<(usize, Range<usize>)>,
    pub lets: Vec<(usize, Type)>,
    pub next_let: usize,
    /// Depth of calls in which loop variables are out of reach.
    pub closed: usize,
    /// The block has signals of its instance's own width; of its children such signals are only cast.
    pub owns: bool,
}

/// What is driven at one time.
struct Step {
    bundles: Vec<Bundle>,
    /// What can be read afterwards.
    gives: Vec<Bundle>,
    /// Steps are taken in the order of this.
    order: u32,
}

impl Maker {
    pub fn body(&mut self, block: usize) -> Vec<Stmt> {
        let mut fields = self.design.blocks[block].fields.values();
        let owns = fields.any(|field| field.ty == Type::Own);
        let mut body = Body {
            maker: self,
            owns,
            block,
            sources: vec![],
            fresh: vec![],
            vars: vec![],
            lets: vec![],
            next_let: 0,
            closed: 0,
        };
        body.write()
    }
}

impl Body<'_> {
    fn write(&mut self) -> Vec<Stmt> {
        let mut steps = self.steps();
        steps.sort_by_key(|step| step.order);
        let mut groups = vec![];
        let mut steps = steps.into_iter().peekable();
        while let Some(mut step) = steps.next() {
            // Two signals may share their control flow.
            let single = |step: &Step| step.bundles.iter().all(|b| b.is_single() && !b.hold);
            while self.maker.chance(25)
                && steps
                    .peek()
                    .is_some_and(|next| single(&step) && single(next))
            {
                if let Some(next) = steps.next() {
                    step.bundles.extend(next.bundles);
                    step.gives.extend(next.gives);
                }
            }
            if !self.maker.is_plain() && self.maker.chance(20) {
                groups.push(vec![self.new_let()]);
            }
            groups.push(self.group(&step.bundles));
            self.sources.extend(step.gives);
        }
        // What is read before it is written has its final value when nothing changes any more.
        if self.lets.is_empty() && self.maker.chance(15) {
            groups.shuffle(&mut self.maker.rng);
        }
        groups.concat()
    }

    /// Notes what can be read from the beginning, and lists what must be driven.
    fn steps(&mut self) -> Vec<Step> {
        let mut steps = vec![];
        let fields = self.maker.design.blocks[self.block].fields.clone();
        for (id, field) in fields {
            let bundle = |port| Bundle {
                path: Path {
                    field: id,
                    at: vec![],
                    port,
                },
                ty: field.ty,
                dims: (field.dims.clone(), vec![]),
                hold: false,
            };
            let order = match &field.role {
                Role::Input | Role::Constant => {
                    self.sources.push(bundle(Port::Field));
                    continue;
                }
                Role::Local | Role::Child(_) => 0..700,
                Role::Output => 400..1000,
                Role::Register(_) => 300..1000,
            };
            let (bundles, gives) = match &field.role {
                Role::Register(register) => {
                    self.sources.push(bundle(Port::Q));
                    let mut d = bundle(Port::D);
                    d.hold = register.hold;
                    (vec![d], vec![])
                }
                Role::Child(child) => self.child_ports(id, &field, child.block),
                _ => (vec![bundle(Port::Field)], vec![bundle(Port::Field)]),
            };
            steps.push(Step {
                bundles,
                gives,
                order: self.maker.rng.gen_range(order),
            });
        }
        steps
    }

    /// Inputs and outputs of children.
    fn child_ports(&self, id: usize, field: &Field, block: usize) -> (Vec<Bundle>, Vec<Bundle>) {
        let ports = self.maker.design.blocks[block].fields.iter();
        let bundle = |(port, signal): (&usize, &Field)| Bundle {
            path: Path {
                field: id,
                at: vec![],
                port: Port::Of(*port, vec![]),
            },
            ty: signal.ty,
            dims: (field.dims.clone(), signal.dims.clone()),
            hold: false,
        };
        let of = |role: Role| {
            let ports = ports.clone().filter(|(_, port)| port.role == role);
            ports.map(bundle).collect::<Vec<_>>()
        };
        (of(Role::Input), of(Role::Output))
    }

    fn group(&mut self, bundles: &[Bundle]) -> Vec<Stmt> {
        if bundles
            .iter()
            .all(|bundle| bundle.is_single() && !bundle.hold)
        {
            let targets: Vec<Target> = bundles.iter().map(|b| self.target(b, &[])).collect();
            return self.drive(&targets, 2, true);
        }
        let drive = |bundle: &Bundle| self.drive_bundle(bundle);
        bundles.iter().map(drive).collect::<Vec<_>>().concat()
    }

    fn drive_bundle(&mut self, bundle: &Bundle) -> Vec<Stmt> {
        let dims: Vec<usize> = bundle.all_dims();
        match dims.as_slice() {
            [count] if bundle.is_chain() && self.maker.chance(50) => self.chain(bundle, *count),
            [] => self.drive_one(bundle, &[]),
            _ if self.maker.chance(70) => self.loops(bundle, &dims, &[]),
            _ => {
                let places = crate::kernels::rules::places(&dims);
                let fixed =
                    |place: Vec<usize>| place.into_iter().map(Index::Fixed).collect::<Vec<_>>();
                let drive = |place| self.drive_one(bundle, &fixed(place));
                places.into_iter().map(drive).collect::<Vec<_>>().concat()
            }
        }
    }

    fn drive_one(&mut self, bundle: &Bundle, at: &[Index]) -> Vec<Stmt> {
        let target = self.target(bundle, at);
        match bundle.hold {
            true => self.overrides(&[target], 2),
            false => self.drive(&[target], if at.is_empty() { 2 } else { 1 }, true),
        }
    }

    /// A loop for each dimension that is left.
    fn loops(&mut self, bundle: &Bundle, dims: &[usize], at: &[Index]) -> Vec<Stmt> {
        let Some(&dim) = dims.get(at.len()) else {
            return self.drive_one(bundle, at);
        };
        let var = self.vars.len();
        self.vars.push((var, 0..dim));
        let index = match self.maker.chance(20) {
            true => Index::From(dim - 1, var),
            false => Index::Plus(var, 0),
        };
        let body = self.loops(bundle, dims, &[at, &[index]].concat());
        self.vars.pop();
        vec![Stmt::For {
            var,
            range: 0..dim,
            body,
        }]
    }

    /// Each signal of a `Vec` from the one before it.
    fn chain(&mut self, bundle: &Bundle, count: usize) -> Vec<Stmt> {
        let first = self.target(bundle, &[Index::Fixed(0)]);
        let mut stmts = self.drive(&[first], 1, true);
        let var = self.vars.len();
        self.vars.push((var, 0..count - 1));
        let before = self.target(bundle, &[Index::Plus(var, 0)]);
        self.fresh.push(before);
        let next = self.target(bundle, &[Index::Plus(var, 1)]);
        let body = self.drive(&[next], 1, false);
        self.fresh.pop();
        self.vars.pop();
        stmts.push(Stmt::For {
            var,
            range: 0..count - 1,
            body,
        });
        stmts
    }

    /// The signal at these indexes.
    pub fn target(&self, bundle: &Bundle, at: &[Index]) -> Target {
        let path = bundle.at(at);
        let rules = Rules::trusting(&self.maker.design, self.block);
        let ty = rules.path(&path).unwrap_or(bundle.ty);
        let in_child = matches!(path.port, Port::Of(..));
        Target {
            // In a loop over children of several widths.
            fit: in_child && ty == Type::Own,
            path,
            ty,
        }
    }

    fn new_let(&mut self) -> Stmt {
        let ty = match self.maker.chance(30) {
            true => Type::Bit,
            false => Type::Bits(self.maker.width()),
        };
        let value = self.expr(ty, 3);
        let name = self.next_let;
        self.next_let += 1;
        self.lets.push((name, ty));
        Stmt::Let { name, value }
    }
}

impl Bundle {
    pub fn is_single(&self) -> bool {
        self.dims.0.is_empty() && self.dims.1.is_empty()
    }

    pub fn all_dims(&self) -> Vec<usize> {
        [self.dims.0.as_slice(), &self.dims.1].concat()
    }

    fn is_chain(&self) -> bool {
        self.path.port == Port::Field && !matches!(self.ty, Type::Named { .. })
    }

    /// The path with its indexes.
    pub fn at(&self, at: &[Index]) -> Path {
        let (outer, inner) = at.split_at(self.dims.0.len());
        Path {
            field: self.path.field,
            at: outer.to_vec(),
            port: match &self.path.port {
                Port::Of(port, _) => Port::Of(*port, inner.to_vec()),
                port => port.clone(),
            },
        }
    }
}
