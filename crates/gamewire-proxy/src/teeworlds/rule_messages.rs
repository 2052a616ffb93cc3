use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::protocol::{Catalog, trace_teeworlds_message};
use gamewire_machine::{Record, Role};
use gamewire_teeworlds::MessageBuf;
use gamewire_wire::{Layer, Span, Trace as _};

use crate::rules::{RuleMessages, check_name, message_meta};

/// The messages of Teeworlds, for [`Rules`](crate::rules::Rules).
#[derive(Clone, Copy, Debug, Default)]
pub struct TeeworldsMessages;

impl RuleMessages for TeeworldsMessages {
    type Message = MessageBuf;

    fn add_names(&self, _: &mut Catalog) {}

    fn trace(&self, from: Role, message: &MessageBuf, record: &mut Record) -> Option<PacketMeta<'static>> {
        record.enter(Layer::Packet, "packet", Span::bytes(0, 0));
        let traced = trace_teeworlds_message(message.dialect, &message.content, record);
        record.exit();
        traced.ok()?;
        Some(message_meta("teeworlds", Some(message.dialect.name()), from, message.content.len()))
    }

    fn check_field(&self, field: &str) -> Result<(), String> {
        let name = field.split_once('[').map_or(field, |(list, _)| list);
        let catalog = Catalog::with_all_protocols();
        let has_fields = |layer| !matches!(layer, Layer::Packet | Layer::Item);
        let groups = catalog.groups().iter();
        let groups = groups.filter(|group| group.protocol == "teeworlds" && has_fields(group.layer));
        check_name(name, "no message", groups.flat_map(|group| &group.fields).map(|field| &*field.name))
    }

    fn with_field(&self, _: Role, message: &MessageBuf, field: &str, value: &str) -> Option<MessageBuf> {
        message.with_field(field, value)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;
    use crate::rules::{Rules, RulesChange};

    fn rules(field: &str) -> Result<Rules<TeeworldsMessages>, String> {
        let rule = "[[rule]]\nmatch = 'teeworlds.say'\naction = \"set\"\n";
        let text = format!("{rule}field = \"{field}\"\nvalue = \"1\"");
        Rules::parse(&text, TeeworldsMessages).map_err(|error| error.to_string())
    }

    #[test]
    fn a_field_that_no_message_has_is_an_error_with_a_suggestion() {
        assert!(rules("text").is_ok() && rules("team").is_ok());
        let error = rules("txet").unwrap_err();
        assert_eq!(error, "rule 1: cannot set txet: no message has a field txet; did you mean text?");
        let error = rules("wonderful").unwrap_err();
        assert_eq!(error, "rule 1: cannot set wonderful: no message has a field wonderful");
    }

    #[test]
    fn replaced_rules_apply_to_every_clone() {
        let (one, other) = (rules("text").unwrap(), rules("team").unwrap());
        let clone = one.clone();
        assert_eq!(one.replace(&one.clone()), RulesChange { rules: 1, added: 0, removed: 0 });
        assert_eq!(one.replace(&other), RulesChange { rules: 1, added: 1, removed: 1 });
        assert_eq!(clone.replace(&other), RulesChange { rules: 1, added: 0, removed: 0 });
        let none = Rules::parse("", TeeworldsMessages).unwrap();
        assert_eq!(clone.replace(&none), RulesChange { rules: 0, added: 0, removed: 1 });
    }
}
