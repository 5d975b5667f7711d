//! The manifest of a program of kernels.
//!
//! It has the dependencies of all crates of the workspace, so that cargo turns on the features it turns on for the
//! workspace, and finds every crate compiled already.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use toml::{Table, Value};

/// The manifest of a package with these programs, each a file of the same name.
pub fn manifest(workspace: &Path, package: &str, programs: &[String]) -> io::Result<String> {
    let root = read(&workspace.join("Cargo.toml"))?;
    let mut dependencies = Dependencies {
        shared: table(&root, &["workspace", "dependencies"]),
        found: vec![],
    };
    let members = root["workspace"].get("members").and_then(Value::as_array);
    let members = members.into_iter().flatten().filter_map(Value::as_str);
    for member in members.chain(["."]) {
        let manifest = read(&workspace.join(member).join("Cargo.toml"))?;
        for section in ["dependencies", "dev-dependencies"] {
            for (name, value) in table(&manifest, &[section]) {
                dependencies.add(&name, value, workspace);
            }
        }
    }
    let mut profile = table(&root, &["profile"]);
    let dev = profile.entry("dev").or_insert(Value::Table(Table::new()));
    let own = toml::toml! {
        opt-level = 0
        debug = false
        incremental = false
    };
    if let Some(dev) = dev.as_table_mut() {
        let packages = dev.entry("package").or_insert(Value::Table(Table::new()));
        if let Some(packages) = packages.as_table_mut() {
            packages.insert(package.to_owned(), Value::Table(own));
        }
    }
    let mut manifest = toml::toml! {
        [workspace]
        [package]
        name = ""
        version = "0.0.0"
        edition = "2021"
        autobins = false
    };
    manifest["package"]["name"] = package.into();
    let program = |name: &String| {
        let mut program = Table::new();
        program.insert("name".into(), name.as_str().into());
        program.insert("path".into(), format!("src/{name}.rs").into());
        Value::Table(program)
    };
    let programs = programs.iter().map(program).collect();
    manifest.insert("bin".into(), Value::Array(programs));
    manifest.insert("dependencies".into(), Value::Table(dependencies.table()));
    manifest.insert("profile".into(), Value::Table(profile));
    Ok(manifest.to_string())
}

fn read(path: &Path) -> io::Result<Table> {
    fs::read_to_string(path)?.parse().map_err(io::Error::other)
}

fn table(of: &Table, path: &[&str]) -> Table {
    let mut at = of;
    for key in path {
        match at.get(*key).and_then(Value::as_table) {
            Some(next) => at = next,
            None => return Table::new(),
        }
    }
    at.clone()
}

/// Dependencies, each with the features that anybody asks for.
struct Dependencies {
    /// What members take from the workspace.
    shared: Table,
    /// Name, and all but the features; and the features.
    found: Vec<(String, Table, BTreeSet<String>)>,
}

impl Dependencies {
    fn add(&mut self, name: &str, value: Value, workspace: &Path) {
        let (mut own, mut features) = parts(value);
        if own.remove("workspace").is_some() {
            let shared = self
                .shared
                .get(name)
                .cloned()
                .unwrap_or(Value::Table(Table::new()));
            let (shared, more) = parts(shared);
            own.extend(shared);
            features.extend(more);
        }
        if let Some(path) = own.get_mut("path") {
            let absolute = workspace.join(path.as_str().unwrap_or_default());
            *path = absolute.display().to_string().into();
        }
        match self
            .found
            .iter_mut()
            .find(|(n, o, _)| n == name && *o == own)
        {
            Some((_, _, all)) => all.extend(features),
            None => self.found.push((name.to_owned(), own, features)),
        }
    }

    /// The table of a manifest; a second version of a crate has another name in it.
    fn table(self) -> Table {
        let mut all = Table::new();
        for (name, mut dependency, features) in self.found {
            let features = features.into_iter().map(Value::from).collect();
            dependency.insert("features".into(), Value::Array(features));
            let mut key = name.clone();
            while all.contains_key(&key) {
                key += "-again";
                dependency.insert("package".into(), name.as_str().into());
            }
            all.insert(key, Value::Table(dependency));
        }
        all
    }
}

/// A dependency as a table, and its features.
fn parts(value: Value) -> (Table, BTreeSet<String>) {
    let mut table = match value {
        Value::Table(table) => table,
        version => Table::from_iter([("version".to_owned(), version)]),
    };
    let features = table.remove("features").unwrap_or(Value::Array(vec![]));
    let features = features
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let features = features.map(str::to_owned).collect();
    (table, features)
}
