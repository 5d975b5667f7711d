//! A case as a process of its own: what it does to itself, it does to nobody else.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{kill_process_group, set_parent_process_death_signal, Pid, Signal};
use wait_timeout::ChildExt;

/// How a process ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    pub how: How,
    pub stdout: String,
    pub stderr: String,
    pub seconds: f64,
}

/// What ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Exited(i32),
    /// By a signal, such as that of an abort.
    Killed(i32),
    /// After so many seconds.
    TimedOut(u64),
}

/// Runs a program to its end, or for so many seconds. What it has started ends with it, and it ends with this process.
pub fn run(program: &Path, words: &[String], seconds: u64) -> Result<Ended> {
    let scratch = || tempfile::tempfile().context("cannot make a scratch file");
    let (mut stdout, mut stderr) = (scratch()?, scratch()?);
    let mut command = Command::new(program);
    command
        .args(words)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .process_group(0);
    // SAFETY: between fork and exec, a single system call that allocates nothing.
    unsafe {
        command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
    }
    let start = Instant::now();
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let status = child.wait_timeout(Duration::from_secs(seconds))?;
    let how = match status {
        Some(status) => match status.code() {
            Some(code) => How::Exited(code),
            None => How::Killed(status.signal().unwrap_or_default()),
        },
        None => {
            kill_process_group(Pid::from_child(&child), Signal::KILL)?;
            child.wait()?;
            How::TimedOut(seconds)
        }
    };
    Ok(Ended {
        how,
        stdout: text(&mut stdout)?,
        stderr: text(&mut stderr)?,
        seconds: start.elapsed().as_secs_f64(),
    })
}

fn text(file: &mut File) -> Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, seconds: u64) -> Ended {
        let words = ["-c".to_string(), script.into()];
        run(Path::new("/bin/sh"), &words, seconds).unwrap()
    }

    #[test]
    fn a_process_is_told_by_its_end() {
        let ended = shell("echo out; echo err >&2; exit 3", 60);
        assert_eq!(ended.how, How::Exited(3));
        assert_eq!((&*ended.stdout, &*ended.stderr), ("out\n", "err\n"));
        assert_eq!(shell("kill -ABRT $$", 60).how, How::Killed(6));
    }

    #[test]
    fn what_hangs_ends_with_all_that_it_started() {
        let ended = shell("sleep 1000 & echo $!; wait", 1);
        assert_eq!(ended.how, How::TimedOut(1));
        let started = Path::new("/proc").join(ended.stdout.trim());
        let gone = || {
            let status = std::fs::read_to_string(started.join("stat"));
            status.map_or(true, |status| status.contains(") Z"))
        };
        let deadline = Instant::now() + Duration::from_secs(10);
        while !gone() {
            assert!(Instant::now() < deadline, "{} lives", started.display());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
