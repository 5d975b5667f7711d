//! Some of many mutants, well spread.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{Kind, Mutant};

/// At most so many mutants: as many of each kind of each unit, as far as there are. Which ones depends on their names
/// alone, so that it does not change with other units.
pub fn sample(mutants: Vec<Mutant>, most: usize) -> Vec<Mutant> {
    let mut cells: BTreeMap<(String, Kind), Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants {
        let cell = (mutant.unit.clone(), mutant.kind);
        cells.entry(cell).or_default().push(mutant);
    }
    let mut ranked = Vec::new();
    for mutants in cells.values_mut() {
        mutants.sort_by_cached_key(|mutant| Sha256::digest(mutant.name()).to_vec());
        for (rank, mutant) in mutants.drain(..).enumerate() {
            let order = Sha256::digest(format!("{}/{}", mutant.unit, mutant.kind)).to_vec();
            ranked.push(((rank, order), mutant));
        }
    }
    ranked.sort_by(|(a, _), (b, _)| a.cmp(b));
    ranked.truncate(most);
    let mut sample: Vec<Mutant> = ranked.into_iter().map(|(_, mutant)| mutant).collect();
    sample.sort_by_cached_key(|mutant| (mutant.unit.clone(), mutant.kind, mutant.place.clone()));
    sample
}
