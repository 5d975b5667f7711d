//! The user's guide: every command in it is run, and prints what the guide says.

use std::os::unix::fs::symlink;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn every_command_prints_what_the_guide_says() {
    // Commands are typed in the project's folder; what they write must not be left there.
    let folder = tempfile::tempdir().unwrap();
    for part in ["configs", "docs", "tests"] {
        symlink(Path::new(ROOT).join(part), folder.path().join(part)).unwrap();
    }
    std::env::set_current_dir(folder.path()).unwrap();
    trycmd::TestCases::new()
        .env("FANTREE_CACHE", format!("{ROOT}/build/verilator"))
        .timeout(std::time::Duration::from_secs(600))
        .case(format!("{ROOT}/docs/guide/src/*.md"));
}
