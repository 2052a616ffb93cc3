//! The call of `packets!`, which makes one protocol of all packets.

use super::file::Code;
use super::names::Names;
use crate::ir::Protocol;

/// Maximum characters of a line of a list.
const WIDTH: usize = 100;

/// Writes the call.
pub(super) fn packets(code: &mut Code, protocol: &Protocol, names: &Names, codec: &str) {
    let pair = |(first, second): (&String, &String)| format!("({first:?}, {second:?})");
    code.line("");
    code.line(format!("{codec}::packets! {{"));
    code.line(format!("name: {:?},", protocol.name));
    list(code, "capabilities", protocol.capabilities.iter().map(|name| format!("{name:?}")));
    list(code, "aliases", protocol.aliases.iter().map(|alias| pair((&alias.name, &alias.source))));
    list(code, "topics", protocol.topics.iter().map(|topic| pair((&topic.name, &topic.doc))));
    list(code, "packets", protocol.packets.iter().map(|packet| names.of(packet).to_owned()));
    code.line("}");
}

/// Writes a list, several items a line.
fn list(code: &mut Code, name: &str, items: impl Iterator<Item = String>) {
    let mut lines = vec![String::new()];
    for item in items {
        let line = lines.last().map_or(0, String::len);
        if line > 0 && line.saturating_add(item.len()) > WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let blank = if line.is_empty() { "" } else { " " };
            line.push_str(&format!("{blank}{item},"));
        }
    }
    code.line(format!("{name}: ["));
    lines.iter().filter(|line| !line.is_empty()).for_each(|line| code.line(line));
    code.line("],");
}
