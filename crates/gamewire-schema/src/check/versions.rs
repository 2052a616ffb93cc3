//! Selection of the lines for one version, in a definition of several versions.
//!
//! `since(3.1)` and `before(3.2)` on a type, packet or field select the versions that have it. Several lines for one
//! type, with flags of fields, are forms of that type. A field of the type becomes one field for each form, with the
//! flags of both lines.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Errors, quoted};
use crate::ir::Version;
use crate::parse::{Definition, FieldLine, Flag, TypeName};

/// Maximum number of forms of a type. Each field of the type becomes that many lines.
const MAX_FORMS: usize = 4;
/// Maximum number of flags of a form.
const MAX_FLAGS: usize = 8;

/// The forms of each type.
type Forms<'a> = HashMap<&'a str, Vec<Form<'a>>>;

/// A form of a type, and the flags of the fields that are sent in it.
struct Form<'a> {
    type_name: TypeName<'a>,
    flags: Vec<Flag<'a>>,
}

/// Removes the lines of other versions, and splits each field of a type with several forms into one line for each form.
/// Returns the names of packets that only exist in other versions.
pub(super) fn select<'a>(
    definition: &mut Definition<'a>,
    version: Option<Version>,
    errors: &mut Errors,
) -> HashSet<&'a str> {
    definition.aliases.retain_mut(|line| is_kept(&mut line.flags, version, errors));
    let mut others = HashSet::new();
    definition.packets.retain_mut(|packet| {
        let is_kept = is_kept(&mut packet.flags, version, errors);
        if !is_kept {
            others.insert(packet.name.text);
        }
        is_kept
    });
    let forms = take_forms(definition, errors);
    for packet in &mut definition.packets {
        others.remove(packet.name.text);
        packet.lines.retain_mut(|line| is_kept(&mut line.flags, version, errors));
        if packet.lines.iter().any(|line| forms_of(line, &forms).is_some()) {
            packet.lines = packet.lines.drain(..).flat_map(|line| in_forms(line, &forms)).collect();
        }
    }
    others
}

/// Returns whether the version has a line with these flags. Reports errors in the flags.
fn is_kept(flags: &mut Vec<Flag<'_>>, version: Option<Version>, errors: &mut Errors) -> bool {
    is_of(flags, version).unwrap_or_else(|error| {
        if !errors.list().iter().any(|before| before.message == error.message) {
            errors.push(error);
        }
        true
    })
}

/// Returns whether the version has a line with these flags, and removes the flags `since` and `before`.
fn is_of(flags: &mut Vec<Flag<'_>>, version: Option<Version>) -> Result<bool, Diagnostic> {
    let mut outcome = Ok(true);
    flags.retain(|flag| {
        let is_since = match flag.word.text {
            "since" => true,
            "before" => false,
            _ => return true,
        };
        match bound(flag, version) {
            Ok(is_later) if is_later == is_since => {}
            Ok(_) if outcome.is_ok() => outcome = Ok(false),
            Ok(_) => {}
            Err(error) => outcome = Err(error),
        }
        false
    });
    outcome
}

/// Returns whether the version is the version in a flag, or a later one.
fn bound(flag: &Flag<'_>, version: Option<Version>) -> Result<bool, Diagnostic> {
    let word = flag.word.text;
    let hint = || format!("write `{word}(3.1)`");
    let argument = flag
        .argument
        .as_ref()
        .ok_or_else(|| flag.word.error(format!("{} needs a version", quoted(word))).hint(hint()))?;
    let wanted: Version = argument
        .text
        .parse()
        .map_err(|()| argument.error(format!("{} is not a version", quoted(argument.text))).hint(hint()))?;
    let version = version.ok_or_else(|| {
        let error = flag.word.error("the constants do not name the version of this definition");
        error.hint("choose a version: a constants file with `version = \"3.1\"`")
    })?;
    Ok(version >= wanted)
}

/// Moves the forms of types out of the aliases. Returns them by type name.
fn take_forms<'a>(definition: &mut Definition<'a>, errors: &mut Errors) -> Forms<'a> {
    let lines;
    (lines, definition.aliases) = definition.aliases.drain(..).partition(|line| !line.flags.is_empty());
    definition.forms = lines;
    let mut forms = Forms::new();
    for line in &definition.forms {
        let of_type = forms.entry(line.name.text).or_default();
        if of_type.len() >= MAX_FORMS || line.flags.len() > MAX_FLAGS {
            let message =
                format!("more than {MAX_FORMS} forms of a type, or more than {MAX_FLAGS} flags of one");
            errors.push(line.name.error(message));
            continue;
        }
        for flag in &line.flags {
            if !matches!(flag.word.text, "key" | "add-cap" | "remove-cap") {
                let error = flag.word.error(format!("types have no flag {}", quoted(flag.word.text)));
                errors.push(error.hint("flags of types are since, before, key, add-cap, remove-cap"));
            }
        }
        of_type.push(Form { type_name: line.source.clone(), flags: line.flags.clone() });
    }
    forms
}

fn forms_of<'f, 'a>(line: &FieldLine<'a>, forms: &'f Forms<'a>) -> Option<&'f [Form<'a>]> {
    let name = &line.type_name;
    name.public.is_none().then(|| forms.get(name.word.text)).flatten().map(Vec::as_slice)
}

/// Returns the lines of a field, one for each form of its type.
fn in_forms<'a>(line: FieldLine<'a>, forms: &Forms<'a>) -> Vec<FieldLine<'a>> {
    let Some(of_type) = forms_of(&line, forms) else { return vec![line] };
    let in_form = |form: &Form<'a>| FieldLine {
        alias: Some(line.type_name.word.text),
        type_name: form.type_name.clone(),
        flags: line.flags.iter().chain(&form.flags).cloned().collect(),
        ..line.clone()
    };
    of_type.iter().map(in_form).collect()
}
