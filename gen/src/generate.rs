//! From a configuration to its design.

use fantree_hdl::router::Router;
use rust_hdl::core::block::Block;

use crate::config::Config;
use crate::verilog::{emit, Design, EmitError};

/// The one clock of a design, an input of its top module.
pub const CLOCK: &str = "clock";

/// The Verilog of what a configuration describes; the top module is `router`.
pub fn generate(config: &Config) -> Result<Design, EmitError> {
    let mut router = Router::new(&config.router.params());
    router.connect_all();
    emit(&router, "router")
}
