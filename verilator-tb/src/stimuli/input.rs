//! The input unit: packets from a link that reach row buffers.

use fantree_hdl::router::RouterParams;
use rand::Rng;

use super::link::{write_tables, Link, Owed};
use super::Legal;

/// Legal input of an input unit.
pub fn input_unit(params: RouterParams) -> Legal {
    let mut link = Link::new(params, "");
    let mut rows: Vec<Owed> = (0..params.columns)
        .map(|_| Owed::new(params.virtual_channels, 0.4))
        .collect();
    Box::new(move |cycle| {
        link.drive_unit(cycle);
        cycle.set("supernode", 1);
        write_tables(&params, cycle, ["write", "write_address", "write_data"]);
        let limit = match cycle.number() / 500 % 2 {
            0 => 0,
            _ => cycle.random().gen_range(0..60),
        };
        cycle.set("blocked_limit", limit);
        let vc = cycle.get("row_vc");
        for (column, owed) in rows.iter_mut().enumerate() {
            let ports = cycle.get("row_ports");
            if (0..params.rows).any(|r| ports >> (r * params.columns + column) & 1 == 1) {
                owed.add(vc.trailing_zeros() as usize);
            }
            owed.give(cycle, &format!("row_credit${column}"));
        }
    })
}
