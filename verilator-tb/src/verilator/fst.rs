//! Whether a wave came whole onto the disk. The library that writes FST files looks at no error of the system, so a disk
//! that is full would leave half a file and nobody would say so.
//!
//! A file is a row of blocks: a byte for the type, the length from there on in eight bytes, and so much content. The
//! first one is the header; names and widths are written last, when the wave is closed.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

// Types of blocks.
const HEADER: u8 = 0;
const GEOMETRY: u8 = 3;
/// The hierarchy, by the ways in which it can be compressed.
const HIERARCHY: [u8; 3] = [4, 6, 7];

/// Whether the file has all that a closed wave has, to its last byte.
pub fn is_whole(path: &Path) -> io::Result<bool> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut file = BufReader::new(file);
    let (mut header, mut geometry, mut hierarchy) = (false, false, false);
    let mut at = 0;
    while at < size {
        let mut start = [0; 9];
        match file.read_exact(&mut start) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            outcome => outcome?,
        }
        let (kind, length) = (start[0], &start[1..]);
        let length = u64::from_be_bytes(length.try_into().expect("eight bytes"));
        if length < 8 {
            return Ok(false);
        }
        header |= kind == HEADER;
        geometry |= kind == GEOMETRY;
        hierarchy |= HIERARCHY.contains(&kind);
        at = at.saturating_add(length).saturating_add(1);
        file.seek(SeekFrom::Start(at))?;
    }
    Ok(at == size && header && geometry && hierarchy)
}
