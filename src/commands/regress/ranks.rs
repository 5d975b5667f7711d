//! A regression spread over the ranks of MPI: `mpirun -n 3 fantree regress PLAN`.
//!
//! Rank 0 reads the plan, hands out jobs, and keeps journal and reports; each other rank does one job at a time. All
//! see the same folders, by a shared file system where they are on several machines.

use std::time::Duration;

use anyhow::{Context, Result};
use fantree_tb::regress::{Crew, Job, Report, Terms, Worker};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Args;
use crate::commands::{sim, Outcome};

/// Between two looks for a message: a rank that waits leaves its core to those that simulate.
const PAUSE: Duration = Duration::from_millis(2);

/// What rank 0 tells another.
#[derive(Serialize, Deserialize)]
enum Order {
    Join(Terms),
    Do(Box<Job>),
    End,
}

/// Runs a regression as one of the ranks.
pub fn run(args: &Args) -> Result<Outcome> {
    let universe = mpi::initialize().context("MPI cannot be started")?;
    let world = universe.world();
    if world.rank() != 0 {
        return serve(&world);
    }
    // Whatever comes: the others wait for an end.
    let ranks = Ranks {
        world: universe.world(),
    };
    super::lead(args, |worker| {
        let order = Order::Join(worker.terms);
        (1..ranks.world.size()).try_for_each(|rank| send(&ranks.world, rank, &order))?;
        Ok(Box::new(ranks))
    })
}

/// Does what rank 0 says, until it says that it is over.
fn serve(world: &SimpleCommunicator) -> Result<Outcome> {
    let mut worker = None;
    loop {
        match receive(world)?.1 {
            Order::Join(terms) => {
                let simulator = sim::simulator(std::env::current_exe()?);
                worker = Some(Worker { simulator, terms });
            }
            Order::Do(job) => {
                let worker = worker.as_ref().context("a job before the regression")?;
                send(world, 0, &worker.work(&job))?;
            }
            Order::End => return Ok(Outcome::Passed),
        }
    }
}

/// All ranks but the first.
struct Ranks {
    world: SimpleCommunicator,
}

impl Crew for Ranks {
    fn size(&self) -> usize {
        self.world.size() as usize - 1
    }

    fn start(&mut self, worker: usize, job: Job) -> Result<()> {
        send(&self.world, worker as i32 + 1, &Order::Do(Box::new(job)))
    }

    fn wait(&mut self) -> Result<(usize, Report)> {
        let (rank, report) = receive(&self.world)?;
        Ok((rank as usize - 1, report))
    }
}

impl Drop for Ranks {
    fn drop(&mut self) {
        for rank in 1..self.world.size() {
            // A rank that hears nothing any more has ended by itself.
            let _ = send(&self.world, rank, &Order::End);
        }
    }
}

fn send(world: &SimpleCommunicator, rank: i32, message: &impl Serialize) -> Result<()> {
    let bytes = serde_json::to_vec(message)?;
    world.process_at_rank(rank).send(&bytes[..]);
    Ok(())
}

/// The next message, and whose it is.
fn receive<M: DeserializeOwned>(world: &SimpleCommunicator) -> Result<(i32, M)> {
    while world.any_process().immediate_probe().is_none() {
        std::thread::sleep(PAUSE);
    }
    let (bytes, status) = world.any_process().receive_vec::<u8>();
    Ok((status.source_rank(), serde_json::from_slice(&bytes)?))
}
