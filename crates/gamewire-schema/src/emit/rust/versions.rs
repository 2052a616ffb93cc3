//! Several versions of a protocol as one set of packets, with fields that can hold the values of all versions.

use std::collections::HashSet;

use super::names::{field_names, identifier};
use super::packet::{UnsupportedField, field_type};
use crate::emit::notes;
use crate::ir::{Count, Dim, Field, Packet, Protocol, WireType};

/// A packet that some of the versions have.
pub(super) struct Merged<'a> {
    /// The packet in its first version.
    pub(super) packet: &'a Packet,
    pub(super) range: Range,
    /// Numbers of the packets that it cancels in any version.
    pub(super) cancels: Vec<u16>,
    /// The capabilities that its fields name in any version.
    pub(super) capabilities: Vec<&'a str>,
    pub(super) fields: Vec<MergedField<'a>>,
}

/// A field with all its forms.
pub(super) struct MergedField<'a> {
    pub(super) ident: String,
    pub(super) doc: &'a str,
    /// The type that can hold all forms.
    pub(super) ty: String,
    /// True if some connections do not send the field.
    pub(super) is_optional: bool,
    pub(super) forms: Vec<Form<'a>>,
}

/// A form in which some versions send a field.
pub(super) struct Form<'a> {
    pub(super) field: &'a Field,
    pub(super) ty: String,
    /// The dimensions in the definition language.
    pub(super) dims: String,
    pub(super) range: Range,
}

/// A range of versions, as the indices of the first and the last version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Range {
    const fn only(version: usize) -> Self {
        Self { first: version, last: version }
    }

    /// Returns whether `version` is the next version after the range.
    const fn is_before(self, version: usize) -> bool {
        self.last.saturating_add(1) == version
    }
}

/// Merges the versions of a protocol, oldest first.
pub(super) fn merge(versions: &[Protocol]) -> Result<Vec<Merged<'_>>, UnsupportedField> {
    let mut merged: Vec<Merged<'_>> = Vec::new();
    for (version, protocol) in versions.iter().enumerate() {
        let mut next = 0_usize;
        for packet in &protocol.packets {
            let is_same = |known: &Merged<'_>| {
                (&known.packet.name, known.packet.number) == (&packet.name, packet.number)
                    && known.range.is_before(version)
            };
            let at = match merged.iter().position(is_same) {
                Some(at) => at,
                None => {
                    merged.insert(next.min(merged.len()), Merged::new(packet, version));
                    next
                }
            };
            next = at.saturating_add(1);
            if let Some(known) = merged.get_mut(at) {
                known.add(packet, version);
            }
        }
    }
    merged.iter_mut().try_for_each(Merged::set_types)?;
    Ok(merged)
}

impl<'a> Merged<'a> {
    fn new(packet: &'a Packet, version: usize) -> Self {
        let (cancels, capabilities) = (Vec::new(), Vec::new());
        Self { packet, range: Range::only(version), cancels, capabilities, fields: Vec::new() }
    }

    /// Adds the packet in another version.
    fn add(&mut self, packet: &'a Packet, version: usize) {
        self.range.last = version;
        let new = packet.cancels.iter().filter(|number| !self.cancels.contains(number));
        self.cancels.extend(new.copied().collect::<Vec<_>>());
        for name in &packet.capabilities {
            if !self.capabilities.contains(&name.as_str()) {
                self.capabilities.push(name);
            }
        }
        let mut next = 0_usize;
        for field in &packet.fields {
            let at = self.fields.iter().position(|known| known.is_of(field));
            let at = at.unwrap_or_else(|| {
                let ident = identifier(&field.name);
                let (ty, forms) = (String::new(), Vec::new());
                let new = MergedField { ident, doc: &field.doc, ty, is_optional: false, forms };
                self.fields.insert(next.min(self.fields.len()), new);
                next
            });
            next = at.saturating_add(1);
            if let Some(known) = self.fields.get_mut(at) {
                known.add(field, packet, version);
            }
        }
    }

    /// Sets the types of the fields.
    fn set_types(&mut self) -> Result<(), UnsupportedField> {
        let (packet, range) = (self.packet, self.range);
        for field in &mut self.fields {
            let forms: Vec<&Field> = field.forms.iter().map(|form| form.field).collect();
            let wide = widest(&forms).ok_or_else(|| UnsupportedField {
                packet: packet.name.clone(),
                field: forms.first().map(|field| field.name.clone()).unwrap_or_default(),
                what: "forms that no type holds",
            })?;
            field.ty = field_type(packet, &wide);
            field.is_optional = !(range.first..=range.last).all(|version| field.is_always_in(version));
            // The range is open at versions that do not have the packet.
            for form in &mut field.forms {
                form.range.first = if form.range.first == range.first { 0 } else { form.range.first };
                form.range.last = if form.range.last == range.last { usize::MAX } else { form.range.last };
            }
        }
        Ok(())
    }
}

impl<'a> MergedField<'a> {
    fn is_of(&self, field: &Field) -> bool {
        self.forms.first().is_some_and(|form| form.field.name == field.name)
    }

    /// Returns whether a version sends one of the forms with every set of capabilities. No set sends two forms, so the
    /// shares of the sets that send each form add up to all sets.
    fn is_always_in(&self, version: usize) -> bool {
        const ALL_SETS: u128 = 1 << 127;
        let forms = self.forms.iter().filter(|form| (form.range.first..=form.range.last).contains(&version));
        let share = |form: &Form<'_>| {
            let Field { add_caps, remove_caps, .. } = form.field;
            let names: HashSet<&String> = add_caps.iter().chain(remove_caps).collect();
            // A form that needs a capability and excludes it is never sent.
            let is_sent = !add_caps.iter().any(|name| remove_caps.contains(name));
            let half = u32::try_from(names.len()).unwrap_or(u32::MAX);
            if is_sent { ALL_SETS.checked_shr(half).unwrap_or(0) } else { 0 }
        };
        forms.map(share).fold(0, u128::saturating_add) >= ALL_SETS
    }

    /// Adds the form in another version.
    fn add(&mut self, field: &'a Field, packet: &'a Packet, version: usize) {
        let names = field_names(packet);
        let count = |index: usize| packet.fields.get(index).map(|field| identifier(&field.name));
        let dims = notes::dims(field, |index| names.get(index).map_or("", String::as_str));
        let dims = field.dims.iter().fold(dims, |dims, dim| match dim.count {
            // All forms of the count field have one name.
            Count::Field(index) => dims.replace(
                &format!(":{}]", names.get(index).map_or("", String::as_str)),
                &format!(":{}]", count(index).unwrap_or_default()),
            ),
            _ => dims,
        });
        let is_same = |form: &&mut Form<'_>| {
            let with = |field: &Field| Field { dims: Vec::new(), doc: String::new(), ..field.clone() };
            form.dims == dims && with(form.field) == with(field) && form.range.is_before(version)
        };
        match self.forms.iter_mut().find(is_same) {
            Some(form) => form.range.last = version,
            None => {
                let ty = field_type(packet, field);
                self.forms.push(Form { field, ty, dims, range: Range::only(version) });
            }
        }
    }
}

/// Returns a field that can hold all forms, or `None` if there is none.
fn widest(forms: &[&Field]) -> Option<Field> {
    let (first, rest) = forms.split_first()?;
    rest.iter().try_fold((*first).clone(), |wide, form| wider(&wide, form))
}

fn wider(one: &Field, other: &Field) -> Option<Field> {
    let set = set_bytes(one, other).map(|bytes| (one, bytes));
    if let Some((set, bytes)) = set.or_else(|| set_bytes(other, one).map(|bytes| (other, bytes))) {
        return Some(Field { wire: WireType::Bitvector { bytes }, ..set.clone() });
    }
    let mut wide = one.clone();
    let is_same = (one.dims.len(), one.is_bool(), &one.structure)
        == (other.dims.len(), other.is_bool(), &other.structure);
    if !is_same {
        return None;
    }
    wide.wire = wider_type(one.wire, other.wire)?;
    for (dim, other) in wide.dims.iter_mut().zip(&other.dims) {
        let is_same = matches!(
            (dim.count, other.count),
            (Count::Fixed, Count::Fixed) | (Count::Field(_), Count::Field(_)) | (Count::Own, Count::Own)
        );
        dim.limit = if is_same { dim.limit.max(other.limit) } else { return None };
    }
    Some(wide)
}

/// Returns the bytes of a bitvector that can also be an integer or an array of booleans.
fn set_bytes(set: &Field, other: &Field) -> Option<u32> {
    let WireType::Bitvector { bytes } = set.wire else { return None };
    let least = match (other.wire, other.dims.as_slice()) {
        (WireType::Uint8, []) => 1,
        (WireType::Uint16, []) => 2,
        (WireType::Bool8, [Dim { limit, count: Count::Fixed }]) => limit.div_ceil(8),
        _ => return None,
    };
    Some(bytes.max(least))
}

/// Returns the type that can hold the values of both types.
fn wider_type(one: WireType, other: WireType) -> Option<WireType> {
    use WireType::{Bitvector, Estring, Sint8, Sint16, Sint32, String, Uint8, Uint16, Uint32};
    let number = |wire: WireType| match wire {
        Uint8 => Some((false, 1)),
        Uint16 => Some((false, 2)),
        Uint32 => Some((false, 4)),
        Sint8 => Some((true, 1)),
        Sint16 => Some((true, 2)),
        Sint32 => Some((true, 4)),
        _ => None,
    };
    match (one, other) {
        _ if one == other => Some(one),
        // Freeciv reads both types into a signed integer.
        (Uint32, Sint32) | (Sint32, Uint32) => Some(Sint32),
        (Bitvector { bytes: one }, Bitvector { bytes: other }) => Some(Bitvector { bytes: one.max(other) }),
        (String { size: one }, String { size: other }) => Some(String { size: one.max(other) }),
        (Estring { size: one }, Estring { size: other }) => Some(Estring { size: one.max(other) }),
        _ => {
            let ((one_signed, one), (other_signed, other)) = (number(one)?, number(other)?);
            let is_signed = one_signed || other_signed;
            // A signed type that can hold an unsigned one must be wider.
            let bytes =
                |signed: bool, bytes: u32| if is_signed && !signed { bytes.saturating_mul(2) } else { bytes };
            match (is_signed, bytes(one_signed, one).max(bytes(other_signed, other))) {
                (false, 1) => Some(Uint8),
                (false, 2) => Some(Uint16),
                (false, 4) => Some(Uint32),
                (true, 1) => Some(Sint8),
                (true, 2) => Some(Sint16),
                (true, 4) => Some(Sint32),
                _ => None,
            }
        }
    }
}
