use std::collections::HashMap;
use std::ops::Range;

use super::similar::did_you_mean;
use crate::diagnostic::{Diagnostic, quoted};
use crate::ir::{Field, Packet};
use crate::parse::Spanned;

/// The most fields of one name: variants of each other.
const MAX_SAME: usize = 16;

/// The fields of a packet by name. Several may have one name where no two are sent together.
#[derive(Default)]
pub(super) struct Names<'a> {
    by_name: HashMap<&'a str, Vec<(usize, Range<usize>)>>,
}

impl<'a> Names<'a> {
    /// Adds the field with this index.
    pub(super) fn add(
        &mut self,
        name: &Spanned<'a>,
        field: &Field,
        index: usize,
        packet: &Packet,
    ) -> Result<(), Diagnostic> {
        let same = self.by_name.entry(name.text).or_default();
        let other = same
            .iter()
            .find(|(other, _)| packet.fields.get(*other).is_some_and(|other| !are_exclusive(other, field)));
        if let Some((_, first)) = other.or_else(|| same.first().filter(|_| same.len() >= MAX_SAME)) {
            let message = format!("there are two fields {} in this packet", quoted(name.text));
            let error = Diagnostic::new(message, name.span.clone()).label("again here");
            return Err(error.secondary_label(first.clone(), "the first one"));
        }
        same.push((index, name.span.clone()));
        Ok(())
    }

    /// The index of the field that counts the elements of another one.
    pub(super) fn count(
        &self,
        name: &Spanned<'a>,
        counted: &Field,
        packet: &Packet,
    ) -> Result<usize, Diagnostic> {
        let same = self.by_name.get(name.text).map(Vec::as_slice).unwrap_or_default();
        let mut found = same.iter().filter_map(|(index, span)| {
            let field = packet.fields.get(*index)?;
            (same.len() == 1 || !are_exclusive(field, counted)).then_some((*index, field, span))
        });
        let Some((index, field, span)) = found.next() else {
            let message = format!("the field {} is not declared before", quoted(name.text));
            let error = Diagnostic::new(message, name.span.clone()).label("should count the elements");
            let names = self.by_name.keys().copied();
            return Err(error.hint(did_you_mean(name.text, names, "declare it on a line above")));
        };
        if found.next().is_some() {
            let message = format!("more than one field {} could count here", quoted(name.text));
            return Err(Diagnostic::new(message, name.span.clone()));
        }
        if !field.dims.is_empty() || !field.wire.is_integer() || field.is_bool() {
            let message = format!("the field {} cannot count", quoted(name.text));
            let error = Diagnostic::new(message, name.span.clone()).label("should count the elements");
            return Err(error.secondary_label(span.clone(), "this is no single whole number"));
        }
        Ok(index)
    }
}

/// Whether no variant has both fields: one is added by what removes the other.
fn are_exclusive(one: &Field, other: &Field) -> bool {
    let meet = |added: &[String], removed: &[String]| added.iter().any(|name| removed.contains(name));
    meet(&one.add_caps, &other.remove_caps) || meet(&other.add_caps, &one.remove_caps)
}
