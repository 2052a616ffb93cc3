//! How a packet is read and written.

use super::condition::{bits, condition};
use super::file::Code;
use super::names::{Names, field_names};
use super::{row, shape};
use crate::ir::{Field, Packet, WireType};

/// What reads and writes a packet.
pub(super) fn body(code: &mut Code, packet: &Packet, names: &Names) {
    code.line("");
    code.line(format!("impl Body for {} {{", names.of(packet)));
    definition(code, packet);
    let widest = packet.variants().map(|variant| variant.bitvector_bytes()).max().unwrap_or(0);
    code.line("");
    code.line(format!("type Bits = [u8; {widest}];"));
    let keys = Keys::of(packet);
    code.line(format!("type Key = {};", keys.rust_type()));
    bit_count(code, packet);
    keys.write(code, packet);
    keys.read(code, packet);
    read(code, packet);
    write(code, packet);
    remember(code, packet);
    first(code, packet);
    heap(code, packet);
    code.line("}");
}

fn definition(code: &mut Code, packet: &Packet) {
    let new = format!("PacketRow::new({:?}, {}, {})", packet.name, packet.number, row::directions(packet));
    let flags = row::flags(packet);
    if packet.fields.is_empty() && flags.is_empty() {
        code.line(format!("const DEFINITION: PacketRow = {new};"));
        return;
    }
    code.line("const DEFINITION: PacketRow = PacketRow {");
    flags.iter().for_each(|flag| code.line(flag));
    if !packet.fields.is_empty() {
        code.line("fields: &[");
        packet.fields.iter().for_each(|field| code.line(format!("{},", row::field(field))));
        code.line("],");
    }
    code.line(format!("..{new}"));
    code.line("};");
}

/// The parameter of the mask: named only where it is used.
fn mask(packet: &Packet) -> &'static str {
    if packet.capabilities.is_empty() { "_: CapabilityMask" } else { "mask: CapabilityMask" }
}

fn bit_count(code: &mut Code, packet: &Packet) {
    let sent = packet.fields.iter().filter(|field| packet.is_delta() && !field.key);
    let (always, sometimes): (Vec<_>, Vec<_>) = sent.partition(|field| condition(packet, field).is_none());
    let mut parts = vec![always.len().to_string()];
    parts.extend(
        sometimes
            .iter()
            .filter_map(|field| condition(packet, field))
            .map(|condition| format!("usize::from({condition})")),
    );
    let mask = if sometimes.is_empty() { "_: CapabilityMask" } else { "mask: CapabilityMask" };
    code.line("");
    code.line(format!("fn bits({mask}) -> usize {{"));
    if sometimes.is_empty() {
        code.line(parts.concat());
    } else {
        code.line(format!("[{}].iter().sum()", parts.join(", ")));
    }
    code.line("}");
}

/// The keys of a packet.
enum Keys<'a> {
    None,
    /// The same in all variants: places and fields.
    Fixed(Vec<(usize, &'a Field)>),
    /// Not the same in all variants, and how many there are at most.
    Varying(Vec<(usize, &'a Field)>, usize),
}

impl<'a> Keys<'a> {
    fn of(packet: &'a Packet) -> Self {
        let keys: Vec<(usize, &Field)> =
            packet.fields.iter().enumerate().filter(|(_, field)| packet.is_delta() && field.key).collect();
        if keys.is_empty() {
            return Self::None;
        }
        if keys.iter().all(|(_, field)| condition(packet, field).is_none()) {
            return Self::Fixed(keys);
        }
        let most = packet.variants().map(|variant| variant.keys().count()).max().unwrap_or(0);
        Self::Varying(keys, most)
    }

    fn rust_type(&self) -> String {
        match self {
            Self::None => "()".into(),
            Self::Fixed(keys) if keys.len() == 1 => "i64".into(),
            Self::Fixed(keys) => format!("[i64; {}]", keys.len()),
            Self::Varying(_, most) => format!("[i64; {most}]"),
        }
    }

    /// The key of a packet.
    fn write(&self, code: &mut Code, packet: &Packet) {
        let names = field_names(packet);
        let part = |index: usize| {
            let name = names.get(index).map_or("", String::as_str);
            format!("self.{name}.into()")
        };
        let mask =
            if matches!(self, Self::Varying(..)) { "mask: CapabilityMask" } else { "_: CapabilityMask" };
        code.line("");
        code.line(format!("fn key(&self, {mask}) -> Self::Key {{"));
        match self {
            Self::None => {}
            Self::Fixed(keys) => code.line(list(keys.iter().map(|(index, _)| part(*index)))),
            Self::Varying(keys, _) => {
                code.line("let mut key = KeyParts::NONE;");
                for (index, field) in keys {
                    when(code, packet, field, &format!("key.push({});", part(*index)));
                }
                code.line("key.get()");
            }
        }
        code.line("}");
    }

    /// The key of a body.
    fn read(&self, code: &mut Code, packet: &Packet) {
        let part = |index: usize, field: &Field| format!("from.key::<{}>({index})?", shape::rust_type(field));
        let mask =
            if matches!(self, Self::Varying(..)) { "mask: CapabilityMask" } else { "_: CapabilityMask" };
        let from = if matches!(self, Self::None) { "_" } else { "from" };
        code.line("");
        code.line(format!(
            "fn read_key<S: Source>({from}: &mut S, {mask}) -> Result<Self::Key, S::Error> {{"
        ));
        match self {
            Self::None => code.line("Ok(())"),
            Self::Fixed(keys) => {
                let parts = list(keys.iter().map(|(index, field)| part(*index, field)));
                // A single key is a result already.
                code.line(parts.strip_suffix('?').map_or_else(|| format!("Ok({parts})"), str::to_owned));
            }
            Self::Varying(keys, _) => {
                code.line("let mut key = KeyParts::NONE;");
                for (index, field) in keys {
                    when(code, packet, field, &format!("key.push({});", part(*index, field)));
                }
                code.line("Ok(key.get())");
            }
        }
        code.line("}");
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [one] => one.clone(),
        parts => format!("[{}]", parts.join(", ")),
    }
}

/// A line for a field, under the condition that the field has.
fn when(code: &mut Code, packet: &Packet, field: &Field, line: &str) {
    match condition(packet, field) {
        None => code.line(line),
        Some(condition) => {
            code.line(format!("if {condition} {{"));
            code.line(line);
            code.line("}");
        }
    }
}

/// The fields in the order of the wire: keys come first.
fn in_order(packet: &Packet) -> Vec<(usize, &Field)> {
    let mut fields: Vec<(usize, &Field)> = packet.fields.iter().enumerate().collect();
    if packet.is_delta() {
        fields.sort_by_key(|(_, field)| !field.key);
    }
    fields
}

fn read(code: &mut Code, packet: &Packet) {
    let (names, bits) = (field_names(packet), bits(packet));
    let (fields, mask) = (in_order(packet), mask(packet));
    code.line("");
    if fields.is_empty() {
        code.line("fn read<S: Source>(&mut self, _: &mut S, _: CapabilityMask) -> Result<(), S::Error> {");
    } else {
        code.line(format!("fn read<S: Source>(&mut self, from: &mut S, {mask}) -> Result<(), S::Error> {{"));
    }
    if bits.iter().any(|bit| bit == "bits.bit()") && packet.is_delta() {
        code.line("let mut bits = BitCounter::default();");
    }
    for (index, field) in fields {
        let (Some(name), Some(bit)) = (names.get(index), bits.get(index)) else { continue };
        let counts = shape::counts(packet, field);
        let line = if !packet.is_delta() || field.key {
            format!("from.always({index}, &mut self.{name}, {counts})?;")
        } else if packet.is_folded(field) {
            format!("self.{name} = from.bit({bit});")
        } else if let (Some(form), 1) = (field.diff, field.dims.len()) {
            format!("from.changes({index}, {bit}, {}, &mut self.{name}, {counts})?;", row::diff(form))
        } else if shape::is_counted(field) {
            format!("from.counted({index}, {bit}, &mut self.{name}, {counts})?;")
        } else {
            format!("from.field({index}, {bit}, &mut self.{name}, {counts})?;")
        };
        when(code, packet, field, &line);
    }
    code.line("Ok(())");
    code.line("}");
}

fn write(code: &mut Code, packet: &Packet) {
    let (names, bits) = (field_names(packet), bits(packet));
    let (fields, mask) = (in_order(packet), mask(packet));
    let has_old = packet.is_delta() && packet.fields.iter().any(|field| !field.key);
    let old = if has_old { "old" } else { "_" };
    code.line("");
    if fields.is_empty() {
        code.line(
            "fn write<S: Sink>(&self, _: &Self, _: &mut S, _: CapabilityMask) -> Result<(), S::Error> {",
        );
    } else {
        code.line(format!(
            "fn write<S: Sink>(&self, {old}: &Self, to: &mut S, {mask}) -> Result<(), S::Error> {{"
        ));
    }
    if bits.iter().any(|bit| bit == "bits.bit()") && packet.is_delta() {
        code.line("let mut bits = BitCounter::default();");
    }
    for (index, field) in fields {
        let (Some(name), Some(bit)) = (names.get(index), bits.get(index)) else { continue };
        let counts = shape::counts(packet, field);
        let line = if !packet.is_delta() || field.key {
            format!("to.always({index}, &self.{name}, {counts})?;")
        } else if packet.is_folded(field) {
            format!("to.folded({bit}, old.{name}, self.{name});")
        } else if let (Some(form), 1) = (field.diff, field.dims.len()) {
            let form = row::diff(form);
            format!("to.changes({index}, {bit}, {form}, (&old.{name}, &self.{name}), {counts})?;")
        } else {
            format!("to.field({index}, {bit}, &old.{name}, &self.{name}, {counts})?;")
        };
        when(code, packet, field, &line);
    }
    code.line("Ok(())");
    code.line("}");
}

fn remember(code: &mut Code, packet: &Packet) {
    code.line("");
    if !packet.fields.iter().any(shape::is_elastic) {
        code.line("fn remember(&mut self, new: &Self) {");
        code.line("*self = new.clone();");
        code.line("}");
        return;
    }
    code.line("fn remember(&mut self, new: &Self) {");
    for name in field_names(packet) {
        code.line(format!("self.{name}.clone_from(&new.{name});"));
    }
    code.line("}");
}

/// The first field that is there as a number, of packets that cancel others.
fn first(code: &mut Code, packet: &Packet) {
    if packet.cancels.is_empty() || packet.fields.is_empty() {
        return;
    }
    code.line("");
    let conditional = packet.fields.first().is_some_and(|field| condition(packet, field).is_some());
    let mask = if conditional { "mask: CapabilityMask" } else { "_: CapabilityMask" };
    code.line(format!("fn first(&self, {mask}) -> i64 {{"));
    for (field, name) in packet.fields.iter().zip(field_names(packet)) {
        let value = match field.wire {
            _ if !field.dims.is_empty() => "0".to_owned(),
            WireType::Ufloat { .. } | WireType::Sfloat { .. } => format!("self.{name}.0.into()"),
            WireType::Bool8 | WireType::Bool32 => format!("self.{name}.into()"),
            wire if wire.is_integer() => format!("self.{name}.into()"),
            _ => "0".to_owned(),
        };
        match condition(packet, field) {
            None => {
                code.line(value);
                code.line("}");
                return;
            }
            Some(condition) => {
                code.line(format!("if {condition} {{"));
                code.line(format!("return {value};"));
                code.line("}");
            }
        }
    }
    code.line("0");
    code.line("}");
}

fn heap(code: &mut Code, packet: &Packet) {
    let names = field_names(packet);
    let elastic = packet.fields.iter().zip(&names).filter(|(field, _)| shape::is_elastic(field));
    let parts: Vec<String> = elastic.map(|(_, name)| format!("Wire::heap_bytes(&self.{name})")).collect();
    if parts.is_empty() {
        return;
    }
    code.line("");
    code.line("fn heap(&self) -> usize {");
    code.line(format!("[{}].iter().sum()", parts.join(", ")));
    code.line("}");
}
