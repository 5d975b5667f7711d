//! Blocks: types, fields, the constructor, and the kernel with its clocks.

use super::Printer;
use crate::kernels::tree::*;

impl Printer<'_> {
    pub fn block(&self) -> String {
        let block = &self.design.blocks[self.block];
        let mut text = format!("pub mod {} {{\n    use super::*;\n", block.name);
        for (index, definition) in block.types.iter().enumerate() {
            let block = self.block;
            if self.design.mentions(Type::Named { block, index }) {
                text += &self.definition(definition);
            }
        }
        let (mut fields, mut values) = (String::new(), String::new());
        if self.design.is_clocked(self.block) {
            fields +=
                "        pub clock: Signal<In, Clock>,\n        pub reset: Signal<In, Bit>,\n";
            values += "                clock: Default::default(),\n                reset: Default::default(),\n";
        }
        for field in block.fields.values() {
            let name = self.field_name(field);
            fields += &format!("        pub {name}: {},\n", self.field_type(field));
            values += &format!("                {name}: {},\n", self.field_value(field));
        }
        fields += "        _own: usize,\n";
        values += "                _own: own,\n";
        let attribute = if self.is_plain() { "hdl_gen" } else { "kernel" };
        let comment = match block.declared {
            true => format!("            comment!(\"module: {}\");\n", block.name),
            false => String::new(),
        };
        text += &format!(
            "
    #[derive(LogicBlock, Ports)]
    pub struct Unit {{
{fields}    }}

    impl Unit {{
        pub fn new(own: usize, words: &[u32]) -> Self {{
            Self {{
{values}            }}
        }}
    }}

    impl Logic for Unit {{
        #[{attribute}]
        fn update(&mut self) {{
{comment}{}{}        }}
    }}
}}
",
            self.clocks(),
            self.stmts(&block.body, 3)
        );
        text
    }

    fn definition(&self, definition: &TypeDef) -> String {
        let name = &definition.name;
        match &definition.kind {
            Kind::Enum(states) => format!(
                "
    #[derive(Copy, Clone, PartialEq, Debug, LogicState, FromWords)]
    pub enum {name} {{
        {},
    }}
",
                states.join(", ")
            ),
            Kind::Struct(members) => {
                let member = |(name, ty): &(String, Type)| {
                    format!("        pub {name}: {},\n", self.value_type(*ty))
                };
                let members: String = members.iter().map(member).collect();
                format!(
                    "
    #[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct, FromWords)]
    pub struct {name} {{
{members}    }}
"
                )
            }
        }
    }

    fn value_type(&self, ty: Type) -> String {
        match ty {
            Type::Bit => "Bit".to_owned(),
            Type::Bits(width) => format!("Bits<{width}>"),
            Type::Signed(width) => format!("Signed<{width}>"),
            Type::Own => "Value".to_owned(),
            Type::Named { .. } => self.type_name(ty),
        }
    }

    /// Whether a `Wire` carries the type.
    fn is_wire(&self, ty: Type) -> bool {
        !self.is_plain() && matches!(ty, Type::Bits(_) | Type::Own)
    }

    /// Configuration of a `#[kernel]` block has a name that rust-hdl passes over.
    pub fn field_name(&self, field: &Field) -> String {
        match field.role {
            Role::Constant if !self.is_plain() => format!("_{}", field.name),
            _ => field.name.clone(),
        }
    }

    fn field_type(&self, field: &Field) -> String {
        let (ty, wire) = (self.value_type(field.ty), self.is_wire(field.ty));
        let signal = |direction: &str| match wire {
            true => format!("Wire<{direction}>"),
            false => format!("Signal<{direction}, {ty}>"),
        };
        let one = match &field.role {
            Role::Input => signal("In"),
            Role::Output => signal("Out"),
            Role::Local => signal("Local"),
            Role::Constant => match field.ty {
                _ if self.is_plain() => format!("Constant<{ty}>"),
                Type::Bit => "bool".to_owned(),
                _ => "Value".to_owned(),
            },
            Role::Register(register) => match register.storage {
                Storage::Reset if wire => "Register".to_owned(),
                Storage::Reset => format!("StateRegister<{ty}>"),
                Storage::Dff => format!("DFF<{ty}>"),
            },
            Role::Child(child) => format!("{}::Unit", self.design.blocks[child.block].name),
        };
        field
            .dims
            .iter()
            .fold(one, |inner, _| format!("Vec<{inner}>"))
    }

    fn field_value(&self, field: &Field) -> String {
        if let Role::Child(child) = &field.role {
            let name = &self.design.blocks[child.block].name;
            let new = |instance: &Instance| {
                format!(
                    "{name}::Unit::new({}, &{:?})",
                    instance.width, instance.words
                )
            };
            let all: Vec<String> = child.instances.iter().map(new).collect();
            return match field.dims.is_empty() {
                true => all.concat(),
                false => format!("vec![{}]", all.join(", ")),
            };
        }
        let width = match field.ty {
            Type::Bits(width) => width.to_string(),
            _ => "own".to_owned(),
        };
        let wire = self.is_wire(field.ty);
        let one = match &field.role {
            Role::Constant if wire => format!("Value::from_words({width}, words)"),
            Role::Constant if !self.is_plain() => "words[0] & 1 == 1".to_owned(),
            Role::Constant => "Constant::new(FromWords::from_words(words))".to_owned(),
            Role::Register(_) if wire => format!("Register::new({width})"),
            _ if wire => format!("Wire::new({width})"),
            _ => "Default::default()".to_owned(),
        };
        field
            .dims
            .iter()
            .rev()
            .fold(one, |inner, dim| format!("many({dim}, |_| {inner})"))
    }

    /// The statements that bring clock and reset to registers and children.
    fn clocks(&self) -> String {
        let mut text = String::new();
        for field in self.design.blocks[self.block].fields.values() {
            let (hold, reset) = match &field.role {
                Role::Register(register) => (register.hold, register.storage == Storage::Reset),
                Role::Child(child) if self.design.is_clocked(child.block) => (false, true),
                _ => continue,
            };
            let inside = !field.dims.is_empty();
            let one = format!("self.{}{}", field.name, if inside { "[i]" } else { "" });
            let lines = self.clock(&field.name, &one, hold, reset, inside);
            text += &match field.dims.first() {
                None => lines
                    .iter()
                    .map(|line| format!("            {line}\n"))
                    .collect(),
                Some(dim) => {
                    let lines: String = lines
                        .iter()
                        .map(|l| format!("                {l}\n"))
                        .collect();
                    format!("            for i in 0..{dim} {{\n{lines}            }}\n")
                }
            };
        }
        text
    }

    fn clock(&self, name: &str, one: &str, hold: bool, reset: bool, inside: bool) -> Vec<String> {
        match (self.is_plain(), reset, hold) {
            (true, false, true) if !inside => vec![format!("dff_setup!(self, clock, {name});")],
            (true, false, false) if !inside => vec![format!("clock!(self, clock, {name});")],
            (false, true, true) => vec![format!("registers!({one});")],
            (false, true, false) => vec![format!("clocked!({one});")],
            _ => {
                let mut lines = vec![format!("{one}.clock.next = self.clock.val();")];
                if reset {
                    lines.push(format!("{one}.reset.next = self.reset.val();"));
                }
                if hold {
                    lines.push(format!("{one}.d.next = {one}.q.val();"));
                }
                lines
            }
        }
    }
}
