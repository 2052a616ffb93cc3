//! Compares the shipped definition with another one. Only differences on the wire count.

use std::path::Path;

use gamewire_schema::ir::Protocol;
use gamewire_schema::{Constants, Sources, constants_file, emit};

use super::load::{SHIPPED, VERSIONS, compile, constants, shipped};
use crate::Error;
use crate::project::Project;

/// Compares the shipped definition with another one and prints every difference. Returns whether there are none.
pub(crate) fn check(project: &Project, arguments: &[&str]) -> Result<bool, Error> {
    let (definition, named) = parse(arguments)?;
    let default = constants_file(definition);
    let given = named.or_else(|| default.exists().then_some(&default)).map(constants).transpose()?;
    let (ours, our_constants) = shipped(project, version_of(given.as_ref())?)?;
    let (report, is_same) = compare(&ours, &Sources::read(definition)?, &given.unwrap_or(our_constants))?;
    println!("{}: {report}", definition.display());
    Ok(is_same)
}

/// Returns the version that these constants belong to, or 3.0 without constants.
fn version_of(constants: Option<&Constants>) -> Result<&'static str, Error> {
    let Some(constants) = constants else { return Ok("3.0") };
    let version = VERSIONS.into_iter().find(|version| constants.name == format!("freeciv-{version}"));
    version.ok_or_else(|| {
        let known = VERSIONS.map(|version| format!("freeciv-{version}")).join(", ");
        format!("the constants are of `{}`; the shipped definition has {known}", constants.name).into()
    })
}

/// Returns the paths of the definition and of its constants.
fn parse<'a>(arguments: &[&'a str]) -> Result<(&'a Path, Option<&'a Path>), Error> {
    match *arguments {
        [definition] => Ok((Path::new(definition), None)),
        [definition, "--constants", file] | ["--constants", file, definition] => {
            Ok((Path::new(definition), Some(Path::new(file))))
        }
        _ => Err("usage: cargo xtask check-definition PATH [--constants FILE]".into()),
    }
}

/// Returns a report about the other definition and its differences, and whether there are none.
fn compare(ours: &Protocol, sources: &Sources, constants: &Constants) -> Result<(String, bool), Error> {
    let theirs = compile(sources, constants)?;
    let fields: usize = theirs.packets.iter().map(|packet| packet.fields.len()).sum();
    let (packets, aliases, variants) = (theirs.packets.len(), theirs.aliases.len(), theirs.variant_count());
    let mut report = format!("{packets} packets, {fields} fields, {aliases} aliases, {variants} variants\n");
    let differences = emit::compare(ours, &theirs);
    let count = differences.list.len();
    if count > 0 {
        report += &format!("\n{} -> this definition\n{differences:#}\n", ours.name);
    }
    let word = if count == 1 { "difference" } else { "differences" };
    report += &format!("{count} wire {word} to {} of {SHIPPED}", ours.name);
    Ok((report, count == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the report about the shipped definition, after replacing some of its text.
    fn report(from: &str, to: &str) -> (String, bool) {
        let project = Project {
            root: Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into(),
            metadata: serde_json::Value::Null,
        };
        let (ours, constants) = shipped(&project, "3.0").unwrap();
        let mut sources = Sources::default();
        for source in Sources::read(&project.root.join(SHIPPED)).unwrap().list() {
            sources.add(source.name.as_str(), source.text.replace(from, to));
        }
        let is_there = sources.list().iter().any(|source| source.text.contains(to));
        assert!(is_there, "{from} is missing");
        compare(&ours, &sources, &constants).unwrap()
    }

    #[test]
    fn the_shipped_definition_equals_itself() {
        let (report, is_same) = report("///", "//");
        assert!(is_same);
        assert!(report.starts_with("187 packets, 1168 fields, "), "{report}");
        assert!(report.contains(" 194 variants\n"), "{report}");
        assert!(report.ends_with("0 wire differences to freeciv-3.0 of definitions/freeciv"), "{report}");
    }

    #[test]
    fn other_names_for_types_are_no_difference() {
        assert!(report("CityId", "NumberOfCity").1);
    }

    #[test]
    fn differences_are_listed_by_packet() {
        let (number, is_same) = report("PACKET_CITY_BUY = 34", "PACKET_CITY_BUY = 1034");
        assert!(!is_same);
        assert!(number.contains("PACKET_CITY_BUY\n  number: 34 -> 1034\n"), "{number}");
        assert!(number.ends_with("1 wire difference to freeciv-3.0 of definitions/freeciv"), "{number}");
        let (width, _) = report("type CityId = uint16(int)", "type CityId = uint32(int)");
        assert!(width.contains("  uint16 -> uint32: "), "{width}");
        assert!(width.contains("PACKET_CITY_BUY.city_id, "), "{width}");
        let (folding, _) = report("type Bool = bool8(bool)", "type Bool = bool8(int)");
        assert!(folding.contains("bool8 folded -> bool8"), "{folding}");
    }

    #[test]
    fn errors_in_the_other_definition_are_shown() {
        let mut sources = Sources::default();
        sources.add("theirs.def", "PACKET_A = 1; sc\n  Nothing a;\nend");
        let error = compare(&Protocol::default(), &sources, &Constants::default()).unwrap_err();
        assert!(error.to_string().contains("--> theirs.def:2:3"), "{error}");
    }

    #[test]
    fn the_constants_may_precede_or_follow_the_definition() {
        for arguments in [["a.def", "--constants", "c.toml"], ["--constants", "c.toml", "a.def"]] {
            let expected = (Path::new("a.def"), Some(Path::new("c.toml")));
            assert_eq!(parse(&arguments).unwrap(), expected);
        }
        assert!(parse(&[]).is_err());
        assert!(parse(&["a.def", "b.def"]).is_err());
    }
}
