use std::collections::BTreeMap;
use std::ops::Range;

use super::constants::Constants;
use super::types::Aliases;
use crate::diagnostic::{Diagnostic, Errors, quoted};

/// Maximum number of names in one error.
const MAX_LISTED: usize = 100;

/// Shared state of the checks of all packets.
pub(super) struct Context<'c, 'a> {
    pub(super) aliases: Aliases<'a>,
    pub(super) constants: &'c Constants,
    pub(super) missing: Missing<'a>,
    pub(super) errors: Errors,
}

/// Names that the definition uses and the constants do not define, each with its first use. Collected for
/// one error per kind.
#[derive(Default)]
pub(super) struct Missing<'a> {
    pub(super) constants: BTreeMap<&'a str, Range<usize>>,
    pub(super) bitvectors: BTreeMap<&'a str, Range<usize>>,
}

impl Missing<'_> {
    pub(super) fn report(&self, errors: &mut Errors) {
        let hint = "add them under [constants] of the constants file, such as `NAME = 48`";
        report("constant", &self.constants, hint, errors);
        let hint =
            "add their sizes in bytes under [bitvectors] of the constants file, such as `bv_name = 16`";
        report("bitvector", &self.bitvectors, hint, errors);
    }
}

fn report(kind: &str, names: &BTreeMap<&str, Range<usize>>, hint: &str, errors: &mut Errors) {
    let Some(first) = names.values().min_by_key(|span| span.start) else { return };
    let count = names.len();
    let listed: Vec<String> = names.keys().take(MAX_LISTED).map(|name| quoted(name)).collect();
    let listed = listed.join(", ");
    let more = match count.saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = if count == 1 { format!("1 {kind} is") } else { format!("{count} {kind}s are") };
    let error = Diagnostic::new(format!("{what} not defined: {listed}{more}"), first.clone());
    errors.push(error.label("first used here").hint(hint));
}
