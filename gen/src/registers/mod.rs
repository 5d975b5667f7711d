//! A register map as documents and headers: [`markdown`], [`c_header`], [`systemrdl`]; [`tables`] for pages of another form.

mod c_header;
mod markdown;
mod systemrdl;
pub mod tables;

#[cfg(test)]
mod tests;

pub use c_header::c_header;
pub use markdown::markdown;
pub use systemrdl::systemrdl;
