//! The registers of a port after a run: every bit of a setting can be written, and status is that of an idle port.

use anyhow::Result;
use fantree_hdl::router::{bus, DropCause, RouterParams};

use super::harness::Harness;
use super::scoreboard::DropCounts;
use super::Chip;

/// Checks the registers of a port through which nothing passes. Settings are left as they were.
pub fn check<C: Chip>(
    harness: &mut Harness<C>,
    port: usize,
    params: &RouterParams,
    dropped: &DropCounts,
) -> Result<()> {
    let vcs = params.virtual_channels;
    for setting in bus::SUPERNODE..bus::PRIVATE_BLOCKS + vcs {
        write_and_read(harness, port, setting)?;
    }
    let most = params.input_buffer_blocks as u32;
    for vc in 0..vcs {
        expect(harness, port, bus::OCCUPANCY + vc, "0", |it| it == 0)?;
        let legal = "what the buffer holds, at most";
        expect(harness, port, bus::HIGH_WATER + vc, legal, |it| it <= most)?;
    }
    expect(harness, port, bus::BACKLOG, "0", |it| it == 0)?;
    expect(harness, port, bus::LINK_ERRORS, "0", |it| it == 0)?;
    let up = bus::status::LINK_UP;
    expect(harness, port, bus::STATUS, "a link that is up", |it| {
        it & up != 0
    })?;

    // The header of the first packet that its input dropped for what stands there.
    let causes = DropCause::ALL.into_iter().zip(dropped);
    let mut by_header = causes.filter(|(cause, _)| *cause < DropCause::PacketCrc);
    let any = by_header.any(|(_, &count)| count > 0);
    let legal = "the cause of a drop that was counted, or 0 if none was";
    let is_told = |cause: u32| (cause != 0) == any;
    expect(harness, port, bus::OFFENDER_CAUSE, legal, is_told)?;
    let mut header = 0;
    for word in 0..4 {
        header |= harness.read(port, bus::OFFENDER + word)?;
    }
    if (header != 0) != any {
        let legal = "a header if a cause is told, else 0";
        harness.report_register(port, bus::OFFENDER, header, legal);
    }
    Ok(())
}

/// Turns all bits of a setting over and back.
fn write_and_read<C: Chip>(harness: &mut Harness<C>, port: usize, setting: usize) -> Result<()> {
    let before = harness.read(port, setting)?;
    harness.write(Some(port), setting, !before)?;
    // The bits that there are stand at the low end.
    let all_turned = |value: u32| {
        let turned = value ^ before;
        turned != 0 && turned & turned.wrapping_add(1) == 0
    };
    let legal = "all its bits turned over by a write";
    expect(harness, port, setting, legal, all_turned)?;
    harness.write(Some(port), setting, before)?;
    let legal = "what was written to it";
    expect(harness, port, setting, legal, |value| value == before)
}

fn expect<C: Chip>(
    harness: &mut Harness<C>,
    port: usize,
    address: usize,
    legal: &'static str,
    is_legal: impl Fn(u32) -> bool,
) -> Result<()> {
    let value = harness.read(port, address)?;
    if !is_legal(value) {
        harness.report_register(port, address, value, legal);
    }
    Ok(())
}
