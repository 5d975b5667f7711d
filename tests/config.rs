//! Configuration files and the `fantree config` commands, as a user meets them.
//!
//! Expected outputs are files; `SNAPSHOTS=overwrite cargo test --test config` rewrites them after a wanted change.

use std::path::{Path, PathBuf};

use snapbox::cmd::{cargo_bin, Command};
use snapbox::{assert_data_eq, file, Data};

fn fantree() -> Command {
    Command::new(cargo_bin!("fantree")).current_dir(env!("CARGO_MANIFEST_DIR"))
}

/// The TOML files of a folder, relative to the workspace, sorted.
fn configurations(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .map(|path| path.strip_prefix(root).unwrap().to_owned())
        .collect();
    files.sort();
    files
}

/// Each bad file has its exact error output beside it.
#[test]
fn bad_configurations_are_refused_with_their_exact_errors() {
    let files = configurations("tests/bad-configs");
    assert!(files.len() >= 20);
    for path in files {
        let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join(path.with_extension("stderr"));
        fantree()
            .args(["config", "check"])
            .arg(&path)
            .assert()
            .code(1)
            .stdout_eq("")
            .stderr_eq(Data::read_from(&expected, None).raw());
    }
}

#[test]
fn named_configurations_are_right() {
    let files = configurations("configs");
    let expected: String = files
        .iter()
        .map(|path| format!("{}: ok\n", path.display()))
        .collect();
    fantree()
        .args(["config", "check"])
        .args(&files)
        .assert()
        .success()
        .stdout_eq(expected)
        .stderr_eq("");
}

#[test]
fn a_configuration_is_named_after_its_file() {
    for path in configurations("configs") {
        let config = fantree_gen::config::Config::load(&path).unwrap();
        assert_eq!(config.name.as_str(), path.file_stem().unwrap());
    }
}

#[test]
fn a_wrong_file_does_not_hide_the_next() {
    fantree()
        .args(["config", "check", "tests/bad-configs/rows-zero.toml"])
        .arg("configs/router-2x2.toml")
        .assert()
        .code(1)
        .stdout_eq("configs/router-2x2.toml: ok\n");
}

#[test]
fn problems_are_there_for_machines() {
    let output = fantree()
        .args([
            "config",
            "check",
            "--json",
            "tests/bad-configs/rows-zero.toml",
        ])
        .output()
        .unwrap();
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let problem = &results[0]["problems"][0];
    assert_eq!(problem["field"], "router.rows");
    assert_eq!(
        (&problem["line"], &problem["column"]),
        (&3.into(), &8.into())
    );
    assert_eq!(
        (&problem["value"], &problem["legal"]),
        (&"0".into(), &"1 to 64".into())
    );
}

#[test]
fn a_missing_file_is_an_error() {
    fantree()
        .args(["config", "show", "no-such.toml"])
        .assert()
        .code(1)
        .stdout_eq("")
        .stderr_eq("error: cannot read the configuration no-such.toml: No such file or directory (os error 2)\n");
}

#[test]
fn a_listing_has_all_fields_and_checks_clean() {
    let shown = fantree()
        .args(["config", "show", "configs/router-2x2.toml"])
        .output()
        .unwrap();
    let listing = String::from_utf8(shown.stdout).unwrap();
    assert_data_eq!(&listing, file!["router-2x2-shown.toml"].raw());

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shown.toml");
    std::fs::write(&path, listing).unwrap();
    fantree()
        .args(["config", "check"])
        .arg(&path)
        .assert()
        .success();
}
