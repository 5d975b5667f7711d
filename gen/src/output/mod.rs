//! Writing files to a folder that is always whole, such as those of a design:
//!
//! ```text
//! rtl/<module>.v    one module a file
//! files.f           the files for Verilator, Icarus and others, sub-modules first
//! files.tcl         the files for Vivado, Quartus, Yosys and other tools that run Tcl
//! <top>.sdc         timing constraints
//! <name>.core       the design as a core of FuseSoC
//! manifest.json     what the folder holds: modules, instance counts, hashes
//! ```

mod constraints;
mod design;
mod file_lists;
mod folder;
mod fusesoc;

pub use constraints::Megahertz;
pub use design::{constraints, core_file, files};
pub use folder::{check, replace, with_manifest, Error, Files};

/// The file that describes a generated folder.
pub const MANIFEST: &str = "manifest.json";

/// The list of the Verilog files, relative to the folder (`verilator -F files.f`).
pub const FILE_LIST: &str = "files.f";

/// The list of the files as variables of Tcl.
pub const TCL_LIST: &str = "files.tcl";
