use std::collections::BTreeMap;
use std::ops::Range;

use super::aliases::Aliases;
use super::constants::Constants;
use crate::diagnostic::{Diagnostic, Errors, quoted};
use crate::parse::Spanned;

/// Maximum number of names in one error.
const MAX_LISTED: usize = 100;

/// Shared state of the checks of all packets.
pub(super) struct Context<'c, 'a> {
    pub(super) aliases: Aliases<'a>,
    pub(super) constants: &'c Constants,
    pub(super) missing: Missing<'a>,
}

/// Names that the definition uses and the constants do not define, collected for one error.
#[derive(Default)]
pub(super) struct Missing<'a> {
    constants: BTreeMap<&'a str, Range<usize>>,
    bitvectors: BTreeMap<&'a str, Range<usize>>,
}

impl<'a> Missing<'a> {
    pub(super) fn constant(&mut self, name: &Spanned<'a>) {
        self.constants.entry(name.text).or_insert_with(|| name.span.clone());
    }

    pub(super) fn bitvector(&mut self, name: &'a str, used_at: &Range<usize>) {
        self.bitvectors.entry(name).or_insert_with(|| used_at.clone());
    }

    pub(super) fn report(&self, errors: &mut Errors) {
        let hint = "add them under [constants] of the constants file, such as `NAME = 48`";
        push_error("constant", "constants", &self.constants, hint, errors);
        let hint =
            "add their sizes in bytes under [bitvectors] of the constants file, such as `bv_name = 16`";
        push_error("bitvector", "bitvectors", &self.bitvectors, hint, errors);
    }
}

fn push_error(one: &str, many: &str, names: &BTreeMap<&str, Range<usize>>, hint: &str, errors: &mut Errors) {
    let Some(first) = names.values().min_by_key(|span| span.start) else { return };
    let count = names.len();
    let listed: Vec<String> = names.keys().take(MAX_LISTED).map(|name| quoted(name)).collect();
    let listed = listed.join(", ");
    let more = match count.saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = if count == 1 { format!("1 {one} is") } else { format!("{count} {many} are") };
    let error = Diagnostic::new(format!("{what} not defined: {listed}{more}"), first.clone());
    errors.push(error.label("first used here").hint(hint));
}
