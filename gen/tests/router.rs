//! The router chip as Verilog: every tool reads it without a word, whatever its sizes.

mod common;

use fantree_gen::config::Config;
use fantree_gen::generate;

/// A row and a column, one channel and several phases, blocks of several flits and of one.
#[test]
fn routers_of_odd_sizes_are_clean() {
    for sizes in [
        "rows = 1\ncolumns = 2\nvirtual_channels = 1\nblock_flits = 8\ninput_buffer_blocks = 2\nprivate_blocks = 1\n\
         row_buffer_flits = 2\ncolumn_buffer_flits = 2\n\
         routing = { in_supernode_entries = 1, out_supernode_entries = 1, candidates = 1 }",
        "rows = 3\ncolumns = 1\nvirtual_channels = 3\nphases = 3\nblock_flits = 1\ninput_buffer_blocks = 30\n\
         private_blocks = 9\nrow_buffer_flits = 3\ncolumn_buffer_flits = 4\n\
         routing = { in_supernode_entries = 5, out_supernode_entries = 2, candidates = 9 }",
    ] {
        let text = format!("name = \"odd\"\n[router]\npayload_bytes = 64\n{sizes}");
        let config = Config::parse("odd", &text).unwrap_or_else(|error| panic!("{error}"));
        let design = generate(&config).unwrap_or_else(|error| panic!("{sizes}: {error}"));
        common::lint(&design.to_verilog(), "router");
    }
}
