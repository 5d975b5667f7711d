//! From a configuration to its design.

use fantree_hdl::manage::ManagedRouter;
use fantree_hdl::router::Router;
use rust_hdl::core::block::Block;

use crate::config::Config;
use crate::verilog::{emit, Design, EmitError};

/// The clock of a design, an input of its top module.
pub const CLOCK: &str = "clock";
/// The test clock of a managed chip, and what belongs to it.
pub const TEST_CLOCK: &str = "tck";
pub const TEST_PORTS: [&str; 4] = ["trst", "tms", "tdi", "tdo"];

/// The Verilog of what a configuration describes; the top module is `router`, or `managed_router` of a managed chip.
pub fn generate(config: &Config) -> Result<Design, EmitError> {
    if !config.router.managed {
        return generate_router(config);
    }
    let mut chip = Box::new(ManagedRouter::new(&config.router.params()));
    chip.connect_all();
    emit(&*chip, "managed_router")
}

/// The Verilog of the router alone, without the management around it: what the bench of a router runs.
pub fn generate_router(config: &Config) -> Result<Design, EmitError> {
    let mut router = Router::new(&config.router.params());
    router.connect_all();
    emit(&router, "router")
}
