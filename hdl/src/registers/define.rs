//! Definitions of registers.

/// Defines registers once: each becomes a constant with its address, for hardware and benches, and an entry of the map that
/// a function of the configuration gives. Doc comments are the descriptions of both, names are the constants' in small letters.
///
/// ```
/// use fantree_hdl::define_registers;
/// use fantree_hdl::registers::{Access, Group, Shape};
///
/// define_registers! {
///     groups(channels: usize) -> Vec<Group>;
///
///     /// What software sets.
///     settings {
///         /// Words that a channel holds at most.
///         DEPTH = 0x10: Shape::number(Access::ReadWrite, 6).each("channel", channels, 1);
///     }
/// }
///
/// assert_eq!(DEPTH, 0x10);
/// let depth = &groups(4)[0].registers[0];
/// assert_eq!(depth.name_of(3), "depth[3]");
/// assert_eq!(depth.about, "Words that a channel holds at most.");
/// ```
#[macro_export]
macro_rules! define_registers {
    (
        $(#[$attribute:meta])*
        $visible:vis $function:ident($sizes:ident: $Sizes:ty) -> Vec<Group>;
        $(
            $(#[doc = $group_about:literal])+
            $group:ident {
                $(
                    $(#[doc = $about:literal])+
                    $name:ident = $address:literal: $shape:expr;
                )*
            }
        )*
    ) => {
        $($(
            $(#[doc = $about])+
            pub const $name: usize = $address;
        )*)*

        $(#[$attribute])*
        $visible fn $function($sizes: $Sizes) -> Vec<$crate::registers::Group> {
            vec![$(
                $crate::registers::Group {
                    name: stringify!($group).into(),
                    about: concat!($($group_about),+).trim().into(),
                    registers: [$(
                        $shape.at(
                            $name,
                            &stringify!($name).to_lowercase(),
                            concat!($($about),+).trim(),
                        ),
                    )*]
                    .concat(),
                },
            )*]
        }
    };
}

/// Defines the fields of registers that are flags: each becomes a constant with its mask, and an entry of the module's
/// `fields()`.
#[macro_export]
macro_rules! define_flags {
    ($(
        $(#[$attribute:meta])*
        $visible:vis mod $module:ident {
            $(
                $(#[doc = $about:literal])+
                $name:ident = $bit:literal, reset $reset:literal;
            )*
        }
    )*) => {$(
        $(#[$attribute])*
        $visible mod $module {
            $(
                $(#[doc = $about])+
                pub const $name: u32 = 1 << $bit;
            )*

            /// The flags.
            pub fn fields() -> Vec<$crate::registers::FieldSpec> {
                vec![$(
                    $crate::registers::FieldSpec::new(
                        stringify!($name).to_lowercase(),
                        $crate::wire::Field { offset: $bit, width: 1 },
                        concat!($($about),+).trim(),
                    )
                    .reset($reset),
                )*]
            }
        }
    )*};
}
