//! Expressions, with no parentheses but those that Rust's precedence needs: whoever reads them must know it too.

use super::{index_text, variable, Printer};
use crate::kernels::rules::{Place, Rules};
use crate::kernels::tree::*;
use num_bigint::BigUint;

/// What stands around a number.
#[derive(Clone, Copy, PartialEq)]
pub enum Position {
    /// Another operand gives the width.
    Operand,
    /// Nothing gives the width.
    Sized,
    /// The target gives the width.
    Assigned,
}

// How tight Rust's operators bind.
const ATOM: u8 = 10;
const UNARY: u8 = 9;
const SUM: u8 = 8;
const SHIFT: u8 = 7;
const AND: u8 = 6;
const XOR: u8 = 5;
const OR: u8 = 4;
const COMPARE: u8 = 3;
const BOTH: u8 = 2;
const EITHER: u8 = 1;

impl Printer<'_> {
    pub fn type_of(&self, expr: &Expr) -> Type {
        let mut rules = Rules::trusting(self.design, self.block);
        rules.ty(expr, Place::Cast).unwrap_or(Type::Bit)
    }

    pub fn path_type(&self, path: &Path) -> Type {
        let rules = Rules::trusting(self.design, self.block);
        rules.path(path).unwrap_or(Type::Bit)
    }

    pub fn text(&self, expr: &Expr, position: Position) -> String {
        self.expr(expr, position).0
    }

    /// As what a method is called on.
    pub fn receiver(&self, expr: &Expr) -> String {
        self.tight(expr, Position::Sized, ATOM)
    }

    /// In parentheses if it binds less tight than this.
    fn tight(&self, expr: &Expr, position: Position, least: u8) -> String {
        let (text, level) = self.expr(expr, position);
        match level < least {
            true => format!("({text})"),
            false => text,
        }
    }

    fn expr(&self, expr: &Expr, position: Position) -> (String, u8) {
        let args = expr.args.as_slice();
        let method = |call: String| (format!("{}.{call}", self.receiver(&args[0])), ATOM);
        let function = |name: &str| {
            let args: Vec<String> = args.iter().map(|a| self.text(a, Position::Sized)).collect();
            (format!("{name}({})", args.join(", ")), ATOM)
        };
        let infix = |operator: &str, level: u8, right: u8| self.infix(expr, operator, level, right);
        let fold = |name: &str, var: usize, range: &std::ops::Range<usize>| {
            let (var, body) = (variable(var), self.text(&args[0], Position::Sized));
            (
                format!("{name}({}..{}, |{var}| {body})", range.start, range.end),
                ATOM,
            )
        };
        match &expr.op {
            Op::Read(path) => self.read(path),
            Op::Member(path, member) => (
                format!("{}.val(){}", self.path(path), self.member(path, *member)),
                ATOM,
            ),
            Op::Number(ty, value) => self.number(*ty, value, position),
            Op::State(ty, state) => (self.state(*ty, *state), ATOM),
            Op::Loop(var, width) => {
                let var = variable(*var);
                match (self.is_plain(), position) {
                    (true, _) => (format!("{var}.to_bits::<{width}>()"), ATOM),
                    (false, Position::Operand) => (format!("({var} as u64)"), ATOM),
                    (false, _) => (format!("Value::new({width}, {var} as u64)"), ATOM),
                }
            }
            Op::Is(var, value) => (format!("{} == {value}", variable(*var)), COMPARE),
            Op::Let(name, _) => (format!("x{name}"), ATOM),
            Op::Not => (
                format!("!{}", self.tight(&args[0], Position::Sized, UNARY)),
                UNARY,
            ),
            Op::Neg => (
                format!("-{}", self.tight(&args[0], Position::Sized, UNARY)),
                UNARY,
            ),
            Op::All => method("all()".into()),
            Op::Any => method("any()".into()),
            Op::Parity => method("xor()".into()),
            Op::Signed => function("signed_cast"),
            Op::Unsigned => function("unsigned_cast"),
            Op::Into => method("into()".into()),
            Op::Cast(to) => self.cast(&args[0], *to),
            Op::Copies(width) => (
                format!(
                    "replicate({}, {width})",
                    self.text(&args[0], Position::Sized)
                ),
                ATOM,
            ),
            Op::AnyOf(var, range) => fold("any_of", *var, range),
            Op::OrOf(var, range) => fold("or_of", *var, range),
            Op::BitsOf(var, range) => fold("bits_of", *var, range),
            Op::And => infix("&", AND, AND + 1),
            Op::Or => infix("|", OR, OR + 1),
            Op::Xor => infix("^", XOR, XOR + 1),
            Op::Add | Op::AddBit => infix("+", SUM, SUM + 1),
            Op::Sub => infix("-", SUM, SUM + 1),
            Op::Compare(how) => infix(how.symbol(), COMPARE, COMPARE + 1),
            Op::Both => infix("&&", BOTH, BOTH + 1),
            Op::Either => infix("||", EITHER, EITHER + 1),
            Op::Cat => function("cat"),
            Op::Left(at) => self.shift(expr, "<<", *at),
            Op::Right(at) => self.shift(expr, ">>", *at),
            Op::Bit(at) => method(format!("get_bit({})", self.at(*at, &args[1..]))),
            Op::Slice(at, width) => match self.is_plain() {
                true => method(format!("get_bits::<{width}>({})", self.at(*at, &args[1..]))),
                false => method(format!("slice({}, {width})", self.offset(*at))),
            },
            Op::Replace(at) => {
                let bit = self.text(&args[1], Position::Sized);
                method(format!("replace_bit({}, {bit})", self.at(*at, &args[2..])))
            }
        }
    }

    fn read(&self, path: &Path) -> (String, u8) {
        let field = &self.design.blocks[self.block].fields[&path.field];
        let text = match field.role {
            Role::Constant if !self.is_plain() => format!("self.{}", self.field_name(field)),
            _ => format!("{}.val()", self.path(path)),
        };
        (text, ATOM)
    }

    fn infix(&self, expr: &Expr, operator: &str, level: u8, right: u8) -> (String, u8) {
        let [a, b] = [&expr.args[0], &expr.args[1]];
        let is_comparison = matches!(expr.op, Op::Compare(_));
        // A number takes its width from the other side, if that has one; a `Value` compares with one on its right only.
        let bare = !b.is_numeric() && expr.op != Op::AddBit && (self.is_plain() || !is_comparison);
        let of_left = match bare && matches!(a.op, Op::Number(..)) {
            true => Position::Operand,
            false => Position::Sized,
        };
        let least = if is_comparison { level + 1 } else { level };
        let (a, b) = (
            self.tight(a, of_left, least),
            self.tight(b, Position::Operand, right),
        );
        (format!("{a} {operator} {b}"), level)
    }

    fn shift(&self, expr: &Expr, operator: &str, at: At) -> (String, u8) {
        let amount = match (at, self.is_plain()) {
            (At::Value, _) => self.tight(&expr.args[1], Position::Sized, SHIFT + 1),
            (At::Fixed(n), true) => n.to_string(),
            (At::Fixed(n), false) => format!("{n}u64"),
            (At::Loop(index), true) => format!("({}).to_bits::<16>()", index_text(index)),
            (At::Loop(index), false) => format!("(({}) as u64)", index_text(index)),
        };
        // A number of Rust shifted by `Bits` is 64 bits wide.
        let position = match (&expr.args[0].op, at) {
            (Op::Number(Type::Bits(64), _), At::Value) if self.is_plain() => Position::Operand,
            _ => Position::Sized,
        };
        let value = self.tight(&expr.args[0], position, SHIFT);
        (format!("{value} {operator} {amount}"), SHIFT)
    }

    /// The index of a bit or a slice.
    fn at(&self, at: At, value: &[Expr]) -> String {
        match (at, self.is_plain(), value) {
            (At::Value, true, [value]) => format!("{}.index()", self.receiver(value)),
            (At::Value, false, [value]) => self.text(value, Position::Sized),
            (At::Fixed(n), false, _) => format!("{n}u64"),
            (At::Loop(index), false, _) => format!("({}) as u64", index_text(index)),
            _ => self.offset(at),
        }
    }

    /// A place that is a `usize`.
    fn offset(&self, at: At) -> String {
        match at {
            At::Fixed(n) => n.to_string(),
            At::Loop(index) => index_text(index),
            At::Value => String::new(),
        }
    }

    fn cast(&self, arg: &Expr, to: Type) -> (String, u8) {
        let text = match (self.is_plain(), to) {
            (true, Type::Bits(to)) => {
                let from = self.design.width(self.type_of(arg));
                let arg = self.text(arg, Position::Sized);
                format!("bit_cast::<{to}, {}>({arg})", from.unwrap_or(1))
            }
            (_, Type::Bits(to)) => format!("{}.resize({to})", self.receiver(arg)),
            _ => format!("{}.resize(self._own)", self.receiver(arg)),
        };
        (text, ATOM)
    }

    fn number(&self, ty: Type, value: &BigUint, position: Position) -> (String, u8) {
        let small = u64::try_from(value).ok();
        let digits = match small {
            Some(value) if value < 10 => value.to_string(),
            Some(value) if value > i32::MAX as u64 => format!("{value:#x}_u64"),
            _ => format!("{value:#x}"),
        };
        let text = match (ty, small, position) {
            (Type::Bit, ..) => (value.bits() > 0).to_string(),
            (Type::Signed(width), ..) => {
                let number = u64::try_from(value).unwrap_or_default() as i64;
                let negative = number >> (width - 1) & 1 == 1;
                match negative {
                    true => format!("(-{}).into()", (1i64 << width) - number),
                    false => format!("{number}.into()"),
                }
            }
            (Type::Own, ..) => {
                format!("Value::from_words(self._own, &{:?})", value.to_u32_digits())
            }
            (_, Some(_), Position::Operand) => digits,
            (_, Some(_), Position::Assigned) => format!("{digits}.into()"),
            (Type::Bits(width), Some(_), Position::Sized) if self.is_plain() => {
                format!("bits::<{width}>({digits})")
            }
            (Type::Bits(width), Some(_), Position::Sized) => {
                format!(
                    "Value::new({width}, {}u64)",
                    digits.trim_end_matches("_u64")
                )
            }
            (Type::Bits(width), None, _) if !self.is_plain() => {
                format!("Value::from_words({width}, &{:?})", value.to_u32_digits())
            }
            (Type::Bits(width), None, Position::Sized) => {
                format!("bit_cast::<{width}, {width}>({value:#x}_u128.to_bits::<{width}>())")
            }
            (Type::Bits(width), None, _) => format!("{value:#x}_u128.to_bits::<{width}>()"),
            (Type::Named { .. }, ..) => String::new(),
        };
        (text, ATOM)
    }
}

impl Compare {
    fn symbol(self) -> &'static str {
        match self {
            Compare::Eq => "==",
            Compare::Ne => "!=",
            Compare::Lt => "<",
            Compare::Le => "<=",
            Compare::Gt => ">",
            Compare::Ge => ">=",
        }
    }
}
