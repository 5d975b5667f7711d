//! Writing files to a folder that is always whole, such as those of a design:
//!
//! ```text
//! rtl/<module>.v    one module a file
//! files.f           the files for Verilator, Icarus and others, sub-modules first
//! manifest.json     what the folder holds: modules, instance counts, hashes
//! ```

mod design;
mod folder;

pub use design::files;
pub use folder::{check, replace, with_manifest, Error, Files};

/// The file that describes a generated folder.
pub const MANIFEST: &str = "manifest.json";

/// The list of the Verilog files, relative to the folder (`verilator -F files.f`).
pub const FILE_LIST: &str = "files.f";
