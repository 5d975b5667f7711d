//! What go-back-N can do.

use fantree_hdl::link::LinkParams;

/// Cycles at both ends from the last word of a damaged frame to the first flit that is sent again, less the line's.
pub const TURNAROUND: f64 = 8.0;

/// Flits a cycle at full load, when `spoiled` is the share of frames that do not come as they were sent and `delay` the
/// cycles from one end to the other.
///
/// A frame that comes takes the time of its words. One that does not costs the time until it is sent again: its own, the
/// way of the request and of the answer, and what is sent in the meantime for nothing. For n frames in that time this is
/// (1 − p) / (1 − p + n · p) of the line, the formula of go-back-N.
pub fn expected_goodput(params: &LinkParams, delay: usize, spoiled: f64) -> f64 {
    let flits = params.frame_flits as f64;
    let frame = flits + 1.0;
    let round_trip = 2.0 * delay as f64 + TURNAROUND;
    // Where the replay buffer is smaller than what is on its way, the sender waits for acknowledgements.
    let window = (params.replay_flits as f64 / (frame + round_trip)).min(flits / frame);
    let frames = (frame - 1.0 + round_trip) / frame;
    window * (1.0 - spoiled) / (1.0 - spoiled + frames * spoiled)
}
