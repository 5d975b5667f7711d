//! The pins of a link's side in one direction, by number.

use super::Flit;
use crate::verilator::{Model, Port, Result};

/// Pins that carry a flit.
pub struct FlitPins {
    valid: Port,
    data: Port,
    head: Port,
    tail: Port,
    bad: Port,
    vc: Port,
}

impl FlitPins {
    /// Those of every port; `side` is `rx` or `tx`.
    pub fn of_links(model: &Model, side: &str, ports: usize) -> Result<Vec<Self>> {
        let of_link = |port: usize| {
            let pin = |name: &str| model.port(&format!("{side}_{name}_{port}"));
            Ok(Self {
                valid: pin("valid")?,
                data: pin("data")?,
                head: pin("head")?,
                tail: pin("tail")?,
                bad: pin("bad")?,
                vc: pin("vc")?,
            })
        };
        (0..ports).map(of_link).collect()
    }

    /// Tells a chip that its links work, and meet no congestion.
    pub fn raise_links(model: &mut Model, ports: usize) -> Result<()> {
        for port in 0..ports {
            for (pin, value) in [
                ("link_up", 1),
                ("link_slow", 0),
                ("link_error", 0),
                ("tx_congested", 0),
            ] {
                let pin = model.input(&format!("{pin}_{port}"))?;
                model.write(pin, value);
            }
        }
        Ok(())
    }

    /// Drives a flit, or none. Data, marks and channel of a link without one keep their last values, so a chip that does
    /// not look at `valid` is found out.
    #[inline]
    pub fn write(&self, model: &mut Model, flit: Option<&Flit>) {
        model.write(self.valid, flit.is_some().into());
        if let Some(flit) = flit {
            model.write_u128(self.data, flit.data);
            model.write(self.head, flit.head.into());
            model.write(self.tail, flit.tail.into());
            model.write(self.bad, flit.bad.into());
            model.write(self.vc, flit.vc.into());
        }
    }

    /// The flit that is shown.
    #[inline]
    pub fn read(&self, model: &Model) -> Option<Flit> {
        (model.read(self.valid) == 1).then(|| Flit {
            data: model.read_u128(self.data),
            head: model.read(self.head) == 1,
            tail: model.read(self.tail) == 1,
            bad: model.read(self.bad) == 1,
            vc: model.read(self.vc) as u8,
        })
    }
}
