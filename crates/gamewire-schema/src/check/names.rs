use super::fields::Fields;
use crate::diagnostic::{Diagnostic, did_you_mean, quoted};
use crate::ir::Field;
use crate::parse::Spanned;

/// Maximum number of fields with one name, which are variants of each other.
const MAX_SAME: usize = 16;

impl<'a> Fields<'a> {
    /// Adds the name of the next field.
    pub(super) fn add_name(&mut self, name: &Spanned<'a>, field: &Field) -> Result<(), Diagnostic> {
        let packet = &self.packet;
        let same = self.by_name.entry(name.text).or_default();
        let other = same
            .iter()
            .find(|(other, _)| packet.fields.get(*other).is_some_and(|other| !are_exclusive(other, field)));
        if let Some((_, first)) = other.or_else(|| same.first().filter(|_| same.len() >= MAX_SAME)) {
            let error = name.error(format!("there are two fields {} in this packet", quoted(name.text)));
            return Err(error.repeats(first));
        }
        same.push((packet.fields.len(), name.span.clone()));
        Ok(())
    }

    /// Returns the index of the field that counts the elements of another one.
    pub(super) fn count(&self, name: &Spanned<'a>, counted: &Field) -> Result<usize, Diagnostic> {
        let same = self.by_name.get(name.text).map(Vec::as_slice).unwrap_or_default();
        let mut found = same.iter().filter_map(|(index, span)| {
            let field = self.packet.fields.get(*index)?;
            (same.len() == 1 || !are_exclusive(field, counted)).then_some((*index, field, span))
        });
        let Some((index, field, span)) = found.next() else {
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
        Ok(index)
    }
}

/// Returns whether no variant has both fields: one requires a capability that removes the other.
fn are_exclusive(one: &Field, other: &Field) -> bool {
    let meet = |added: &[String], removed: &[String]| added.iter().any(|name| removed.contains(name));
    meet(&one.add_caps, &other.remove_caps) || meet(&other.add_caps, &one.remove_caps)
}
