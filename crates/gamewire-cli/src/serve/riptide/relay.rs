use std::ops::RangeInclusive;
use std::str::FromStr;

use gamewire_riptide::server::RelayFilter;

/// `--relay`: the messages that are relayed.
#[derive(Clone, Debug)]
pub(super) struct Relay(RelayFilter);

impl Relay {
    /// Returns true if a message is relayed. Notify messages have no id and are never relayed.
    pub(super) fn holds(&self, id: Option<u16>) -> bool {
        id.is_some_and(|id| self.0.should_relay(id))
    }
}

impl FromStr for Relay {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let mut filter = RelayFilter::new();
        let ranges = match list {
            "all" => vec![0..=u16::MAX],
            "none" => Vec::new(),
            list => list.split(',').map(range).collect::<Result<_, _>>()?,
        };
        ranges.into_iter().flatten().for_each(|id| filter.enable_relay(id));
        Ok(Self(filter))
    }
}

/// Parses an id or a range of ids: `5` or `10-20`.
fn range(text: &str) -> Result<RangeInclusive<u16>, String> {
    let advice =
        || format!("expected all, none, ids from 0 to 65535 or ranges such as 10-20, found `{text}`");
    let id = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_number).ok_or_else(advice)
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = id(first)?..=id(last)?;
    if range.is_empty() { Err(format!("expected an ascending range, found `{text}`")) } else { Ok(range) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    fn relayed(list: &str) -> Vec<u16> {
        let relay: Relay = list.parse().unwrap();
        assert!(!relay.holds(None), "notify messages have no id");
        (0..=u16::MAX).filter(|id| relay.holds(Some(*id))).collect()
    }

    #[test]
    fn ids_ranges_and_keywords_select_messages() {
        assert_eq!(relayed("1,5,10-12,65535"), [1, 5, 10, 11, 12, 65535]);
        assert_eq!(relayed("0-65535").len(), 65536);
        assert_eq!((relayed("all").len(), relayed("none").len()), (65536, 0));
    }

    #[test]
    fn invalid_lists_of_ids_are_errors() {
        for list in ["", ",", "1,", "65536", "-1", "+1", "5-", "20-10", "all,1", "a-b", "1-2-3", "0x1"] {
            assert!(list.parse::<Relay>().is_err(), "{list}");
        }
    }
}
