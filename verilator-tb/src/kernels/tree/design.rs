//! What can be asked of a design.

use super::*;

impl Design {
    pub fn top(&self) -> usize {
        self.blocks.len() - 1
    }

    /// The kind of block that a child field holds.
    pub fn child(&self, block: usize, field: usize) -> Option<&Child> {
        match &self.blocks[block].fields.get(&field)?.role {
            Role::Child(child) => Some(child),
            _ => None,
        }
    }

    /// Whether the block has a clock and a reset.
    pub fn is_clocked(&self, block: usize) -> bool {
        let mut roles = self.blocks[block].fields.values().map(|field| &field.role);
        roles.any(|role| match role {
            Role::Register(_) => true,
            Role::Child(child) => self.is_clocked(child.block),
            _ => false,
        })
    }

    /// The blocks that the top is made of, itself included, children first.
    pub fn used_blocks(&self) -> Vec<usize> {
        let mut used = vec![false; self.blocks.len()];
        used[self.top()] = true;
        for block in (0..self.blocks.len()).rev() {
            if used[block] {
                for field in self.blocks[block].fields.values() {
                    if let Role::Child(child) = &field.role {
                        used[child.block] = true;
                    }
                }
            }
        }
        (0..used.len()).filter(|block| used[*block]).collect()
    }

    /// Whether a field, a member or an expression is of this type.
    pub fn mentions(&self, ty: Type) -> bool {
        self.used_blocks().into_iter().any(|block| {
            let block = &self.blocks[block];
            let mut found = block.fields.values().any(|field| field.ty == ty);
            each_expr(&block.body, &mut |expr| {
                found |= matches!(&expr.op, Op::State(of, _) | Op::Let(_, of) if *of == ty);
            });
            let members = block
                .types
                .iter()
                .filter_map(|definition| match &definition.kind {
                    Kind::Struct(members) => Some(members),
                    Kind::Enum(_) => None,
                });
            found || members.flatten().any(|(_, member)| *member == ty)
        })
    }

    /// The definition of a type.
    pub fn definition(&self, ty: Type) -> Option<&TypeDef> {
        match ty {
            Type::Named { block, index } => self.blocks.get(block)?.types.get(index),
            _ => None,
        }
    }

    /// The members of a struct.
    pub fn members(&self, ty: Type) -> &[(String, Type)] {
        match self.definition(ty).map(|definition| &definition.kind) {
            Some(Kind::Struct(members)) => members,
            _ => &[],
        }
    }

    /// The states of an enum.
    pub fn states(&self, ty: Type) -> &[String] {
        match self.definition(ty).map(|definition| &definition.kind) {
            Some(Kind::Enum(states)) => states,
            _ => &[],
        }
    }

    /// Bits of a type; none for [`Type::Own`].
    pub fn width(&self, ty: Type) -> Option<usize> {
        match ty {
            Type::Bit => Some(1),
            Type::Bits(width) | Type::Signed(width) => Some(width),
            Type::Own => None,
            Type::Named { .. } => match &self.definition(ty)?.kind {
                Kind::Enum(states) => Some(rust_hdl::core::bits::clog2(states.len())),
                Kind::Struct(members) => members.iter().map(|(_, ty)| self.width(*ty)).sum(),
            },
        }
    }

    /// Every part counts: what shrinking makes smaller.
    pub fn size(&self) -> usize {
        let mut size = 0;
        for block in self.used_blocks() {
            let block = &self.blocks[block];
            for field in block.fields.values() {
                let width = self.width(field.ty).unwrap_or(8);
                size += 40 + width + field.dims.iter().product::<usize>();
            }
            each_stmt(&block.body, &mut |stmt| {
                size += 30 + stmt.lists().len();
            });
            each_expr(&block.body, &mut |expr| {
                size += match &expr.op {
                    Op::Number(_, value) => 2 + (value.bits() > 0) as usize,
                    Op::Read(_) => 5,
                    _ => 10,
                };
            });
        }
        size
    }
}
