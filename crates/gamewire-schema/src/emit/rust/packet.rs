use super::code::Code;
use super::field_type::field_type;
use super::names::field_names;
use crate::emit::notes;
use crate::ir::{Field, Packet};

/// Writes the struct of a packet, for the derive. `codec` is the path of the codec if it is not the default.
pub(super) fn write_struct(code: &mut Code, packet: &Packet, name: &str, codec: Option<&str>) {
    let names = field_names(packet);
    code.line("");
    code.doc(&packet.doc);
    code.line("#[derive(Clone, Debug, PartialEq, Packet)]");
    code.line(format!("#[packet({})]", attributes(packet, codec).join(", ")));
    if packet.doc.is_empty() || packet.fields.iter().any(|field| field.doc.is_empty()) {
        code.line("#[allow(missing_docs, reason = \"the definition omits obvious descriptions\")]");
    }
    if names.iter().any(|name| name.contains(|c: char| c.is_ascii_uppercase())) {
        code.line("#[allow(non_snake_case, reason = \"the definition's own names\")]");
    }
    if packet.fields.is_empty() {
        code.line(format!("pub struct {name};"));
        return;
    }
    code.line(format!("pub struct {name} {{"));
    for (field, name) in packet.fields.iter().zip(&names) {
        code.doc(&field.doc);
        code.line(format!("#[field({})]", field_attributes(field, name, &names).join(", ")));
        code.line(format!("pub {name}: {},", field_type(packet, field)));
    }
    code.line("}");
}

fn attributes(packet: &Packet, codec: Option<&str>) -> Vec<String> {
    let mut list = vec![format!("name = {:?}", packet.name), format!("number = {}", packet.number)];
    list.extend(packet.directions.to_client.then(|| "sc".to_owned()));
    list.extend(packet.directions.to_server.then(|| "cs".to_owned()));
    list.extend(notes::flags(packet).iter().map(|flag| flag.replace('-', "_")));
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

fn field_attributes(field: &Field, name: &str, names: &[String]) -> Vec<String> {
    let wire = field.wire.to_string();
    // Without the size of a string or a bitvector.
    let word = wire.split('(').next().unwrap_or_default();
    let basic = if field.c_type.is_empty() { word.to_owned() } else { format!("{word}({})", field.c_type) };
    let ty = if field.type_name == basic { basic } else { format!("{} = {basic}", field.type_name) };
    let mut list = vec![format!("{ty:?}")];
    if field.name != name.strip_prefix("r#").unwrap_or(name) {
        list.push(format!("name = {:?}", field.name));
    }
    list.extend(field.key.then(|| "key".to_owned()));
    if !field.dims.is_empty() {
        let dims = notes::dims(field, |index| names.get(index).map_or("", String::as_str));
        list.push(format!("array = {dims:?}"));
    }
    list.extend(field.diff.map(|form| format!("diff = {:?}", notes::array_diff(form))));
    list.extend(field.add_caps.iter().map(|name| format!("with = {name:?}")));
    list.extend(field.remove_caps.iter().map(|name| format!("without = {name:?}")));
    list
}
