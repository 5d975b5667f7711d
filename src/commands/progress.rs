//! What the screen shows while something takes its time. Nothing is shown where the error output is not a terminal.

use std::time::Duration;

use indicatif::ProgressBar;

/// A spinner for work of unknown length.
pub fn spinner(message: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}
