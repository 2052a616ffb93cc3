use std::sync::Arc;

use gamewire_freeciv::follow::{Definitions, label};
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::protocol::Catalog;
use gamewire_machine::{Record, Role};
use gamewire_wire::{Layer, Span, Trace as _};

use crate::rules::{RuleMessages, check_name, message_meta};

/// The packets of Freeciv, for [`Rules`](crate::rules::Rules). Rules see the same fields as `gamewire inspect`,
/// including list elements and parts of structures.
#[derive(Clone, Debug)]
pub struct FreecivMessages {
    definitions: Arc<Definitions>,
}

impl FreecivMessages {
    /// Returns the packets of the given definitions.
    pub const fn new(definitions: Arc<Definitions>) -> Self {
        Self { definitions }
    }
}

impl RuleMessages for FreecivMessages {
    type Message = PacketBuf;

    fn add_names(&self, catalog: &mut Catalog) {
        catalog.add_freeciv_packets(&self.definitions);
    }

    fn trace(&self, from: Role, packet: &PacketBuf, record: &mut Record) -> Option<PacketMeta<'static>> {
        let none = Span::bytes(0, 0);
        record.enter(Layer::Packet, "packet", none);
        record.enter(Layer::Message, &label(packet.name()), none);
        packet.trace_fields(record);
        record.exit();
        record.exit();
        Some(message_meta("freeciv", None, from, 0))
    }

    fn check_field(&self, field: &str) -> Result<(), String> {
        let end = field.find(['[', '.']).unwrap_or(field.len());
        let name = field.get(..end).unwrap_or(field);
        let packets = self.definitions.iter().flat_map(|definition| &definition.protocol().packets);
        let fields = packets.flat_map(|packet| &packet.fields);
        let names = fields.flat_map(|field| core::iter::once(&field.name).chain(&field.aliases));
        check_name(name, "no packet", names.map(String::as_str))
    }

    fn with_field(&self, _: Role, packet: &PacketBuf, field: &str, value: &str) -> Option<PacketBuf> {
        let mut changed = packet.clone();
        changed.set_text(field, value).then_some(changed)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use gamewire_freeciv::codec::ProtocolVersion;
    use gamewire_freeciv::delta::{DeltaLimits, Direction, EncodeOptions, Value};
    use gamewire_freeciv::session::codec::{Decoder, Definition, Encoder};

    use super::*;
    use crate::hook::{Action, MessageHook as _};
    use crate::rules::Rules;

    fn packet(name: &str, fields: &[(&str, Value)]) -> PacketBuf {
        let definition = Definition::of(ProtocolVersion::ALL[2]);
        let number = definition.number(name).unwrap();
        let mut encoder = Encoder::new(&definition, Direction::ToServer, DeltaLimits::DEFAULT);
        let mut decoder = Decoder::new(&definition, Direction::ToServer, DeltaLimits::DEFAULT);
        let mut body = Vec::new();
        assert_eq!(encoder.encode_fields(number, fields, EncodeOptions::default(), &mut body), Ok(true));
        decoder.decode(number, &body).unwrap().to_owned()
    }

    /// Two orders of six parts each.
    fn orders() -> PacketBuf {
        let order = |order, target| Value::Parts(vec![order, 0, target, -1, 0, 3]);
        let orders = Value::List(vec![order(0, 7), order(2, 9)]);
        packet(
            "PACKET_UNIT_ORDERS",
            &[("unit_id", Value::Int(100)), ("length", Value::Int(2)), ("orders", orders)],
        )
    }

    fn worklist() -> PacketBuf {
        let entries = Value::Parts(vec![1, 4, 3, 5]);
        packet("PACKET_CITY_WORKLIST", &[("city_id", Value::Int(3)), ("worklist", entries)])
    }

    fn decided(rules: &str, packet: &mut PacketBuf) -> Action {
        let messages = FreecivMessages::new(Arc::new(Definitions::shipped()));
        Rules::parse(rules, messages).unwrap().on_message(Role::Client, packet)
    }

    #[test]
    fn a_filter_sees_the_elements_of_lists() {
        for (filter, action) in [
            ("freeciv.unit_orders.orders.target == 9", Action::Drop),
            ("freeciv.unit_orders.orders.target == 8", Action::Forward),
            ("freeciv.orders.order > 1", Action::Drop),
            ("freeciv.unit_orders.unit_id == 100", Action::Drop),
        ] {
            let rules = format!("[[rule]]\nmatch = '{filter}'\naction = \"drop\"");
            assert_eq!(decided(&rules, &mut orders()), action, "{filter}");
        }
        let rules = "[[rule]]\nmatch = 'freeciv.city_worklist.worklist.id == 5'\naction = \"drop\"";
        assert_eq!(decided(rules, &mut worklist()), Action::Drop);
    }

    #[test]
    fn a_rule_sets_an_element_of_a_list() {
        let set = |packet: &mut PacketBuf, field: &str, value: &str| {
            let matches = "[[rule]]\nmatch = 'freeciv.unit_orders or freeciv.city_worklist'";
            let rules = format!("{matches}\naction = \"set\"\nfield = \"{field}\"\nvalue = \"{value}\"");
            assert_eq!(decided(&rules, packet), Action::Forward);
        };
        let mut changed = orders();
        set(&mut changed, "orders[1].target", "12");
        let second = Value::Parts(vec![2, 0, 12, -1, 0, 3]);
        assert_eq!(changed.value("orders").unwrap().as_list().unwrap().get(1), Some(&second));
        let mut changed = worklist();
        set(&mut changed, "worklist[1].id", "6");
        assert_eq!(changed.value("worklist"), Some(Value::Parts(vec![1, 4, 3, 6])));
        for (field, value) in [
            ("orders[2].target", "1"),
            ("orders[0].nothing", "1"),
            ("orders[0]", "1"),
            ("orders[0].target", "north"),
            ("orders[x].target", "1"),
            ("unit_id[0]", "1"),
        ] {
            let mut packet = orders();
            set(&mut packet, field, value);
            assert_eq!(packet.value("orders"), orders().value("orders"), "{field}");
            assert_eq!(packet.value("unit_id"), Some(Value::Int(100)), "{field}");
        }
    }

    #[test]
    fn a_field_that_no_packet_has_is_an_error() {
        let rule =
            "[[rule]]\nmatch = 'freeciv.unit_orders'\naction = \"set\"\nfield = \"noting[1]\"\nvalue = \"1\"";
        let messages = FreecivMessages::new(Arc::new(Definitions::shipped()));
        let error = Rules::parse(rule, messages).unwrap_err().to_string();
        assert_eq!(error, "rule 1: cannot set noting[1]: no packet has a field noting");
    }
}
