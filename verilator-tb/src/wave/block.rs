//! The view of a module alone: its inputs, outputs and registers, and what is inside, unit by unit.

use std::collections::{BTreeMap, BTreeSet};

use fantree_gen::verilog::{Direction, Module};
use fantree_hdl::packet::FLIT_BITS;
use fantree_hdl::router::{bus, RouterParams, CAUSE_BITS};

use super::{Group, Item, Part, Show, Signal, Table, Trace, View, Wave};

/// Cycles that the window spans.
const CYCLES_SHOWN: u64 = 20;

/// Everything of a module and of the units in it; of these, what they have between each other.
pub fn block_view(module: &Module, params: &RouterParams, wave: &Wave) -> View {
    let top = format!("TOP.{}", module.name);
    let scope = Scope::of(&top, wave);
    let is = |direction: Direction| -> BTreeSet<&str> {
        let ports = module.ports.iter().filter(|it| it.direction == direction);
        ports.map(|port| port.name.as_str()).collect()
    };
    let (inputs, outputs) = (is(Direction::Input), is(Direction::Output));
    let is_inside =
        |name: &str| !inputs.contains(name) && !outputs.contains(name) && !scope.is_of_child(name);
    let trace = |name: &str| scope.trace(name, params);
    let ports = |names: &BTreeSet<&str>| -> Vec<Item> {
        let in_order = module.ports.iter().map(|port| port.name.as_str());
        in_order
            .filter(|it| names.contains(it))
            .map(trace)
            .collect()
    };
    let inside = scope.signals.keys().filter(|it| is_inside(it));
    let mut items = vec![
        group("inputs", true, ports(&inputs)),
        group("outputs", true, ports(&outputs)),
        group("registers", true, scope.registers(params)),
        group("signals", false, inside.map(|it| trace(it)).collect()),
    ];
    items.extend(scope.units().into_iter().map(|unit| {
        let scope = Scope::of(&format!("{top}.{unit}"), wave);
        let own = scope.signals.keys().filter(|it| !scope.is_of_child(it));
        let mut items: Vec<Item> = own.map(|it| scope.trace(it, params)).collect();
        items.extend(scope.registers(params));
        group(unit, false, items)
    }));
    items.retain(|item| !matches!(item, Item::Group(group) if group.items.is_empty()));
    View {
        items,
        start: 0,
        marker: 0,
        span: CYCLES_SHOWN * crate::lockstep::CYCLE_TIME,
        markers: vec![],
    }
}

/// A module in a wave: its own signals, and the names of what is in it.
struct Scope<'a> {
    signals: BTreeMap<&'a str, &'a Signal>,
    children: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Scope<'a> {
    fn of(path: &str, wave: &'a Wave) -> Self {
        let mut scope = Self {
            signals: BTreeMap::new(),
            children: BTreeMap::new(),
        };
        let prefix = format!("{path}.");
        for signal in wave.signals() {
            let Some(name) = signal.path.strip_prefix(&prefix) else {
                continue;
            };
            match name.split_once('.') {
                // Words of memories are not shown.
                None if name.contains('[') => (),
                None => {
                    scope.signals.insert(name, signal);
                }
                Some((child, signal)) => {
                    scope.children.entry(child).or_default().insert(signal);
                }
            }
        }
        scope
    }

    /// A register has a clock, a `d` and a `q`.
    fn is_register(&self, child: &str) -> bool {
        let signals = &self.children[child];
        ["clock", "d", "q"]
            .iter()
            .all(|name| signals.contains(name))
    }

    /// Whether a signal is a wire to a child's port.
    fn is_of_child(&self, name: &str) -> bool {
        self.children.iter().any(|(child, ports)| {
            let port = name.strip_prefix(child).and_then(|it| it.strip_prefix('_'));
            port.is_some_and(|port| ports.contains(port))
        })
    }

    /// What registers hold, under their names.
    fn registers(&self, params: &RouterParams) -> Vec<Item> {
        let held = self.children.keys().filter_map(|child| {
            let signal = self.signals.get(format!("{child}_q").as_str())?;
            let show = self.show(child, signal.width, params);
            let trace = Trace::of(*child, signal.path.clone(), show);
            self.is_register(child).then_some(alarmed(child, trace))
        });
        held.collect()
    }

    /// Children that are no registers.
    fn units(&self) -> Vec<&'a str> {
        let children = self.children.keys().copied();
        children.filter(|child| !self.is_register(child)).collect()
    }

    fn trace(&self, name: &str, params: &RouterParams) -> Item {
        let signal = self.signals[name];
        let flit = (signal.width == FLIT_BITS as u32).then(|| self.valid_of(name));
        let trace = match flit.flatten() {
            Some(valid) => {
                let parts = vec![Part::all(&valid.path), Part::all(&signal.path)];
                Trace::joined(name, parts, Show::Flit)
            }
            None => Trace::of(name, &signal.path, self.show(name, signal.width, params)),
        };
        alarmed(name, trace)
    }

    /// The signal that tells whether a flit is there: `rx_valid` or `column_vc_0` for `rx_flit` and `column_flit_0`.
    fn valid_of(&self, flit: &str) -> Option<&Signal> {
        let (before, after) = flit.split_once("flit")?;
        let names = ["valid", "vc", "ports"].map(|what| format!("{before}{what}{after}"));
        let written = before.trim_end_matches('_').to_owned();
        let mut found = names.iter().chain([&written]);
        found.find_map(|name| self.signals.get(name.as_str()).copied())
    }

    /// How a signal is best read, by its name and its width.
    fn show(&self, name: &str, width: u32, params: &RouterParams) -> Show {
        let width = width as usize;
        let vcs = params.virtual_channels;
        let has = |part: &str| name.split('_').any(|it| it == part);
        match width {
            1 => Show::Bits,
            CAUSE_BITS if has("cause") => Show::Named(Table::DropCause),
            bus::ADDRESS_BITS if has("address") => Show::Named(Table::Register(*params)),
            _ if width == vcs && has("vc") => Show::Named(Table::VcBits(vcs)),
            _ if width == params.ports() && has("ports") => {
                Show::Named(Table::PortBits(params.ports()))
            }
            _ if ["blocks", "backlog", "count", "in"]
                .iter()
                .any(|it| has(it)) =>
            {
                Show::Decimal
            }
            _ => Show::Hex,
        }
    }
}

/// In red if its name says that something is wrong.
fn alarmed(name: &str, trace: Trace) -> Item {
    const ALARMS: [&str; 6] = ["error", "broken", "bad", "damaged", "dropped", "cause"];
    match name.split('_').any(|part| ALARMS.contains(&part)) {
        true => trace.alarm().into(),
        false => trace.into(),
    }
}

fn group(name: &str, open: bool, items: Vec<Item>) -> Item {
    Item::Group(Group {
        name: name.into(),
        open,
        items,
    })
}
