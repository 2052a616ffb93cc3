//! `--impair`: deliberate loss, delay and damage of datagrams.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;
use std::time::Duration;

use gamewire_machine::Role;
use gamewire_net::{Conditions, DriverConfig};
use serde_json::{Value, json};

/// Link conditions for both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Impairment(pub(crate) Conditions);

impl Impairment {
    /// Applies the conditions to the configuration of a driver.
    pub(crate) fn apply(self, config: DriverConfig) -> DriverConfig {
        // A random seed, so that two programs do not lose the same datagrams.
        DriverConfig { seed: random_seed(), ..config.impair(self.0) }
    }
}

/// Returns a random seed.
pub(crate) fn random_seed() -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = gamewire::seed();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl FromStr for Impairment {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let mut conditions = Conditions::PERFECT;
        for item in list.split(',') {
            let (name, value) =
                item.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found `{item}`"))?;
            match name {
                "loss" => conditions.loss = parse_fraction(value)?,
                "burst" => conditions.burst = parse_burst(value)?,
                "rate" => conditions.rate = Some(parse_rate(value)?),
                "reorder" => conditions.reorder = parse_fraction(value)?,
                "duplicate" => conditions.duplicate = parse_fraction(value)?,
                "corrupt" => conditions.corrupt = parse_fraction(value)?,
                "delay" => conditions.delay = crate::duration::parse(value)?,
                "jitter" => conditions.jitter = crate::duration::parse(value)?,
                "mtu" => {
                    conditions.mtu =
                        value.parse().map_err(|_| format!("expected a number of bytes, found `{value}`"))?
                }
                "drop-every" => {
                    let every = NonZeroU32::from_str(value)
                        .map_err(|_| format!("expected a number of at least 1, found `{value}`"))?;
                    conditions.drop_every = Some(every);
                }
                other => {
                    return Err(format!(
                        "unknown condition `{other}`; use loss, burst, delay, jitter, reorder, duplicate, corrupt, rate, mtu or drop-every"
                    ));
                }
            }
        }
        Ok(Self(conditions))
    }
}

impl fmt::Display for Impairment {
    /// Writes the list that [`FromStr`] reads; `off` for a link without impairments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conditions { loss, burst, delay, jitter, reorder, duplicate, corrupt, mtu, drop_every, rate } =
            self.0;
        let is_set = |number: f64, usual: f64| number.to_bits() != usual.to_bits();
        let share =
            |name, part: f64| is_set(part, 0.0).then(|| format!("{name}={}%", (part * 1e6).round() / 1e4));
        let time = |name, time: Duration| {
            (!time.is_zero()).then(|| format!("{name}={}ms", time.as_secs_f64() * 1e3))
        };
        let items = [
            share("loss", loss),
            is_set(burst, Conditions::PERFECT.burst).then(|| format!("burst={burst}")),
            time("delay", delay),
            time("jitter", jitter),
            share("reorder", reorder),
            share("duplicate", duplicate),
            share("corrupt", corrupt),
            rate.map(|rate| format!("rate={rate}")),
            (mtu != Conditions::PERFECT.mtu).then(|| format!("mtu={mtu}")),
            drop_every.map(|every| format!("drop-every={every}")),
        ];
        let items: Vec<_> = items.into_iter().flatten().collect();
        f.write_str(if items.is_empty() { "off" } else { "" })?;
        f.write_str(&items.join(","))
    }
}

/// The conditions of a proxy's link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinkConditions {
    pub(crate) to_server: Conditions,
    pub(crate) to_client: Conditions,
}

impl LinkConditions {
    /// Replaces the conditions of a direction.
    pub(crate) const fn set(&mut self, to: Role, conditions: Conditions) {
        match to {
            Role::Server => self.to_server = conditions,
            Role::Client => self.to_client = conditions,
        }
    }

    /// Returns the conditions as JSON, as the page shows them.
    pub(crate) fn json(&self) -> Value {
        let [to_server, to_client] = [self.to_server, self.to_client].map(|one| Impairment(one).to_string());
        json!({"link": {"to_server": to_server, "to_client": to_client}})
    }
}

/// Parses the mean length of a burst of losses, in datagrams.
fn parse_burst(text: &str) -> Result<f64, String> {
    let burst = text.parse::<f64>().ok().filter(|burst| (1.0..=1e6).contains(burst));
    burst.ok_or_else(|| format!("expected a mean number of datagrams from 1, found `{text}`"))
}

/// Parses a number of bytes per second: `4096`, `64k` or `2M`.
fn parse_rate(text: &str) -> Result<NonZeroU64, String> {
    let units = [("k", 1_000), ("M", 1_000_000)];
    let (number, unit) = units
        .into_iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)))
        .unwrap_or((text, 1));
    let rate = number.parse::<u64>().ok().and_then(|number| NonZeroU64::new(number.checked_mul(unit)?));
    rate.ok_or_else(|| format!("expected bytes per second such as 4096, 64k or 2M, found `{text}`"))
}

/// Parses a fraction: `5%` or `0.05`.
fn parse_fraction(text: &str) -> Result<f64, String> {
    let (number, divisor) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let fraction = number
        .parse::<f64>()
        .map_err(|_| format!("expected a fraction such as 5% or 0.05, found `{text}`"))?
        / divisor;
    if (0.0..=1.0).contains(&fraction) {
        Ok(fraction)
    } else {
        Err(format!("expected a fraction from 0 to 100%, found `{text}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_sets_the_named_conditions() {
        let Impairment(conditions) = "loss=5%,delay=40ms,drop-every=3".parse().unwrap();
        assert!((conditions.loss - 0.05).abs() < 1e-9);
        assert_eq!((conditions.delay.as_millis(), conditions.drop_every), (40, NonZeroU32::new(3)));
        let Impairment(weak) = "rate=64k,loss=0.1,burst=8".parse().unwrap();
        assert_eq!((weak.rate, weak.burst.to_bits()), (NonZeroU64::new(64_000), 8_f64.to_bits()));
        assert!((conditions.reorder - Conditions::PERFECT.reorder).abs() < 1e-9);
    }

    #[test]
    fn conditions_are_shown_as_they_are_typed() {
        for list in
            ["off", "loss=7%,delay=40ms", "loss=2.5%,burst=4,jitter=1.5ms,rate=64000,mtu=576,drop-every=3"]
        {
            let Impairment(conditions) = list.parse().unwrap_or(Impairment(Conditions::PERFECT));
            assert_eq!(Impairment(conditions).to_string(), list);
        }
    }

    #[test]
    fn invalid_lists_are_errors() {
        for list in [
            "",
            "loss",
            "loss=200%",
            "loss=x",
            "delay=5 miles",
            "drop-every=0",
            "rate=0",
            "burst=0",
            "luck=1",
        ] {
            assert!(list.parse::<Impairment>().is_err(), "{list}");
        }
    }
}
