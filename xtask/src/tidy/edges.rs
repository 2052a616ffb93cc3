//! Checks that crates depend only on allowed crates, so that dependencies point in one direction.

use serde_json::Value;

use super::finding::Finding;
use crate::project::list;

/// Allowed dependencies of a crate.
struct Rule {
    name: &'static str,
    /// Crates of this workspace.
    ours: &'static [&'static str],
    /// Crates of this workspace that only the tests may use.
    tests: &'static [&'static str],
    /// Other crates. `None` allows every crate that cargo-deny accepts.
    others: Option<&'static [&'static str]>,
}

const WIRE: &str = "gamewire-wire";
const MACHINE: &str = "gamewire-machine";
const SIM: &str = "gamewire-sim";
const TEE: &str = "gamewire-tee";
const TEEWORLDS: &str = "gamewire-teeworlds";
const RIPTIDE: &str = "gamewire-riptide";
const FREECIV: &str = "gamewire-freeciv";
const DERIVE: &str = "gamewire-derive";
const SCHEMA: &str = "gamewire-schema";
const INSPECT: &str = "gamewire-inspect";
const NET: &str = "gamewire-net";
const PAGE: &str = "gamewire-page";
const PROXY: &str = "gamewire-proxy";
const RECORDS: &str = "gamewire-records";
const WATCH: &str = "gamewire-watch";
const WEBSOCKET: &str = "gamewire-websocket";
const WIRESHARK: &str = "gamewire-wireshark";
const FACADE: &str = "gamewire";

const fn rule(
    name: &'static str,
    ours: &'static [&'static str],
    tests: &'static [&'static str],
    others: Option<&'static [&'static str]>,
) -> Rule {
    Rule { name, ours, tests, others }
}

const RULES: &[Rule] = &[
    rule(WIRE, &[], &[], Some(&[])),
    rule(MACHINE, &[WIRE], &[], Some(&[])),
    rule(SIM, &[WIRE, MACHINE], &[], Some(&["fastrand"])),
    rule(
        NET,
        &[MACHINE, SIM],
        &[],
        Some(&[
            "nix",
            "quinn-udp",
            "rustix",
            "rustls",
            "rustls-native-certs",
            "thiserror",
            "tokio",
            "tracing",
        ]),
    ),
    rule(WEBSOCKET, &[MACHINE], &[SIM], Some(&["base64", "httparse", "sha1", "thiserror"])),
    rule(
        RECORDS,
        &[MACHINE],
        &[SIM],
        Some(&["chacha20poly1305", "hmac", "sha2", "thiserror", "x25519-dalek"]),
    ),
    rule(TEE, &[], &[], Some(&["crc32fast", "flate2", "sha2"])),
    rule(TEEWORLDS, &[WIRE, MACHINE, TEE], &[SIM], Some(&["crc32fast", "serde", "sha2", "thiserror"])),
    rule(DERIVE, &[], &[], Some(&["proc-macro2", "quote", "syn"])),
    rule(
        RIPTIDE,
        &[WIRE, MACHINE, DERIVE, RECORDS, WEBSOCKET],
        &[SIM],
        Some(&["glam", "mint", "serde", "thiserror"]),
    ),
    rule(
        SCHEMA,
        &[],
        &[SIM],
        Some(&["annotate-snippets", "serde", "serde_json", "strsim", "thiserror", "toml"]),
    ),
    rule(
        FREECIV,
        &[WIRE, MACHINE, SCHEMA, DERIVE],
        &[SIM],
        Some(&["flate2", "memchr", "serde", "thiserror"]),
    ),
    rule(INSPECT, &[WIRE, MACHINE, TEEWORLDS, RIPTIDE, FREECIV, SCHEMA], &[SIM], None),
    rule(WIRESHARK, &[WIRE, MACHINE, TEEWORLDS, RIPTIDE, FREECIV, SCHEMA], &[], Some(&[])),
    rule(WATCH, &[MACHINE, NET, INSPECT], &[], Some(&["etherparse", "thiserror"])),
    rule(
        PROXY,
        &[WIRE, MACHINE, NET, SIM, TEE, TEEWORLDS, RIPTIDE, FREECIV, SCHEMA, INSPECT, WATCH],
        &[],
        None,
    ),
    rule(PAGE, &[WIRE, MACHINE, TEE, TEEWORLDS, RIPTIDE, FREECIV, INSPECT, WATCH], &[SIM], None),
    rule(
        FACADE,
        &[WIRE, MACHINE, NET, TEE, TEEWORLDS, RIPTIDE, FREECIV, DERIVE, INSPECT, WATCH],
        &[SIM],
        Some(&["getrandom", "rustix", "thiserror", "tokio", "tracing"]),
    ),
    rule(
        "gamewire-cli",
        &[
            WIRE, MACHINE, NET, SIM, TEE, TEEWORLDS, RIPTIDE, FREECIV, INSPECT, WATCH, SCHEMA, WIRESHARK,
            PAGE, PROXY, FACADE,
        ],
        &[],
        None,
    ),
    // Benches use the libraries that they compare with.
    rule(
        "gamewire-bench",
        &[FACADE, FREECIV, SCHEMA, INSPECT, MACHINE, PROXY, WATCH],
        &[],
        Some(&["flate2"]),
    ),
    rule("xtask", &[SCHEMA], &[], None),
];

/// Crates that all tests and benches may use.
const TEST_TOOLS: &[&str] = &[
    "allocation-counter",
    "criterion",
    "getrandom",
    "gungraun",
    "insta",
    "proptest",
    "rcgen",
    "renet",
    "renet_netcode",
    "rusty_enet",
    "serde_json",
    "snapbox",
    "snow",
    "teeint",
    "tempfile",
    "tokio",
    "tower-service",
    "tracing-subscriber",
    "trycmd",
    "tungstenite",
];

/// Checks every dependency in the output of `cargo metadata --no-deps`.
pub(super) fn check(metadata: &Value) -> Vec<Finding> {
    let packages: Vec<&Value> = list(metadata, "packages").collect();
    let names: Vec<&str> = packages.iter().map(|package| text(package, "name")).collect();
    packages.iter().flat_map(|package| check_package(package, &names)).collect()
}

fn check_package(package: &Value, ours: &[&str]) -> Vec<Finding> {
    let name = text(package, "name");
    let file = manifest(text(package, "manifest_path"));
    let Some(rule) = RULES.iter().find(|rule| rule.name == name) else {
        let what = format!("no rule says what `{name}` may depend on");
        return vec![Finding::new(&file, 0, what, "add one to RULES in xtask/src/tidy/edges.rs")];
    };
    let dependencies = list(package, "dependencies");
    let broken = dependencies.filter_map(|dependency| check_edge(rule, dependency, ours));
    broken.map(|(what, advice)| Finding::new(&file, 0, what, advice)).collect()
}

fn check_edge(rule: &Rule, dependency: &Value, ours: &[&str]) -> Option<(String, &'static str)> {
    let to = text(dependency, "name");
    let is_for_tests = dependency["kind"] == "dev";
    if ours.contains(&to) {
        let what = format!("`{}` must not depend on `{to}`", rule.name);
        let is_allowed = rule.ours.contains(&to) || (is_for_tests && rule.tests.contains(&to));
        return (!is_allowed).then_some((what, "dependencies point one way: see ARCHITECTURE.md"));
    }
    let allowed = rule.others.is_none_or(|others| others.contains(&to));
    match (is_for_tests, allowed) {
        (false, true) => None,
        (true, _) if TEST_TOOLS.contains(&to) || (rule.others.is_some() && allowed) => None,
        (true, _) => Some((
            format!("`{}` tests with `{to}`, which is no known test tool", rule.name),
            "use one of TEST_TOOLS in xtask/src/tidy/edges.rs, or add it there",
        )),
        (false, false) => Some((
            format!("`{}` must not depend on `{to}`", rule.name),
            "do without, or argue for it in docs/decisions and add it to xtask/src/tidy/edges.rs",
        )),
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Returns the last two folders and the file name of a manifest's path.
fn manifest(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    parts.get(parts.len().saturating_sub(3)..).unwrap_or_default().join("/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns the findings on a package with one dependency.
    fn findings(from: &str, to: &str, kind: Option<&str>) -> Vec<String> {
        let dependency = json!({"name": to, "kind": kind});
        let mut packages: Vec<Value> = RULES.iter().map(|rule| json!({"name": rule.name})).collect();
        packages.push(json!({
            "name": from, "manifest_path": format!("/somewhere/crates/{from}/Cargo.toml"),
            "dependencies": [dependency],
        }));
        check(&json!({"packages": packages})).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_edge_against_the_direction_is_found() {
        let found = findings("gamewire-wire", "gamewire-machine", None);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with(
                "crates/gamewire-wire/Cargo.toml: `gamewire-wire` must not depend on `gamewire-machine`"
            ),
            "{found:?}"
        );
        assert_eq!(findings("gamewire-teeworlds", "gamewire-inspect", None).len(), 1);
        assert_eq!(findings("xtask", "gamewire", None).len(), 1);
    }

    #[test]
    fn tests_follow_the_same_direction() {
        assert_eq!(findings("gamewire-teeworlds", "gamewire-inspect", Some("dev")).len(), 1);
        assert_eq!(findings("gamewire", "gamewire-cli", Some("dev")).len(), 1);
        assert_eq!(findings("gamewire-sim", "gamewire-teeworlds", Some("dev")).len(), 1);
    }

    #[test]
    fn the_simulated_network_is_for_tests_of_protocols_and_for_drivers() {
        assert!(findings("gamewire-teeworlds", "gamewire-sim", Some("dev")).is_empty());
        assert_eq!(findings("gamewire-teeworlds", "gamewire-sim", None).len(), 1);
        assert!(findings("gamewire-net", "gamewire-sim", None).is_empty());
        assert_eq!(findings("gamewire-net", "gamewire-teeworlds", None).len(), 1);
    }

    #[test]
    fn edges_along_the_direction_are_fine() {
        assert!(findings("gamewire-machine", "gamewire-wire", None).is_empty());
        assert!(findings("gamewire-inspect", "gamewire-teeworlds", None).is_empty());
        assert!(findings("gamewire-cli", "gamewire", None).is_empty());
    }

    #[test]
    fn protocol_crates_take_nothing_that_is_not_listed() {
        assert!(findings("gamewire-teeworlds", "thiserror", None).is_empty());
        assert_eq!(findings("gamewire-teeworlds", "rand", None).len(), 1);
        assert_eq!(findings("gamewire-wire", "thiserror", None).len(), 1);
        assert_eq!(findings("gamewire-wire", "cc", Some("build")).len(), 1);
        assert!(findings("gamewire-inspect", "etherparse", None).is_empty());
    }

    #[test]
    fn tests_use_known_tools_only() {
        assert!(findings("gamewire-wire", "proptest", Some("dev")).is_empty());
        assert_eq!(findings("gamewire-wire", "mockall", Some("dev")).len(), 1);
        assert_eq!(findings("gamewire-inspect", "mockall", Some("dev")).len(), 1);
    }

    #[test]
    fn a_crate_without_a_rule_is_found() {
        let found = findings("gamewire-new", "gamewire-wire", None);
        assert!(found.iter().any(|finding| finding.contains("no rule says")), "{found:?}");
    }
}
