//! A remote bit-bang server: OpenOCD, or any program that speaks its protocol, moves the JTAG pins of a simulated chip.

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;

use anyhow::{bail, Context, Result};

/// The JTAG pins of a chip.
pub trait Pins {
    /// Drives the inputs; the chip lives on for a while.
    fn drive(&mut self, tck: bool, tms: bool, tdi: bool) -> Result<()>;

    /// The output.
    fn tdo(&self) -> bool;

    /// Resets the chip with its TAP.
    fn reset(&mut self) -> Result<()>;
}

/// Does what a client asks until it leaves.
pub fn serve(client: TcpStream, chip: &mut impl Pins) -> Result<()> {
    // Each answer is a byte, and the client waits for it.
    client
        .set_nodelay(true)
        .context("cannot set up the connection")?;
    let mut answers = client.try_clone().context("cannot set up the connection")?;
    for byte in BufReader::new(client).bytes() {
        match byte.context("the client is gone")? {
            pins @ b'0'..=b'7' => {
                let bit = |bit: u8| (pins - b'0') >> bit & 1 == 1;
                chip.drive(bit(2), bit(1), bit(0))?;
            }
            b'R' => {
                let answer = if chip.tdo() { b"1" } else { b"0" };
                answers.write_all(answer).context("the client is gone")?;
            }
            // System reset, test reset or both; `r` lets go of them.
            b's' | b't' | b'u' => chip.reset()?,
            b'r' | b'B' | b'b' => {}
            b'Q' => return Ok(()),
            unknown => bail!("the client sends the byte {unknown:#04x}, which means nothing"),
        }
    }
    Ok(())
}
