//! `HeaderUpdate`: what a router changes in the header of a packet that it sends on.
//!
//! The virtual channel becomes that of the way out, a hop is used up, congestion is marked. The header's CRC follows by
//! the difference that these changes make, so an error from before stays visible (`spec/sunway.md` section 5).
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `flit` | in | a flit |
//! | `vc` | in | its new virtual channel |
//! | `congested` | in | it leaves on a congested port |
//! | `updated` | out | the flit; if it is a head, with its changes |
//!
//! Latency: 0 cycles.

use super::VC_BITS;
use crate::cells::Crc8;
use crate::kernel;
use crate::packet::{flit, header, header_crc, FLIT_BITS, HEADER_BITS};
use crate::ports::Ports;
use crate::wire::{replicate, Wire};
use rust_hdl::prelude::*;

/// Changes of a header; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct HeaderUpdate {
    pub flit: Wire<In>,
    pub vc: Wire<In>,
    pub congested: Signal<In, Bit>,
    pub updated: Wire<Out>,
    /// Bits that change, each at its place.
    change: Wire<Local>,
    change_crc: Crc8,
}

impl Default for HeaderUpdate {
    fn default() -> Self {
        Self {
            flit: Wire::new(FLIT_BITS),
            vc: Wire::new(VC_BITS),
            congested: Default::default(),
            updated: Wire::new(FLIT_BITS),
            change: Wire::new(HEADER_BITS),
            change_crc: Default::default(),
        }
    }
}

impl Logic for HeaderUpdate {
    #[kernel]
    fn update(&mut self) {
        comment!("module: header_update");
        let old = self.flit.val();
        let vc = (old.field(header::VC) ^ self.vc.val()).resize(HEADER_BITS);
        let hops = old.field(header::HOPS_LEFT);
        let hops = (hops ^ (hops - 1)).resize(HEADER_BITS);
        let mark = self.congested.val() & !old.field(header::CONGESTION).any();
        let mark = replicate(mark, 1).resize(HEADER_BITS);
        self.change.next = (vc << header::VC.offset as u64)
            | (hops << header::HOPS_LEFT.offset as u64)
            | (mark << header::CONGESTION.offset as u64);
        self.change_crc.data.next = self.change.val();
        // The CRC is linear but for a constant, which is that of no change.
        let crc = (self.change_crc.crc.val() ^ u64::from(header_crc(0))).resize(HEADER_BITS);
        let change = self.change.val() | (crc << header::HEADER_CRC.offset as u64);
        self.updated.next =
            old ^ (replicate(old.field(flit::HEAD).any(), HEADER_BITS) & change).resize(FLIT_BITS);
    }
}
