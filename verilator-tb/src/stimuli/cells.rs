//! Cells that promise something only to those who keep to their rules. Their sizes stand in their names.

use super::Legal;

pub fn is_memory(module: &str) -> bool {
    ["lut_ram_", "ram_", "ram2_"]
        .iter()
        .any(|prefix| module.starts_with(prefix))
}

/// Legal input of a cell, by the name of its module; none for those that take any input.
pub fn legal(module: &str) -> Option<Legal> {
    let size = |prefix: &str| -> Option<u64> {
        let rest = module.strip_prefix(prefix)?;
        let end = rest.find(|it: char| !it.is_ascii_digit());
        rest[..end.unwrap_or(rest.len())].parse().ok()
    };
    if let Some(places) = size("credit_counter_") {
        return Some(Box::new(move |cycle| {
            let count = cycle.get("count");
            let take = cycle.get("take").min(count);
            let give = cycle.get("give").min(places - (count - take));
            cycle.set("take", take);
            cycle.set("give", give);
        }));
    }
    // Past the end of a memory nothing is promised.
    let depth = size("lut_ram_").or(size("ram_"))?;
    Some(Box::new(move |cycle| {
        for address in ["write_address", "read_address"] {
            let wanted = cycle.get(address);
            cycle.set(address, wanted % depth);
        }
    }))
}
