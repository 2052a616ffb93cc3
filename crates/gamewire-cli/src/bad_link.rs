//! `--bad-link`: what is done to datagrams on purpose.

use std::num::NonZeroU32;
use std::str::FromStr;

use gamewire_net::{Conditions, Direction, DriverConfig};

/// Conditions for both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BadLink(pub(crate) Conditions);

impl BadLink {
    /// Puts them into the settings of a driver.
    pub(crate) fn apply(self, settings: DriverConfig) -> DriverConfig {
        let settings = settings.conditions(Direction::Incoming, self.0);
        // Two programs must not lose the same ones.
        settings.conditions(Direction::Outgoing, self.0).seed(random_seed())
    }
}

/// A number that nobody knows beforehand.
fn random_seed() -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = gamewire::seed();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl FromStr for BadLink {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let mut conditions = Conditions::PERFECT;
        for item in list.split(',') {
            let (name, value) =
                item.split_once('=').ok_or_else(|| format!("`{item}` is not of the form NAME=VALUE"))?;
            match name {
                "loss" => conditions.loss = parse_fraction(value)?,
                "reorder" => conditions.reorder = parse_fraction(value)?,
                "duplicate" => conditions.duplicate = parse_fraction(value)?,
                "corrupt" => conditions.corrupt = parse_fraction(value)?,
                "delay" => conditions.delay = crate::duration::parse(value)?,
                "jitter" => conditions.jitter = crate::duration::parse(value)?,
                "mtu" => {
                    conditions.mtu = value.parse().map_err(|_| format!("`{value}` is no number of bytes"))?
                }
                "drop-every" => {
                    let every = NonZeroU32::from_str(value)
                        .map_err(|_| format!("`{value}` is no number from 1 on"))?;
                    conditions.drop_every = Some(every);
                }
                other => {
                    return Err(format!(
                        "there is no `{other}`; there are loss, delay, jitter, reorder, duplicate, corrupt, mtu, drop-every"
                    ));
                }
            }
        }
        Ok(Self(conditions))
    }
}

/// A share of all: `5%` or `0.05`.
fn parse_fraction(text: &str) -> Result<f64, String> {
    let (number, whole) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share =
        number.parse::<f64>().map_err(|_| format!("`{text}` is no share such as 5% or 0.05"))? / whole;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(format!("`{text}` is not from 0 to 100%")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_sets_what_it_names() {
        let BadLink(link) = "loss=5%,delay=40ms,drop-every=3".parse().unwrap();
        assert!((link.loss - 0.05).abs() < 1e-9);
        assert_eq!((link.delay.as_millis(), link.drop_every), (40, NonZeroU32::new(3)));
        assert!((link.reorder - Conditions::PERFECT.reorder).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_is_told() {
        for list in ["", "loss", "loss=200%", "loss=x", "delay=5 miles", "drop-every=0", "luck=1"] {
            assert!(list.parse::<BadLink>().is_err(), "{list}");
        }
    }
}
