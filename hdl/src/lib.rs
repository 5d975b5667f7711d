//! Hardware of the fantree interconnect, written as rust-hdl blocks.
