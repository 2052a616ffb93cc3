//! What generated code says about a packet and its fields.

use crate::emit::notes;
use crate::ir::{Field, Packet};

/// Characters up to which a line of documentation goes.
const WIDTH: usize = 96;

/// Of a packet.
pub(super) fn packet(packet: &Packet) -> String {
    let sender = match notes::sender(packet.directions) {
        "both" => "the server and the client",
        "server" => "the server",
        "client" => "the client",
        _ => "nobody",
    };
    let fact = format!("`{}`, number {}, sent by {sender}.", packet.name, packet.number);
    if packet.doc.is_empty() {
        return fact;
    }
    format!("{}\n\n{}", wrapped(&plain(&packet.doc)), wrapped(&fact))
}

/// Of all packets of a topic.
pub(super) fn topic(name: &str, doc: &str) -> String {
    match (name, doc) {
        ("", "") => "The packets.".into(),
        (name, "") => format!("Packets about {}.", name.replace('_', " ")),
        (_, doc) => wrapped(&plain(doc)),
    }
}

/// Of a field.
pub(super) fn field(packet: &Packet, field: &Field) -> String {
    let mut facts = vec![format!("`{}`", notes::wire(field, packet))];
    if !field.type_name.is_empty() {
        facts.push(format!("a `{}`", field.type_name));
    }
    facts.extend(field.key.then(|| "key".to_owned()));
    facts.extend(packet.is_folded(field).then(|| "the bit is the value".to_owned()));
    facts.extend(field.diff.map(|_| "only changed elements".to_owned()));
    facts.extend(field.add_caps.iter().map(|name| format!("only with `{name}`")));
    facts.extend(field.remove_caps.iter().map(|name| format!("only without `{name}`")));
    let facts = facts.join("; ");
    if field.doc.is_empty() {
        return wrapped(&format!("On the wire {facts}."));
    }
    let doc = plain(&field.doc);
    format!("{}\n\n{}", wrapped(&doc), wrapped(&format!("On the wire {facts}.")))
}

/// Text that Rust's documentation does not take for links or tags.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut in_code = false;
    for c in text.chars() {
        match c {
            '`' => {
                in_code = !in_code;
                plain.push(c);
            }
            '[' | ']' | '<' | '>' | '*' | '_' | '\\' if !in_code => plain.extend(['\\', c]),
            '\n' => plain.push(' '),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

/// Broken into lines at blanks.
fn wrapped(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut width = 0_usize;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width.saturating_add(length).saturating_add(1) > WIDTH {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width = width.saturating_add(1);
        }
        lines.push_str(word);
        width = width.saturating_add(length);
    }
    lines
}
