//! Features that a default build does not have.

use std::process::{Command, Output};

/// Every verb with its own help.
const VERBS: [&[&str]; 16] = [
    &["demo"],
    &["join"],
    &["join", "teeworlds"],
    &["join", "riptide"],
    &["join", "freeciv"],
    &["play"],
    &["serve"],
    &["serve", "riptide"],
    &["proxy"],
    &["replay"],
    &["info"],
    &["inspect"],
    &["wireshark"],
    &["compile"],
    &["completions"],
    &["man"],
];

/// The options that need a feature: verb, option, feature.
const OPTIONS: [(&str, &str, &str); 7] = [
    ("proxy", "--nats <URL>", "fleet"),
    ("proxy", "--nats-name <NAME>", "fleet"),
    ("proxy", "--nats-records <FILTER>", "fleet"),
    ("inspect", "--nats <URL>", "fleet"),
    ("inspect", "--parquet <DIR>", "parquet"),
    ("serve riptide", "--wss <HOST:PORT>", "tls"),
    ("join riptide", "--ca <FILE>", "tls"),
];

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gamewire")).args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn help(verb: &[&str], form: &str) -> String {
    let output = run(&[verb, &[form]].concat());
    assert!(output.status.success() && output.stderr.is_empty(), "{verb:?} {form}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_verb_has_its_help_in_every_build() {
    let known = help(&[], "--help");
    let commands = known.split_once("Commands:").unwrap().1.split_once("Options:").unwrap().0;
    // Other lines continue a description.
    let rows =
        commands.lines().filter_map(|line| line.strip_prefix("  ")).filter(|row| !row.starts_with(' '));
    for verb in rows.filter_map(|row| row.split_whitespace().next()) {
        assert!(VERBS.iter().any(|known| known[0] == verb), "{verb} is not among the verbs of this test");
    }
    for verb in VERBS {
        for form in ["-h", "--help"] {
            let help = help(verb, form);
            let usage = format!("Usage: gamewire {}", verb.join(" "));
            assert!(help.contains(&usage) || verb[0] == "join", "{verb:?} {form}: {help}");
        }
    }
}

#[test]
fn the_help_names_the_feature_of_an_option() {
    for (verb, option, feature) in OPTIONS {
        let help = help(&verb.split(' ').collect::<Vec<_>>(), "--help");
        let text = help.split_once(option).unwrap_or_else(|| panic!("{verb} has no {option}")).1;
        let text = text.split("\n\n").next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("(feature {feature})")), "{verb} {option}: {text}");
    }
}

/// Returns the error message about an option with a missing feature.
#[cfg(not(all(feature = "fleet", feature = "parquet", feature = "tls")))]
fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(not(feature = "fleet"))]
#[test]
fn a_build_without_a_fleet_says_how_to_get_it() {
    let sentence = "error: --nats needs the feature fleet, which this build does not have; \
                    install it with: cargo install --path crates/gamewire-cli --features fleet\n";
    let nats = ["--nats", "nats://127.0.0.1:4222"];
    let proxy = ["proxy", "--listen", "riptide://127.0.0.1:0", "--to", "127.0.0.1:1"];
    assert_eq!(refusal(&[&proxy[..], &nats].concat()), sentence);
    let records = ["--nats-name", "east", "--nats-records", "riptide.reliable"];
    assert_eq!(refusal(&[&proxy[..], &nats, &records].concat()), sentence);
    assert_eq!(refusal(&[&["inspect", "--page=127.0.0.1:0", "--sample"], &nats[..]].concat()), sentence);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_tables_says_how_to_get_them() {
    let sentence = "error: --parquet needs the feature parquet, which this build does not have; \
                    install it with: cargo install --path crates/gamewire-cli --features parquet\n";
    assert_eq!(refusal(&["inspect", "--sample", "-q", "--parquet", "tables"]), sentence);
    assert!(!std::path::Path::new("tables").exists());
}

#[cfg(not(feature = "tls"))]
#[test]
fn a_build_without_tls_says_how_to_get_it() {
    let sentence = |option: &str| {
        format!(
            "error: {option} needs the feature tls, which this build does not have; \
             install it with: cargo install --path crates/gamewire-cli --features tls\n"
        )
    };
    let serve = ["serve", "riptide", "--wss", ":0", "--cert", "a", "--key-file", "b"];
    assert_eq!(refusal(&serve), sentence("--wss"));
    assert_eq!(refusal(&["join", "riptide-2.1+wss://127.0.0.1"]), sentence("wss"));
}

#[cfg(feature = "fleet")]
#[test]
fn a_wrong_address_of_a_nats_server_is_refused() {
    let proxy =
        ["proxy", "--listen", "riptide://127.0.0.1:0", "--to", "127.0.0.1:1", "--nats", "nats://[::1"];
    let output = run(&proxy);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.starts_with("error: invalid --nats: ") && error.ends_with("use nats://HOST:PORT\n"),
        "{error}"
    );
}
