//! The TOML format of rules.

use core::time::Duration;

use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::Catalog;
use gamewire_machine::Role;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::{Rule, RuleAction};
use crate::hook::Action;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) rule: Vec<Table>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    r#match: String,
    #[serde(default, deserialize_with = "role")]
    from: Option<Role>,
    action: ActionName,
    field: Option<String>,
    value: Option<String>,
    milliseconds: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ActionName {
    Drop,
    Delay,
    Duplicate,
    Set,
}

impl Table {
    /// Converts a table to a rule.
    ///
    /// # Errors
    /// The mistake, with a suggestion.
    pub(super) fn into_rule(self, catalog: &Catalog) -> Result<Rule, String> {
        let table = self.clone();
        let Self { r#match, from, action, field, value, milliseconds } = self;
        let filter = Filter::parse(&r#match, catalog).map_err(|error| format!("invalid filter: {error}"))?;
        let extra = |name: &str, is: bool| match is {
            true => Err(format!("unexpected {name}; remove it")),
            false => Ok(()),
        };
        let is_set = action == ActionName::Set;
        extra("field", !is_set && field.is_some())?;
        extra("value", !is_set && value.is_some())?;
        extra("milliseconds", action != ActionName::Delay && milliseconds.is_some())?;
        let action = match (action, field.zip(value), milliseconds) {
            (ActionName::Drop, ..) => RuleAction::Decide(Action::Drop),
            (ActionName::Duplicate, ..) => RuleAction::Decide(Action::Duplicate),
            (ActionName::Delay, _, Some(time)) => {
                RuleAction::Decide(Action::Delay(Duration::from_millis(time.into())))
            }
            (ActionName::Delay, _, None) => {
                return Err("missing milliseconds: add `milliseconds = 500`".into());
            }
            (ActionName::Set, Some((field, value)), _) => RuleAction::Set { field, value },
            (ActionName::Set, None, _) => {
                return Err("missing field or value: add `field = \"text\"` and `value = \"hi\"`".into());
            }
        };
        Ok(Rule { filter, from, action, table })
    }
}

fn role<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Role>, D::Error> {
    let name = String::deserialize(deserializer)?;
    let role = Role::BOTH.into_iter().find(|role| role.name() == name);
    role.map(Some).ok_or_else(|| D::Error::unknown_variant(&name, &["client", "server"]))
}
