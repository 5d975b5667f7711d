//! Waves of a small model: read back, and shown by a save file.

use std::path::{Path, PathBuf};

use super::*;
use crate::verilator::{build, Options, Source, Start};

/// A link of three bits beside its marks.
const SOURCE: Source = Source {
    top: "link",
    verilog: "module link (input wire clock, input wire valid, input wire [2:0] data, output reg [2:0] last);
        always @(posedge clock) if (valid) last <= data;
      endmodule",
};

/// A wave of the values 0 to 5, valid when odd, one every 10 ns from 5 ns on.
fn record(folder: &Path) -> PathBuf {
    let path = folder.join("link.fst");
    let options = Options {
        trace: true,
        ..Options::default()
    };
    let mut model = build(&SOURCE, &options)
        .unwrap()
        .model(Start::Zeros)
        .unwrap();
    let [clock, valid, data] = ["clock", "valid", "data"].map(|name| model.input(name).unwrap());
    model.trace_open(&path).unwrap();
    for value in 0..6 {
        model.write(data, value);
        model.write(valid, value & 1);
        for level in [1, 0] {
            model.write(clock, level);
            model.eval().unwrap();
            model.trace_dump().unwrap();
            model.set_time(model.time() + 5);
        }
    }
    model.trace_close().unwrap();
    path
}

fn view() -> View {
    let parts = vec![Part::all("TOP.valid"), Part::bits("TOP.link.data", 1..3)];
    let joined = Trace::joined("flit", parts, Show::Flit);
    let group = Group {
        name: "port 0".into(),
        open: false,
        items: vec![
            joined.into(),
            Trace::of("kind", "TOP.link.data", Show::Named(Table::Vc))
                .alarm()
                .into(),
            Trace::of("level", "TOP.link.data", Show::Curve).into(),
        ],
    };
    View {
        items: vec![
            Trace::of("clock", "TOP.clock", Show::Bits).into(),
            group.into(),
        ],
        start: 5,
        marker: 15,
        span: 27,
        markers: vec![
            Marker {
                name: "in".into(),
                time: 10,
            },
            Marker {
                name: "out".into(),
                time: 20,
            },
        ],
    }
}

#[test]
fn values_are_read_back_at_their_times() {
    let folder = tempfile::tempdir().unwrap();
    let mut wave = Wave::open(&record(folder.path())).unwrap();
    assert_eq!(wave.time_exponent(), Some(-9));
    let data = wave.signal("TOP.link.data").unwrap();
    assert_eq!(
        (data.width, data.name().as_str()),
        (3, "TOP.link.data[2:0]")
    );
    let changes = wave.changes("TOP.link.data").unwrap();
    let expected: Vec<(u64, String)> = (0..6)
        .map(|value| (10 * value, format!("{value:03b}")))
        .collect();
    assert_eq!(changes, expected);
    for (time, value) in [
        (0, "000"),
        (9, "000"),
        (10, "001"),
        (29, "010"),
        (1000, "101"),
    ] {
        assert_eq!(
            wave.value("TOP.link.data", time).unwrap().as_deref(),
            Some(value),
            "at {time}"
        );
    }
}

#[test]
fn a_save_file_says_what_gtkwave_shows() {
    let folder = tempfile::tempdir().unwrap();
    let wave = Wave::open(&record(folder.path())).unwrap();
    let path = view()
        .write(&wave, Some(Path::new("/bin/decoder")))
        .unwrap();
    assert_eq!(path, folder.path().join("link.gtkw"));
    let unused = " -1".repeat(24);
    let expected = format!(
        "\
[*] written by fantree
[dumpfile] \"/fantree/link.fst\"
[savefile] \"/fantree/link.gtkw\"
[timestart] 5
[size] 1600 900
[pos] -1 -1
*-2.376376 15 10 20{unused}
[markername] Ain
[markername] Bout
[signals_width] 560
[sst_expanded] 0
@28
+{{clock}} TOP.clock
@c00200
-port 0
@4022
^>1 /bin/decoder decode-flits
#{{flit}} TOP.valid (0)TOP.link.data[2:0] (1)TOP.link.data[2:0]
@2022
^1 /fantree/link-vc.txt
[color] 1
+{{kind}} TOP.link.data[2:0]
@88024
+{{level}} TOP.link.data[2:0]
@20000
-
-
@1401200
-port 0
"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    let table = std::fs::read_to_string(folder.path().join("link-vc.txt")).unwrap();
    assert_eq!(table, Table::Vc.text());
}

#[test]
fn without_a_decoder_flits_are_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let wave = Wave::open(&record(folder.path())).unwrap();
    let text = view().text(&wave, None).unwrap();
    assert!(text.contains("@22\n#{flit} "));
    assert!(!text.contains("^>"));
}

#[test]
fn a_signal_that_is_not_there_is_an_error_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let wave = Wave::open(&record(folder.path())).unwrap();
    let mut view = view();
    for name in ["gone", "link.gone"] {
        view.items
            .push(Trace::of(name, format!("TOP.{name}"), Show::Hex).into());
    }
    let parts = vec![Part::bits("TOP.link.data", 1..4)];
    let beyond = Trace::joined("beyond", parts, Show::Hex);
    view.items.push(beyond.into());
    let error = view.write(&wave, None).unwrap_err().to_string();
    assert!(
        error.ends_with("link.fst has no signal TOP.gone, TOP.link.gone, TOP.link.data[3:1]"),
        "{error}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_is_no_wave_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.fst");
    std::fs::write(&path, "text").unwrap();
    let error = Wave::open(&path).err().unwrap().to_string();
    assert_eq!(error, format!("cannot read the wave {}", path.display()));
}
