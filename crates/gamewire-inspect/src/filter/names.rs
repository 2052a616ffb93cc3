use super::builtin::BuiltinField;
use super::field::Subject;
use super::path::Path;
use super::value_type::ValueType;
use crate::protocol::Catalog;

/// The error for an unknown name, and a hint.
pub(super) struct Unknown {
    pub(super) message: String,
    pub(super) hint: String,
}

const LIST: &str = "gamewire inspect --fields lists all names";

/// Resolves a name.
pub(super) fn resolve(name: &str, catalog: &Catalog) -> Result<Subject, Unknown> {
    if let Some((_, field)) = BuiltinField::ALL.iter().find(|(known, _)| *known == name) {
        return Ok(Subject::Builtin(*field));
    }
    let mut parts = name.split('.');
    let protocol = parts.next().unwrap_or_default();
    let names: Vec<&str> = parts.collect();
    if !catalog.protocols().any(|known| known == protocol) {
        return Err(unknown_start(name, catalog));
    }
    if names.iter().any(|name| name.is_empty()) {
        let message = "expected a name on both sides of each dot".into();
        return Err(Unknown { message, hint: LIST.into() });
    }
    let Some((last, before)) = names.split_last() else {
        return Ok(Subject::Protocol(protocol.to_owned()));
    };
    for (depth, outer) in before.iter().enumerate() {
        if catalog.named(protocol, outer).next().is_none() {
            let known = before.get(..depth).unwrap_or_default();
            return Err(unknown_group(protocol, known, outer, catalog));
        }
    }
    let types_of = |name: &str| {
        let groups = before.last().into_iter().flat_map(|group| catalog.named(protocol, group));
        let fields = groups.flat_map(|group| catalog.fields_named(group, name));
        fields.map(ValueType::of).reduce(ValueType::or)
    };
    let alias = before.last().and_then(|group| catalog.name_of(protocol, group, last));
    let last = &alias.filter(|_| types_of(last).is_none()).unwrap_or(*last);
    let names = before.iter().chain([last]).map(|&name| name.to_owned()).collect();
    let path = Path { protocol: protocol.to_owned(), names };
    if let Some(value_type) = types_of(last) {
        Ok(Subject::Field(path, value_type))
    } else if catalog.named(protocol, last).next().is_some() {
        Ok(Subject::Group(path))
    } else {
        match before.last() {
            Some(group) => Err(unknown_field(protocol, group, last, catalog)),
            None => Err(unknown_group(protocol, &[], last, catalog)),
        }
    }
}

fn unknown_start(name: &str, catalog: &Catalog) -> Unknown {
    let message = format!("unknown name {name}");
    // The protocol may be missing.
    let with_protocol = catalog.protocols().map(|protocol| format!("{protocol}.{name}"));
    let meant: Vec<String> = with_protocol.filter(|full| resolve(full, catalog).is_ok()).collect();
    if !meant.is_empty() {
        return Unknown { message, hint: did_you_mean(&meant) };
    }
    let fields = catalog.groups().iter().filter(|group| group.fields.iter().any(|field| field.name == name));
    let meant: Vec<String> =
        fields.map(|group| format!("{}.{}.{name}", group.protocol, group.name)).collect();
    if !meant.is_empty() {
        return Unknown { message, hint: did_you_mean(&meant) };
    }
    let start = name.split('.').next().unwrap_or_default();
    let builtin = BuiltinField::ALL.iter().map(|(name, _)| *name).filter(|_| start.len() == name.len());
    let starts = builtin.chain(catalog.protocols());
    let near: Vec<String> = near(start, starts).into_iter().map(str::to_owned).collect();
    Unknown { message, hint: if near.is_empty() { LIST.into() } else { did_you_mean(&near) } }
}

fn unknown_group(protocol: &str, before: &[&str], name: &str, catalog: &Catalog) -> Unknown {
    let message = format!("{protocol} has no packet, message, item or group {name}");
    let prefix: Vec<&str> = std::iter::once(protocol).chain(before.iter().copied()).collect();
    let prefix = prefix.join(".");
    let groups = catalog.groups().iter().filter(|group| group.protocol == protocol);
    let with_field = groups.clone().filter(|group| group.fields.iter().any(|field| field.name == name));
    let fields: Vec<String> = with_field.map(|group| format!("{protocol}.{}.{name}", group.name)).collect();
    if !fields.is_empty() {
        return Unknown { message, hint: did_you_mean(&fields) };
    }
    let near = near(name, groups.map(|group| &*group.name));
    let near: Vec<String> = near.into_iter().map(|name| format!("{prefix}.{name}")).collect();
    Unknown { message, hint: if near.is_empty() { LIST.into() } else { did_you_mean(&near) } }
}

fn unknown_field(protocol: &str, group: &str, name: &str, catalog: &Catalog) -> Unknown {
    let message = format!("{protocol}.{group} has no field {name}");
    let fields: Vec<&str> = catalog
        .named(protocol, group)
        .flat_map(|group| group.fields.iter().map(|field| &*field.name))
        .collect();
    let near = near(name, fields.iter().copied());
    if !near.is_empty() {
        let near: Vec<String> = near.into_iter().map(|name| format!("{protocol}.{group}.{name}")).collect();
        return Unknown { message, hint: did_you_mean(&near) };
    }
    let hint =
        if fields.is_empty() { "it has no fields".into() } else { format!("it has {}", join_or(&fields)) };
    Unknown { message, hint }
}

/// Returns `; did you mean NAME?` with the known names that are like `name`, or an empty text if there are none.
pub fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let near: Vec<String> = near(name, known).into_iter().map(str::to_owned).collect();
    if near.is_empty() { String::new() } else { format!("; {}", did_you_mean(&near)) }
}

/// Returns the names that differ from `name` by few letters, nearest first.
fn near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let (length, set) = (name.chars().count(), letters(name));
    let max_distance = |known: &str| known.len().div_ceil(4);
    // The distance is at least the difference of the lengths, and half the number of letters that only one of the names
    // has. It is slow to compute for thousands of names or a long one.
    let may_be_near = |known: &&str| {
        let max = max_distance(known);
        known.chars().count().abs_diff(length) <= max
            && (letters(known) ^ set).count_ones().div_ceil(2) as usize <= max
    };
    let mut near: Vec<(usize, &str)> = known
        .filter(may_be_near)
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(distance, known)| *distance <= max_distance(known) && *distance < length)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.truncate(3);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Returns the set of letters of a name, a bit each. Letters share a bit if their codes differ by a multiple of 64.
fn letters(name: &str) -> u64 {
    name.chars().fold(0, |set, letter| set | 1_u64.rotate_left(u32::from(letter)))
}

fn did_you_mean(names: &[String]) -> String {
    format!("did you mean {}?", join_or(names))
}

/// Joins names as `a, b or c`, with the number of omitted ones.
pub(super) fn join_or<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match (shown.split_last(), names.len().saturating_sub(SHOWN)) {
        (Some((last, [])), _) => (*last).to_owned(),
        (Some((last, before)), 0) => format!("{} or {last}", before.join(", ")),
        (_, more) => format!("{} or {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::test_protocol;

    fn refusal(name: &str) -> (String, String) {
        match resolve(name, &test_protocol::catalog()) {
            Ok(subject) => panic!("{name} is {subject:?}"),
            Err(unknown) => (unknown.message, unknown.hint),
        }
    }

    #[test]
    fn names_resolve_to_builtin_fields_protocols_groups_and_fields() {
        let catalog = test_protocol::catalog();
        let is = |name: &str| resolve(name, &catalog).ok().unwrap();
        assert!(matches!(is("time"), Subject::Builtin(BuiltinField::Time)));
        assert!(matches!(is("toy"), Subject::Protocol(_)));
        assert!(matches!(is("toy.say"), Subject::Group(_)));
        assert!(matches!(is("toy.packet.chunk"), Subject::Group(_)));
        assert!(matches!(is("toy.say.text"), Subject::Field(..)));
        assert!(matches!(is("toy.world.player.x"), Subject::Field(..)));
    }

    #[test]
    #[cfg(feature = "freeciv")]
    fn an_alias_is_the_field_with_its_name() {
        let mut catalog = Catalog::new();
        catalog.add_freeciv_packets(&gamewire_freeciv::follow::Definitions::shipped());
        for name in ["freeciv.city_rally_point.city_id", "freeciv.city_rally_point.id"] {
            let Ok(Subject::Field(path, _)) = resolve(name, &catalog) else { panic!("{name}") };
            assert_eq!(path.names.last().unwrap(), "city_id");
        }
        let Ok(Subject::Field(path, _)) = resolve("freeciv.city_info.id", &catalog) else { panic!() };
        assert_eq!(path.names, ["city_info", "id"]);
        assert!(resolve("freeciv.city_rally_point.idd", &catalog).is_err());
    }

    #[test]
    fn g1_a_long_unknown_name_is_compared_with_no_other() {
        let name = "x".repeat(1 << 20);
        // With each of the names this would take minutes.
        let known = (0..10_000).map(|_| "the_name_of_a_message");
        assert!(near(&name, known).is_empty());
        assert_eq!(near("rsay", ["say", "says", "essay"].into_iter()), ["say", "essay"]);
    }

    #[test]
    fn errors_for_unknown_names_suggest_near_ones() {
        for (name, message, hint) in [
            ("toy.say.txet", "toy.say has no field txet", "did you mean toy.say.text?"),
            ("toy.sya", "toy has no packet, message, item or group sya", "did you mean toy.say?"),
            ("toy.sya.text", "toy has no packet, message, item or group sya", "did you mean toy.say?"),
            (
                "toy.damage",
                "toy has no packet, message, item or group damage",
                "did you mean toy.hit.damage?",
            ),
            ("say.text", "unknown name say.text", "did you mean toy.say.text?"),
            ("damage", "unknown name damage", "did you mean toy.hit.damage?"),
            ("tyo.say", "unknown name tyo.say", "did you mean toy?"),
            ("tine", "unknown name tine", "did you mean time?"),
            ("toy.hit.color", "toy.hit has no field color", "it has damage or weapon"),
            ("toy.unknown.color", "toy.unknown has no field color", "it has no fields"),
            ("nonsense", "unknown name nonsense", LIST),
            ("toy..x", "expected a name on both sides of each dot", LIST),
        ] {
            assert_eq!(refusal(name), (message.to_owned(), hint.to_owned()));
        }
    }
}
