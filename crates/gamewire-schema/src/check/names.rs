use std::collections::HashMap;
use std::ops::Range;

use strsim::normalized_damerau_levenshtein;

use crate::diagnostic::{Diagnostic, quoted};
use crate::ir::{Field, Packet};
use crate::parse::Spanned;

/// Maximum number of fields with one name, which are variants of each other.
const MAX_SAME: usize = 16;
/// Maximum bytes of a name that is compared.
const MAX_COMPARED: usize = 48;
/// Minimum similarity of a suggestion, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.75;

/// The fields of a packet by name. Several may have one name if no two are sent together.
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
            let error = name.error(format!("there are two fields {} in this packet", quoted(name.text)));
            return Err(error.repeats(first));
        }
        same.push((index, name.span.clone()));
        Ok(())
    }

    /// Returns the index of the field that counts the elements of another one.
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

/// Returns the hint `did you mean ...?` with the most similar candidate, or `otherwise`.
pub(super) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    let is_short = |name: &str| name.len() <= MAX_COMPARED;
    let similar = candidates.into_iter().filter(|candidate| is_short(name) && is_short(candidate));
    let similar = similar.map(|candidate| (normalized_damerau_levenshtein(name, candidate), candidate));
    let similar = similar.filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
    // Of equal similarities the first counts.
    let best = similar.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or_else(|| otherwise.to_owned(), |(_, candidate)| format!("did you mean `{candidate}`?"))
}
