//! The struct of a packet.

use super::docs;
use super::file::Code;
use super::names::{Names, field_names};
use super::shape;
use crate::emit::notes;
use crate::ir::{ArrayDiff, Count, Field, Info, Packet};

/// Writes the struct of a packet, for the derive. `codec` is the path of the codec if the derive does not know
/// it.
pub(super) fn structure(code: &mut Code, packet: &Packet, names: &Names, codec: Option<&str>) {
    let rust = field_names(packet);
    code.line("");
    code.doc(&packet.doc);
    code.line("#[derive(Clone, Debug, PartialEq, Packet)]");
    code.line(format!("#[packet({})]", attributes(packet, codec).join(", ")));
    if packet.doc.is_empty() || packet.fields.iter().any(|field| field.doc.is_empty()) {
        code.line("#[allow(missing_docs, reason = \"the definition omits obvious descriptions\")]");
    }
    if rust.iter().any(|name| name.contains(|c: char| c.is_ascii_uppercase())) {
        code.line("#[allow(non_snake_case, reason = \"the definition's own names\")]");
    }
    if packet.fields.is_empty() {
        code.line(format!("pub struct {};", names.of(packet)));
        return;
    }
    code.line(format!("pub struct {} {{", names.of(packet)));
    for (field, name) in packet.fields.iter().zip(&rust) {
        code.doc(&field.doc);
        code.line(format!("#[field({})]", field_attributes(field, name, &rust).join(", ")));
        code.line(format!("pub {name}: {},", shape::type_in(packet, field)));
    }
    code.line("}");
}

fn attributes(packet: &Packet, codec: Option<&str>) -> Vec<String> {
    let mut list = vec![format!("name = {:?}", packet.name), format!("number = {}", packet.number)];
    list.extend(packet.directions.to_client.then(|| "sc".to_owned()));
    list.extend(packet.directions.to_server.then(|| "cs".to_owned()));
    list.extend(packet.no_delta.then(|| "no_delta".to_owned()));
    match packet.info {
        Info::Always => {}
        Info::Info => list.push("is_info".into()),
        Info::GameInfo => list.push("is_game_info".into()),
    }
    list.extend(packet.force.then(|| "force".to_owned()));
    if !packet.cancels.is_empty() {
        let numbers: Vec<String> = packet.cancels.iter().map(u16::to_string).collect();
        list.push(format!("cancel({})", numbers.join(", ")));
    }
    if !packet.capabilities.is_empty() {
        let names: Vec<String> = packet.capabilities.iter().map(|name| format!("{name:?}")).collect();
        list.push(format!("capabilities({})", names.join(", ")));
    }
    if !packet.topic.is_empty() {
        list.push(format!("topic = {:?}", packet.topic));
    }
    list.extend(codec.map(|path| format!("codec = {path:?}")));
    list
}

fn field_attributes(field: &Field, rust: &str, names: &[String]) -> Vec<String> {
    let word = notes::word(field.wire);
    let basic = if field.c_type.is_empty() { word.clone() } else { format!("{word}({})", field.c_type) };
    let ty = if field.type_name == basic { basic } else { format!("{} = {basic}", field.type_name) };
    let mut list = vec![format!("{ty:?}")];
    if field.name != rust.strip_prefix("r#").unwrap_or(rust) {
        list.push(format!("name = {:?}", field.name));
    }
    list.extend(field.key.then(|| "key".to_owned()));
    if !field.dims.is_empty() {
        let dims = field.dims.iter().map(|dim| match dim.count {
            Count::Fixed => format!("[{}]", dim.limit),
            Count::Field(index) => format!("[{}:{}]", dim.limit, names.get(index).map_or("", String::as_str)),
            Count::Own => "[*]".to_owned(),
        });
        list.push(format!("array = {:?}", dims.collect::<String>()));
    }
    list.extend(field.diff.map(|form| match form {
        ArrayDiff::End255 => "diff = \"end-255\"".to_owned(),
        ArrayDiff::EndLength => "diff = \"end-length\"".to_owned(),
    }));
    list.extend(field.add_caps.iter().map(|name| format!("with = {name:?}")));
    list.extend(field.remove_caps.iter().map(|name| format!("without = {name:?}")));
    list
}

impl Code {
    /// Writes the documentation of a struct or a field.
    fn doc(&mut self, text: &str) {
        for line in docs::escaped(text).lines() {
            self.line(format!("/// {line}").trim_end());
        }
    }
}
