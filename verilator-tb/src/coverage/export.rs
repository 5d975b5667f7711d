//! Merged coverage as files for other programs:
//!
//! ```text
//! coverage.json         the report
//! coverage.info         hits by line, for lcov's genhtml and for editors
//! rtl/<config>/*.v      the modules that it names
//! ```

use std::collections::BTreeMap;

use fantree_gen::output::{self, Files};
use lcov::Record;
use serde_json::json;

use super::lines::Module;
use super::{Merged, Report};

/// The file with the report.
pub const REPORT: &str = "coverage.json";
const INFO: &str = "coverage.info";

/// The files of a report, to be read in their folder.
pub fn files(merged: &Merged, report: &Report) -> Files {
    let mut files = Files::new();
    let mut info = String::new();
    for (name, text, module) in merged.lines.modules() {
        // Any configuration that has it will do: the text is the same in all.
        let config = module.configs.first().map_or("", String::as_str);
        let path = format!("rtl/{config}/{name}.v");
        for record in records(&path, module) {
            info += &format!("{record}\n");
        }
        files.insert(path, text.into());
    }
    files.insert(INFO.into(), info);
    let json = serde_json::to_string_pretty(report).expect("a report is plain data");
    files.insert(REPORT.into(), json);
    output::with_manifest(files, json!({ "runs": report.runs }))
}

fn records(path: &str, module: &Module) -> Vec<Record> {
    let mut hits: BTreeMap<usize, u64> = BTreeMap::new();
    for block in module.blocks.values() {
        for &line in &block.lines {
            let most = hits.entry(line).or_default();
            *most = block.hits.max(*most);
        }
    }
    let hit = hits.values().filter(|&&count| count > 0).count();
    let mut records = vec![
        Record::TestName {
            name: String::new(),
        },
        Record::SourceFile { path: path.into() },
    ];
    records.extend(hits.iter().map(|(&line, &count)| Record::LineData {
        line: line as u32,
        count,
        checksum: None,
    }));
    records.extend([
        Record::LinesFound {
            found: hits.len() as u32,
        },
        Record::LinesHit { hit: hit as u32 },
        Record::EndOfRecord,
    ]);
    records
}
