use std::collections::HashMap;
use std::ops::Range;

use super::constants::Context;
use super::flags::set_field_flags;
use super::types::ResolvedType;
use crate::diagnostic::{Diagnostic, did_you_mean, quoted};
use crate::ir::{ArrayDiff, Count, Dim, Field, Packet, WireType};
use crate::limits::MAX_DIMS;
use crate::parse::{Declarator, FieldLine, Spanned};

/// Maximum number of fields with one name, which are variants of each other.
const MAX_SAME: usize = 16;
/// Maximum number of elements of a list with an end mark.
const MAX_LIST: u32 = 255;
/// Bytes of the map of a city, which Freeciv had before version 2: 20 tiles of three states, five in a byte.
const CITY_MAP_BYTES: u32 = 4;

/// A packet and the names of its fields. Fields are added line by line.
pub(super) struct Fields<'a> {
    pub(super) packet: Packet,
    /// The fields with each name. Several fields can share a name if no two of them are sent together.
    pub(super) by_name: HashMap<&'a str, Vec<NamedField>>,
}

/// The place of a field with a name.
pub(super) struct NamedField {
    /// Index in the packet.
    index: usize,
    /// Range of the name in the definition.
    span: Range<usize>,
}

impl<'a> Fields<'a> {
    pub(super) fn add_line(&mut self, line: &FieldLine<'a>, context: &mut Context<'_, 'a>) {
        let resolved = context.aliases.resolve(&line.type_name, &mut context.errors);
        // If the type is unknown, the other parts of the line are still checked.
        let mut template = Field::new("", WireType::Uint8);
        let is_diff = set_field_flags(&mut template, &line.flags, &mut context.errors);
        template.doc.clone_from(&line.doc);
        template.type_name = line.alias.map_or_else(|| line.type_name.to_string(), str::to_owned);
        if let Some(resolved) = &resolved {
            resolved.public.clone_into(&mut template.c_type);
        }
        for declarator in &line.declarators {
            let mut field = template.clone();
            declarator.name.text.clone_into(&mut field.name);
            if let Err(error) = self.add(field, declarator, resolved.clone(), is_diff, context) {
                context.errors.push(error);
            }
            if context.errors.is_full() {
                break;
            }
        }
    }

    fn add(
        &mut self,
        mut field: Field,
        declarator: &Declarator<'a>,
        resolved: Option<ResolvedType<'a>>,
        is_diff: bool,
        context: &mut Context<'_, 'a>,
    ) -> Result<(), Diagnostic> {
        let dims = self.dims(declarator, &field, context);
        if let (Some(resolved), Ok(Some(dims))) = (resolved, &dims) {
            field.dims.clone_from(dims);
            field.wire = resolved.basic;
            field.structure.clone_from(&resolved.structure);
            set_size(&mut field, &resolved, declarator, context)?;
            if field.dims.len() > MAX_DIMS {
                return Err(too_many_dims(declarator));
            }
            if is_diff && !self.packet.no_delta {
                field.diff = Some(diff(&field, declarator, context.constants.array_diff)?);
            }
            if field.key && (!field.dims.is_empty() || field.wire == WireType::Memory) {
                let error = declarator.name.error("an array cannot be a key");
                return Err(error.hint("remove `key`, or the sizes after the name"));
            }
        }
        self.add_name(&declarator.name, &field)?;
        for capability in field.add_caps.iter().chain(&field.remove_caps) {
            // Keep one more than the maximum, so that the caller can report it.
            let is_excess = self.packet.capabilities.len() > Packet::MAX_CAPABILITIES;
            if !is_excess && !self.packet.capabilities.contains(capability) {
                self.packet.capabilities.push(capability.clone());
            }
        }
        self.packet.fields.push(field);
        dims.map(|_| ())
    }

    /// Adds the name of the next field.
    fn add_name(&mut self, name: &Spanned<'a>, field: &Field) -> Result<(), Diagnostic> {
        let packet = &self.packet;
        let same = self.by_name.entry(name.text).or_default();
        let other = same
            .iter()
            .find(|other| packet.fields.get(other.index).is_some_and(|other| !other.is_exclusive(field)));
        if let Some(first) = other.or_else(|| same.first().filter(|_| same.len() >= MAX_SAME)) {
            let error = name.error(format!("there are two fields {} in this packet", quoted(name.text)));
            return Err(error.repeats(&first.span));
        }
        same.push(NamedField { index: packet.fields.len(), span: name.span.clone() });
        Ok(())
    }

    /// Returns the index of the field that holds the number of elements of another field.
    pub(super) fn count(&self, name: &Spanned<'a>, counted: &Field) -> Result<usize, Diagnostic> {
        let same = self.by_name.get(name.text).map(Vec::as_slice).unwrap_or_default();
        let mut found = same.iter().filter_map(|named| {
            let field = self.packet.fields.get(named.index)?;
            (same.len() == 1 || !field.is_exclusive(counted)).then_some((named, field))
        });
        let Some((NamedField { index, span }, field)) = found.next() else {
            let error = name.error(format!("the field {} is not declared before", quoted(name.text)));
            let error = error.label("should count the elements");
            let names = self.by_name.keys().copied();
            return Err(error.hint(did_you_mean(name.text, names, "declare it on a line above")));
        };
        if found.next().is_some() {
            return Err(name.error(format!("more than one field {} could count here", quoted(name.text))));
        }
        if !field.dims.is_empty() || !field.wire.is_integer() || field.is_bool() {
            let error = name.error(format!("the field {} cannot count", quoted(name.text)));
            let error = error.label("should count the elements");
            return Err(error.secondary_label(span.clone(), "this is not a single integer"));
        }
        Ok(*index)
    }
}

pub(super) fn too_many_dims(declarator: &Declarator<'_>) -> Diagnostic {
    declarator.name.error(format!("more than {MAX_DIMS} dimensions"))
}

/// Sets the size of the wire type. The last dimension of a string is its size.
fn set_size<'a>(
    field: &mut Field,
    resolved: &ResolvedType<'a>,
    declarator: &Declarator<'a>,
    context: &mut Context<'_, 'a>,
) -> Result<(), Diagnostic> {
    let (name, public) = (&declarator.name, resolved.public);
    match &mut field.wire {
        WireType::Bitvector { bytes } => match context.constants.bitvectors.get(public) {
            Some(defined) => *bytes = *defined,
            None => {
                context.missing.bitvectors.entry(public).or_insert_with(|| name.span.clone());
            }
        },
        WireType::String { .. } | WireType::Estring { .. } if public == "struct strvec" => {
            field.dims.push(Dim { limit: Dim::MAX_OWN, count: Count::Own });
        }
        WireType::String { size } | WireType::Estring { size } | WireType::BitString { size } => {
            match field.dims.pop() {
                Some(Dim { limit, count: Count::Fixed }) => *size = limit,
                Some(_) => {
                    let error = name.error("the size of a string is fixed");
                    return Err(error.hint("a string ends with its NUL: its last size takes no count"));
                }
                None => {
                    let error = name.error("a string needs a size").label("without `[...]`");
                    return Err(error.hint("write its maximum number of bytes, with the NUL: `name[48]`"));
                }
            }
        }
        WireType::EndedList { end, max } => {
            let lists = "write `tech_list`, `unit_list` or `building_list` itself";
            let constant = end_constant(resolved.word);
            let constant = constant
                .ok_or_else(|| name.error("a list with an end mark has no other name").hint(lists))?;
            *max = match field.dims.pop() {
                Some(Dim { limit, count: Count::Fixed }) if limit <= MAX_LIST => limit,
                _ => {
                    let error =
                        name.error(format!("a list with an end mark needs a size from 1 to {MAX_LIST}"));
                    return Err(error.hint("write its maximum number of elements: `name[10]`"));
                }
            };
            match context.constants.constants.get(constant).copied().map(u8::try_from) {
                Some(Ok(value)) => *end = value,
                Some(Err(_)) => return Err(name.error(format!("the end mark {constant} is not 0 to 255"))),
                None => {
                    context.missing.constants.entry(constant).or_insert_with(|| name.span.clone());
                }
            }
        }
        // The map of a city in C is a text, which is packed into bytes on the wire.
        WireType::Memory if resolved.word == "city_map" => {
            field.dims = vec![Dim { limit: CITY_MAP_BYTES, count: Count::Fixed }];
        }
        WireType::Memory if field.dims.len() != 1 => {
            return Err(name.error("memory needs exactly one size").hint("write `data[1400:length]`"));
        }
        _ => {}
    }
    Ok(())
}

/// Returns the constant that is the end mark of a list.
fn end_constant(word: &str) -> Option<&'static str> {
    Some(match word {
        "tech_list" => "A_LAST",
        "unit_list" => "U_LAST",
        "building_list" => "B_LAST",
        _ => return None,
    })
}

/// Checks whether the field can be sent in this form of array-diff, and returns the form.
fn diff(field: &Field, declarator: &Declarator<'_>, form: ArrayDiff) -> Result<ArrayDiff, Diagnostic> {
    let span = declarator.extents.first().map_or(&declarator.name.span, |extent| &extent.span);
    let error = |message: &str| Diagnostic::new(message, span.clone());
    let Some(outer) = field.dims.first() else {
        return Err(error("array-diff needs an array").hint("remove `diff`"));
    };
    if form == ArrayDiff::End255 && field.dims.len() > 1 {
        return Err(error("array-diff works on one dimension only").hint("remove `diff`"));
    }
    if outer.limit > form.max_limit() {
        let error = error(&format!("an array of {} is too large for array-diff", outer.limit));
        let hint = "an index must fit before the end mark: remove `diff`, or make the array smaller";
        return Err(error.label(format!("at most {} elements", form.max_limit())).hint(hint));
    }
    Ok(form)
}
