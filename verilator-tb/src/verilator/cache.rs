//! Compiled models on disk, shared by parallel tests and processes.
//!
//! An entry is a directory named by the hash of everything that shapes its contents. Whoever
//! holds the entry's lock may build it; the file that completes it appears by an atomic rename, so
//! an interrupted build leaves an entry that counts as absent. Paths inside an entry never change,
//! since Verilator's coverage data refer to the source by its path.

use super::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const LOCKS: &str = "locks";

/// The cache directory: `FANTREE_CACHE`, or `build/verilator` of the Cargo workspace that holds
/// the current directory.
pub fn directory() -> PathBuf {
    if let Some(path) = std::env::var_os("FANTREE_CACHE") {
        return std::path::absolute(&path).unwrap_or_else(|_| path.into());
    }
    workspace().join("build").join("verilator")
}

/// The outermost directory with a `Cargo.lock` above the current one, else the current one. Tests
/// run in their package's directory, programs anywhere in the workspace: both mean the same place.
pub(crate) fn workspace() -> PathBuf {
    let current = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    current
        .ancestors()
        .filter(|path| path.join("Cargo.lock").is_file())
        .last()
        .map_or_else(|| current.clone(), Path::to_owned)
}

/// Hash of the parts in their order, as hexadecimal text.
pub(super) fn key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length keeps ("ab", "c") apart from ("a", "bc").
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize()[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A locked entry; the lock ends with the value.
pub(super) struct Entry {
    directory: PathBuf,
    _lock: File,
}

impl Entry {
    /// Locks the entry, creating its directory. `waiting` is called once if someone else has it.
    pub fn lock(cache: &Path, name: &str, waiting: &mut dyn FnMut()) -> Result<Entry> {
        let directory = cache.join(name);
        fs::create_dir_all(&directory).map_err(Error::io(&directory))?;
        let lock = lock_file(cache, name)?;
        if lock.try_lock().is_err() {
            waiting();
            lock.lock().map_err(Error::io(&directory))?;
        }
        // The previous holder may have been `prune`.
        fs::create_dir_all(&directory).map_err(Error::io(&directory))?;
        Ok(Entry {
            directory,
            _lock: lock,
        })
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.directory.join(file)
    }

    /// Notes that the entry is in use, for [`prune`].
    pub fn touch(&self) {
        // A read-only cache still works: only its pruning is less exact.
        if let Ok(file) = File::open(&self.directory) {
            let _ = file.set_modified(SystemTime::now());
        }
    }
}

/// Removes entries that nobody has used for `age`; returns how many. Models already loaded stay
/// valid.
pub fn prune(age: Duration) -> Result<usize> {
    prune_in(&directory(), age)
}

fn prune_in(cache: &Path, age: Duration) -> Result<usize> {
    let Ok(entries) = fs::read_dir(cache) else {
        return Ok(0);
    };
    let mut removed = 0;
    for entry in entries {
        let entry = entry.map_err(Error::io(cache))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let used = entry.metadata().and_then(|data| data.modified());
        let idle = used
            .ok()
            .and_then(|used| used.elapsed().ok())
            .is_some_and(|idle| idle >= age);
        if name == LOCKS || !idle {
            continue;
        }
        let lock = lock_file(cache, &name)?;
        if lock.try_lock().is_ok() {
            fs::remove_dir_all(entry.path()).map_err(Error::io(&entry.path()))?;
            removed += 1;
        }
    }
    Ok(removed)
}

fn lock_file(cache: &Path, name: &str) -> Result<File> {
    // Lock files live apart and are never removed: a removed one could be locked twice.
    let locks = cache.join(LOCKS);
    fs::create_dir_all(&locks).map_err(Error::io(&locks))?;
    let path = locks.join(name);
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(Error::io(&path))
}

/// Writes a file so that it is either absent, old or complete.
pub(super) fn write_atomically(path: &Path, contents: &[u8]) -> Result<()> {
    let aside = path.with_extension("new");
    fs::write(&aside, contents).map_err(Error::io(&aside))?;
    fs::rename(&aside, path).map_err(Error::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("fantree-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    #[test]
    fn key_depends_on_how_text_is_divided() {
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
    }

    #[test]
    fn an_entry_has_one_holder_at_a_time() {
        let cache = scratch("lock");
        let first = Entry::lock(&cache, "x", &mut || panic!("nobody else is here")).unwrap();
        let waited = std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let mut waited = false;
                Entry::lock(&cache, "x", &mut || waited = true).unwrap();
                waited
            });
            std::thread::sleep(Duration::from_millis(50));
            assert!(!second.is_finished(), "locked twice");
            drop(first);
            second.join().unwrap()
        });
        assert!(waited);
        fs::remove_dir_all(cache).unwrap();
    }

    #[test]
    fn prune_spares_the_young_and_the_locked() {
        let cache = scratch("prune");
        let held = Entry::lock(&cache, "held", &mut || {}).unwrap();
        drop(Entry::lock(&cache, "idle", &mut || {}).unwrap());
        assert_eq!(prune_in(&cache, Duration::from_secs(3600)).unwrap(), 0);
        assert_eq!(prune_in(&cache, Duration::ZERO).unwrap(), 1);
        assert!(held.path("").is_dir() && !cache.join("idle").exists());
        fs::remove_dir_all(cache).unwrap();
    }
}
