//! The tree of a random design: the generator makes it, the printer writes it as Rust, the shrinker takes it apart.
//!
//! Blocks, fields and types are named by their numbers, so that parts can go without the rest changing.

mod design;
mod path;
mod walk;

pub use path::{Index, Path, Port};
pub use walk::{each_expr, each_expr_mut, each_stmt};

use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::ops::Range;

/// How the blocks of a design are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `#[hdl_gen]` of rust-hdl on `Signal<_, Bits<N>>`.
    Plain,
    /// `#[kernel]` on `Wire`.
    Wired,
}

/// Blocks, children before parents; the last is the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    pub style: Style,
    pub blocks: Vec<Block>,
}

/// A kind of block: a Rust module with a struct `Unit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub name: String,
    /// It declares the name of its Verilog module.
    pub declared: bool,
    pub types: Vec<TypeDef>,
    pub fields: BTreeMap<usize, Field>,
    pub body: Vec<Stmt>,
}

/// A type of the block's own.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDef {
    pub name: String,
    pub kind: Kind,
}

/// What a [`TypeDef`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Its states.
    Enum(Vec<String>),
    /// Its members.
    Struct(Vec<(String, Type)>),
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    Bit,
    Bits(usize),
    /// Bits of a width that each instance has for itself.
    Own,
    Signed(usize),
    /// A type that a block defines.
    Named {
        block: usize,
        index: usize,
    },
}

/// A field of a block; the clock and the reset are not among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub role: Role,
    pub ty: Type,
    /// Lengths of the `Vec`s around the signal, the register or the children, outermost first.
    pub dims: Vec<usize>,
}

/// What a [`Field`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    Input,
    Output,
    Local,
    /// A value that instances may have different.
    Constant,
    Register(Register),
    /// Blocks of one kind; the field's type means nothing.
    Child(Child),
}

/// A register.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    pub storage: Storage,
    /// It keeps its value unless it is given another.
    pub hold: bool,
}

/// Which block is the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// `DFF` of rust-hdl.
    Dff,
    /// `Register` or `StateRegister` of fantree.
    Reset,
}

/// One or several children.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    pub block: usize,
    pub instances: Vec<Instance>,
}

/// What makes one instance differ from another.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Bits of [`Type::Own`].
    pub width: usize,
    /// What constants are made of.
    pub words: [u32; 5],
}

/// An expression: an operation and what it works on.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub op: Op,
    pub args: Vec<Expr>,
}

/// Where in a value: an amount of a shift, an index of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Fixed(usize),
    Loop(Index),
    /// The last argument of the operation.
    Value,
}

/// What an expression does.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    // Without arguments.
    Read(Path),
    /// A member of a signal that is a struct.
    Member(Path, usize),
    Number(Type, BigUint),
    State(Type, usize),
    /// A loop variable as so many bits.
    Loop(usize, usize),
    /// Whether a loop variable has a value.
    Is(usize, usize),
    /// The value of a `let`.
    Let(usize, Type),
    // With one.
    Not,
    Neg,
    All,
    Any,
    Parity,
    Signed,
    Unsigned,
    /// A bit, a state or a struct as bits, by `into`.
    Into,
    Cast(Type),
    /// `replicate`
    Copies(usize),
    /// `any_of` a range of a variable.
    AnyOf(usize, Range<usize>),
    /// `or_of`
    OrOf(usize, Range<usize>),
    /// `bits_of`
    BitsOf(usize, Range<usize>),
    // With two.
    And,
    Or,
    Xor,
    Add,
    Sub,
    /// A bit added to bits.
    AddBit,
    Compare(Compare),
    Both,
    Either,
    /// `cat`
    Cat,
    // With one or, where a value tells the place, one more.
    Left(At),
    Right(At),
    Bit(At),
    Slice(At, usize),
    /// Has the bit as its second argument.
    Replace(At),
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    Assign {
        target: Path,
        /// The member alone.
        member: Option<usize>,
        /// The value is brought to the target's width.
        fit: bool,
        value: Expr,
    },
    If {
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Match {
        on: Expr,
        arms: Vec<Arm>,
        default: Option<Vec<Stmt>>,
    },
    For {
        var: usize,
        range: Range<usize>,
        body: Vec<Stmt>,
    },
    Let {
        name: usize,
        value: Expr,
    },
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// A number, a bit or the position of a state.
    pub pattern: usize,
    pub body: Vec<Stmt>,
}
