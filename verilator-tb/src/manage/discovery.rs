//! Finding the chips behind a host: source routes alone, nothing in their tables.

use anyhow::Result;

use super::request::Reply;
use super::{InBand, Manager, Network, Place, SourceRoute, Way};

/// Cycles after which nobody answers behind a port: more than any reply takes where nothing else goes on.
const SILENCE: u64 = 2_000;

/// A chip that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The GUID that it was given.
    pub guid: u32,
    pub route: SourceRoute,
    /// The port by which it is reached.
    pub entrance: usize,
    pub rows: usize,
    pub columns: usize,
    /// By port: the chip at the other end of its link, as its place in the list, and the port there.
    pub neighbours: Vec<Option<(usize, usize)>>,
}

impl Found {
    fn new(reply: &Reply, guid: u32, route: SourceRoute) -> Self {
        Self {
            guid,
            route,
            entrance: reply.port,
            rows: reply.rows,
            columns: reply.columns,
            neighbours: vec![None; reply.rows * reply.columns],
        }
    }
}

/// Finds all chips that a host reaches, the nearest first, and gives them GUIDs from `first_guid` on, by which they are
/// known again where several ways lead to one. A host behind a port gets a request that it may forget.
pub fn discover(
    network: &mut Network,
    host: Place,
    key: u32,
    first_guid: u32,
) -> Result<Vec<Found>> {
    let mut found: Vec<Found> = Vec::new();
    let mut ask = |found: &mut Vec<Found>, route: SourceRoute| -> Result<Option<(usize, usize)>> {
        let way = Way::Source(route.clone());
        let mut in_band = InBand::new(network, host, way.clone(), key);
        let Some(reply) = in_band.probe(SILENCE)? else {
            return Ok(None);
        };
        let known = reply
            .guid()
            .and_then(|guid| found.iter().position(|chip| chip.guid == guid));
        if let Some(chip) = known {
            return Ok(Some((chip, reply.port)));
        }
        let guid = first_guid + found.len() as u32;
        let params = *network.params();
        let in_band = InBand::new(network, host, way, key);
        Manager::new(in_band, &params).set_identity(guid)?;
        found.push(Found::new(&reply, guid, route));
        Ok(Some((found.len() - 1, reply.port)))
    };
    ask(&mut found, SourceRoute::default())?;
    let mut chip = 0;
    while chip < found.len() {
        for port in 0..found[chip].neighbours.len() {
            let is_host = chip == 0 && port == found[chip].entrance;
            if !is_host && found[chip].neighbours[port].is_none() {
                let route = found[chip].route.beyond(port, found[chip].entrance);
                let other = ask(&mut found, route)?;
                found[chip].neighbours[port] = other;
                if let Some((other, back)) = other {
                    found[other].neighbours[back] = Some((chip, port));
                }
            }
        }
        chip += 1;
    }
    Ok(found)
}
