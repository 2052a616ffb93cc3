//! The struct of a packet and its fields by number.

use super::file::Code;
use super::names::{Names, field_names};
use super::{docs, shape};
use crate::ir::Packet;

/// The struct.
pub(super) fn structure(code: &mut Code, packet: &Packet, names: &Names) {
    let name = names.of(packet);
    let has_default = packet.fields.iter().all(shape::has_default);
    let default = if has_default { "Default, " } else { "" };
    code.line("");
    code.doc(&docs::packet(packet));
    code.line(format!("#[derive(Clone, Debug, {default}PartialEq)]"));
    if field_names(packet).iter().any(|name| name.contains(|c: char| c.is_ascii_uppercase())) {
        code.line("#[allow(non_snake_case, reason = \"the definition's own names\")]");
    }
    if packet.fields.is_empty() {
        code.line(format!("pub struct {name};"));
        return;
    }
    code.line(format!("pub struct {name} {{"));
    for (field, rust) in packet.fields.iter().zip(field_names(packet)) {
        code.doc(&docs::field(packet, field));
        code.line(format!("pub {rust}: {},", shape::type_in(packet, field)));
    }
    code.line("}");
    if has_default {
        return;
    }
    code.line("");
    code.line(format!("impl Default for {name} {{"));
    code.line("fn default() -> Self {");
    code.line("Self {");
    for rust in field_names(packet) {
        code.line(format!("{rust}: Wire::ZERO,"));
    }
    code.line("}");
    code.line("}");
    code.line("}");
}

/// The fields by number.
pub(super) fn fields(code: &mut Code, packet: &Packet, names: &Names) {
    let name = names.of(packet);
    code.line("");
    code.line(format!("impl Fields for {name} {{"));
    code.line("fn names(&self) -> &'static [&'static str] {");
    code.line(format!("const {{ &field_names::<{}>(Self::DEFINITION.fields) }}", packet.fields.len()));
    code.line("}");
    access(code, packet, "field(&self", "&");
    access(code, packet, "field_mut(&mut self", "&mut ");
    code.line("}");
}

fn access(code: &mut Code, packet: &Packet, function: &str, reference: &str) {
    code.line("");
    if packet.fields.is_empty() {
        code.line(format!("fn {function}, _: usize) -> Option<{reference}dyn FieldValue> {{"));
        code.line("None");
        code.line("}");
        return;
    }
    code.line(format!("fn {function}, index: usize) -> Option<{reference}dyn FieldValue> {{"));
    code.line("Some(match index {");
    for (index, rust) in field_names(packet).iter().enumerate() {
        code.line(format!("{index} => {reference}self.{rust},"));
    }
    code.line("_ => return None,");
    code.line("})");
    code.line("}");
}
