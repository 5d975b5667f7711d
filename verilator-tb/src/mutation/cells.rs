//! Cells that no router has: they are hunted alone.

use fantree_gen::{emit, Design, EmitError};
use fantree_hdl::cells::{AsyncFifo, Crc32c, HierarchicalArbiter, OneHotEncoder, OneHotMux, Ram2};
use rust_hdl::prelude::Block;

/// Each with what it is built of.
pub fn cells() -> Result<Vec<Design>, EmitError> {
    let cells: [(&str, Box<dyn Block>); 6] = [
        ("async_fifo", Box::new(AsyncFifo::new(5, 4))),
        ("crc32c", Box::<Crc32c>::default()),
        (
            "hierarchical_arbiter",
            Box::new(HierarchicalArbiter::new(11)),
        ),
        ("one_hot_encoder", Box::new(OneHotEncoder::new(5))),
        ("one_hot_mux", Box::new(OneHotMux::new(3, 4))),
        ("ram2", Box::new(Ram2::new(5, 8))),
    ];
    let emitted = cells.into_iter().map(|(name, mut cell)| {
        cell.connect_all();
        emit(cell.as_ref(), name)
    });
    emitted.collect()
}
