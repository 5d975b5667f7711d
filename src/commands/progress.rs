//! What the screen shows while something takes its time. Nothing is shown where the error output is not a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A spinner for work of unknown length.
pub fn spinner(message: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// A bar for a simulation of so many cycles.
pub fn cycles(cycles: u64) -> ProgressBar {
    let template = "{bar:30} {pos}/{len} cycles, {per_sec}, {eta} left: {msg}";
    let style = ProgressStyle::with_template(template).expect("a template of our own");
    ProgressBar::new(cycles).with_style(style)
}

/// A bar for so many simulations.
pub fn runs(runs: usize) -> ProgressBar {
    counted("runs", runs)
}

/// A bar for so many of something.
pub fn counted(what: &str, count: usize) -> ProgressBar {
    let template = &format!("{{bar:30}} {{pos}}/{{len}} {what}, {{eta}} left: {{msg}}");
    let style = ProgressStyle::with_template(template).expect("a template of our own");
    let bar = ProgressBar::new(count as u64).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
