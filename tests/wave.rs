//! `fantree wave`: the files it writes, and what GTKWave shows of them.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::Output;

use fantree_gen::config::Config;
use fantree_hdl::packet::Header;
use fantree_tb::follow::follow;
use fantree_tb::router::wave_time;
use fantree_tb::wave::Wave;
use snapbox::cmd::{cargo_bin, Command};

fn fantree(arguments: &[&str]) -> Output {
    let command = Command::new(cargo_bin!("fantree")).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(arguments).output().unwrap()
}

/// A wave of a small router in a folder.
fn record(folder: &Path, more: &[&str]) {
    let folder = folder.to_str().unwrap();
    let run = "wave configs/router-2x2.toml --cycles 100 --no-open --out";
    let arguments: Vec<&str> = run.split(' ').chain([folder]).collect();
    let output = fantree(&[&arguments, more].concat());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains(&format!("gtkwave {folder}/wave.gtkw")),
        "{told}"
    );
}

/// What GTKWave shows.
struct Shown {
    /// The signals, in order; bits of vectors one by one.
    signals: Vec<String>,
    /// The names of groups and traces, in order.
    names: Vec<String>,
    /// At each of the times, a value for each of the names.
    values: Vec<Vec<String>>,
    /// The save file as GTKWave writes it itself: what it made of ours.
    save_file: String,
}

/// Opens a save file in GTKWave, from another folder, and asks for what is shown at some times.
fn gtkwave(save_file: &Path, times: &[u64]) -> Shown {
    let scratch = tempfile::tempdir().unwrap();
    let times_text: Vec<String> = times.iter().map(u64::to_string).collect();
    let script = format!(
        "proc each {{kind command}} {{
             for {{set i 0}} {{$i < [gtkwave::getTotalNumTraces]}} {{incr i}} {{ puts \"$kind|[$command $i]\" }}
         }}
         puts \"signals|[gtkwave::getDisplayedSignals]\"
         each name gtkwave::getTraceNameFromIndex
         foreach time {{{}}} {{
             gtkwave::setMarker $time
             puts time|$time
             each value gtkwave::getTraceValueAtMarkerFromIndex
         }}
         gtkwave::/File/Write_Save_File
         gtkwave::/File/Quit\n",
        times_text.join(" ")
    );
    // GTKWave replaces the save file that it has read.
    let original = std::fs::read(save_file).unwrap();
    let path = scratch.path().join("script.tcl");
    std::fs::write(&path, script).unwrap();
    let output = std::process::Command::new("xvfb-run")
        .args(["-a", "-s", "-screen 0 1600x900x24", "gtkwave", "-S"])
        .args([&path, save_file])
        .current_dir(scratch.path())
        .output()
        .expect("xvfb-run is installed");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut shown = Shown {
        signals: vec![],
        names: vec![],
        values: vec![],
        save_file: std::fs::read_to_string(save_file).unwrap(),
    };
    std::fs::write(save_file, original).unwrap();
    for (kind, rest) in text.lines().filter_map(|line| line.split_once('|')) {
        match kind {
            "signals" => shown.signals = rest.split_whitespace().map(str::to_owned).collect(),
            "name" => shown.names.push(rest.into()),
            "time" => shown.values.push(vec![]),
            "value" => shown.values.last_mut().unwrap().push(rest.into()),
            _ => (),
        }
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        shown.values.len(),
        times.len(),
        "GTKWave said {text}{errors}"
    );
    shown
}

/// How a line of the list of signals looks: its flags, its colour, its name.
type Look = (u32, u32, String);

/// The looks of all lines in a save file, ours or GTKWave's.
fn looks(save_file: &str) -> Vec<Look> {
    let (mut flags, mut colour) = (0, 0);
    let mut looks = Vec::new();
    for line in save_file.lines() {
        if let Some(text) = line.strip_prefix('@') {
            flags = u32::from_str_radix(text, 16).unwrap();
        } else if let Some(text) = line.strip_prefix("[color] ") {
            colour = text.parse().unwrap();
        } else if let Some(name) = name_of(line) {
            looks.push((flags, std::mem::take(&mut colour), name.into()));
        }
    }
    looks
}

/// The name of the group or trace in a line of a save file.
fn name_of(line: &str) -> Option<&str> {
    let trace = || {
        line.strip_prefix(['+', '#'])?
            .strip_prefix('{')?
            .split_once("} ")
    };
    line.strip_prefix('-').or(trace().map(|(name, _)| name))
}

/// The names of groups and traces that a save file asks for, and the signals of the traces; bits of vectors one by one.
fn asked(save_file: &str) -> (Vec<String>, Vec<String>) {
    let (mut names, mut signals) = (Vec::new(), Vec::new());
    for line in save_file.lines() {
        if let Some(group) = line.strip_prefix('-') {
            names.push(group.into());
        } else if let Some((name, rest)) = line
            .strip_prefix(['+', '#'])
            .and_then(|it| it[1..].split_once("} "))
        {
            names.push(name.into());
            signals.extend(rest.split(' ').map(single));
        }
    }
    (names, signals)
}

/// `(2)a[7:0]`, the third bit from the left of a vector, as GTKWave tells it: `a[5]`.
fn single(signal: &str) -> String {
    let bit = || {
        let (place, vector) = signal.strip_prefix('(')?.split_once(')')?;
        let (name, range) = vector.rsplit_once('[')?;
        let highest: u32 = range.split_once(':')?.0.parse().ok()?;
        Some(format!("{name}[{}]", highest - place.parse::<u32>().ok()?))
    };
    bit().unwrap_or_else(|| signal.into())
}

/// A link of port 0 at a time.
struct Link {
    valid: bool,
    head: bool,
    tail: bool,
    vc: String,
    data: u128,
}

impl Link {
    fn at(wave: &mut Wave, side: &str, time: u64) -> Self {
        let mut bits = |name: &str| {
            let value = wave
                .value(&format!("TOP.bench.router.{side}_{name}_0"), time)
                .unwrap()
                .unwrap();
            u128::from_str_radix(&value, 2).unwrap()
        };
        Self {
            valid: bits("valid") == 1,
            head: bits("head") == 1,
            tail: bits("tail") == 1,
            vc: format!("vc{}", bits("vc")),
            data: bits("data"),
        }
    }

    /// What the decoded lines should be: flit, opcode, virtual channel.
    fn texts(&self) -> [String; 3] {
        let header = Header::decode(self.data);
        let opcode = fantree_hdl::packet::Opcode(header.opcode).to_string();
        let nothing = || "-".to_string();
        match self {
            Link { valid: false, .. } => [nothing(), nothing(), nothing()],
            Link { head: true, .. } => [header.describe(), opcode, self.vc.clone()],
            Link { tail: true, .. } => {
                [format!("tail {:x}", self.data), nothing(), self.vc.clone()]
            }
            _ => [format!("{:x}", self.data), nothing(), self.vc.clone()],
        }
    }
}

/// The chip has been reset: before, its registers hold anything.
fn is_reset(wave: &mut Wave, time: u64) -> bool {
    let changes = wave.changes("TOP.bench.router.reset").unwrap();
    let end = changes.iter().rfind(|(_, value)| value == "0");
    end.is_some_and(|(end, _)| *end < time)
}

/// Times at which port 0 has heads, other flits, and none, in both directions, all after the reset.
fn times(wave: &mut Wave) -> Vec<u64> {
    let mut times = Vec::new();
    for side in ["rx", "tx"] {
        let changes = ["data", "valid"].map(|name| {
            let signal = format!("TOP.bench.router.{side}_{name}_0");
            wave.changes(&signal).unwrap()
        });
        let kinds: [fn(&Link) -> bool; 3] = [
            |it| it.valid && it.head,
            |it| it.valid && !it.head,
            |it| !it.valid,
        ];
        for kind in kinds {
            let found = changes
                .iter()
                .flatten()
                .map(|(time, _)| time + 1)
                .filter(|time| kind(&Link::at(wave, side, *time)) && is_reset(wave, *time));
            let found: Vec<u64> = found.take(3).collect();
            assert!(!found.is_empty(), "no flits of a kind at {side} of port 0");
            times.extend(found);
        }
    }
    times
}

#[test]
fn gtkwave_shows_all_that_was_asked_for_and_headers_in_words() {
    let scratch = tempfile::tempdir().unwrap();
    let made = scratch.path().join("made");
    record(&made, &[]);
    // What it needs is beside the save file or found by its whole path.
    let folder = scratch.path().join("moved away");
    std::fs::rename(&made, &folder).unwrap();

    let mut wave = Wave::open(&folder.join("wave.fst")).unwrap();
    assert_eq!(wave.time_exponent(), Some(-9));
    let times = times(&mut wave);
    let save_file = folder.join("wave.gtkw");
    let shown = gtkwave(&save_file, &times);
    let text = std::fs::read_to_string(&save_file).unwrap();

    let (names, signals) = asked(&text);
    assert_eq!(shown.names, names);
    assert_eq!(shown.signals, signals);
    let looks = (looks(&shown.save_file), looks(&text));
    assert_eq!(looks.0, looks.1);

    // The first lines of these names are port 0's.
    for side in ["rx", "tx"] {
        let lines = ["flit", "opcode", "vc"].map(|name| {
            let name = format!("{side} {name}");
            shown.names.iter().position(|it| *it == name).unwrap()
        });
        for (values, &time) in shown.values.iter().zip(&times) {
            let texts = lines.map(|line| values[line].as_str());
            assert_eq!(
                texts,
                Link::at(&mut wave, side, time).texts(),
                "{side} at {time}"
            );
        }
    }
}

/// The markers of a save file, by name.
fn markers(save_file: &str) -> HashMap<&str, u64> {
    let line = save_file.lines().find(|line| line.starts_with('*'));
    // The zoom and the marker without a name come first.
    let times: Vec<&str> = line.unwrap().split(' ').skip(2).collect();
    let names = save_file
        .lines()
        .filter_map(|line| line.strip_prefix("[markername] "));
    names
        .map(|name| {
            let place = usize::from(name.as_bytes()[0] - b'A');
            (&name[1..], times[place].parse().unwrap())
        })
        .collect()
}

#[test]
fn the_life_of_a_packet_is_marked() {
    let scratch = tempfile::tempdir().unwrap();
    record(scratch.path(), &["--packet", "20"]);
    let save_file = scratch.path().join("wave.gtkw");
    let wave_file = scratch.path().join("wave.fst");
    let config = Config::load(Path::new("configs/router-2x2.toml")).unwrap();
    let mut wave = Wave::open(&wave_file).unwrap();
    let journeys = follow(&config.router, &mut wave, u64::MAX).unwrap();
    let packet = journeys.iter().find(|it| it.id == 20).unwrap();
    let (from, to) = (packet.from.unwrap(), packet.to()[0]);
    let injected = packet.injected.unwrap();

    let shown = gtkwave(&save_file, &[wave_time(injected)]);
    let out = format!("out of port {to}");
    let expected = [
        ("injected", wave_time(injected)),
        ("routed", wave_time(injected + 1)),
        (out.as_str(), wave_time(packet.arrived().unwrap())),
    ];
    assert_eq!(markers(&shown.save_file), expected.into());

    // The units on its way are unfolded, others are not; at the first marker its header comes in.
    let looks = looks(&shown.save_file);
    let is_open = |port: usize, name: &str| {
        let port = format!("port {port}: ");
        let lines = looks.iter().skip_while(|(.., it)| !it.starts_with(&port));
        let (flags, ..) = lines.clone().find(|(.., it)| it == name).unwrap();
        const CLOSED: u32 = 1 << 22;
        flags & CLOSED == 0
    };
    assert!(is_open(from, "link in") && is_open(from, "input unit"));
    assert!(is_open(to, "output unit") && is_open(to, "link out"));
    assert!(!is_open(to, "errors"));
    let port = shown
        .names
        .iter()
        .position(|it| it.starts_with(&format!("port {from}: ")));
    let flit = shown.names[port.unwrap()..]
        .iter()
        .position(|it| it == "rx flit");
    let value = &shown.values[0][port.unwrap() + flit.unwrap()];
    assert_eq!(*value, packet.header.describe());
}

/// Of modules that differ in size alone, one is enough.
fn kind(module: &str) -> String {
    let is_size = |part: &str| part.starts_with(|it: char| it.is_ascii_digit());
    let parts = module.split('_').filter(|part| !is_size(part));
    parts.collect::<Vec<_>>().join("_")
}

#[test]
fn every_block_is_shown_alone_as_a_whole() {
    let config = Config::load(Path::new("configs/router-2x2.toml")).unwrap();
    let design = fantree_gen::generate(&config).unwrap();
    let blocks = design.modules().iter().map(|module| module.name.as_str());
    let blocks: BTreeMap<String, &str> = blocks.map(|name| (kind(name), name)).collect();
    assert!(blocks.len() > 20);
    let scratch = tempfile::tempdir().unwrap();
    for block in blocks.values().filter(|name| **name != "router") {
        let folder = scratch.path().join(block);
        record(&folder, &["--block", block]);
        let save_file = folder.join("wave.gtkw");
        let shown = gtkwave(&save_file, &[100]);
        let text = std::fs::read_to_string(&save_file).unwrap();
        let (names, signals) = asked(&text);
        assert_eq!(shown.names, names, "{block}");
        assert_eq!(shown.signals, signals, "{block}");
        assert_eq!(looks(&shown.save_file), looks(&text), "{block}");
        let ports = design.module(block).unwrap().ports.iter();
        for port in ports {
            assert!(names.contains(&port.name), "{block} shows no {}", port.name);
        }
    }

    let output = fantree(&["wave", "configs/router-2x2.toml", "--block", "fifo"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("there is no module `fifo`; the modules are "),
        "{told}"
    );
}

/// The library that writes waves would replace the device by a file.
#[test]
fn a_device_takes_no_wave() {
    let output = fantree(&["sim", "configs/router-2x2.toml", "--wave", "/dev/full"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("/dev/full is a device"), "{told}");
}
