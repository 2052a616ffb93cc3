//! A feature compiles its protocol, and no part of the others.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test that fails panics")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Returns the crates that the features need, except those of build scripts and tests.
fn crates(features: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(["--no-default-features", "--features", features])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Returns the project's crates that the features need.
fn ours(features: &str) -> Vec<String> {
    crates(features).into_iter().filter(|name| name.starts_with("gamewire-")).collect()
}

#[test]
fn each_protocol_compiles_alone() {
    assert_eq!(
        ours("teeworlds"),
        ["gamewire-machine", "gamewire-tee", "gamewire-teeworlds", "gamewire-wire"]
    );
    assert!(!crates("teeworlds").contains("flate2"), "maps have a feature of their own");
    let riptide =
        ["gamewire-derive", "gamewire-machine", "gamewire-riptide", "gamewire-websocket", "gamewire-wire"];
    assert_eq!(ours("riptide"), riptide);
    let freeciv = ours("freeciv");
    assert!(freeciv.contains(&"gamewire-freeciv".to_owned()));
    for other in ["gamewire-teeworlds", "gamewire-riptide", "gamewire-inspect", "gamewire-net"] {
        assert!(!freeciv.contains(&other.to_owned()), "{other}");
    }
}

#[test]
fn riptide_with_sockets_has_nothing_of_the_others() {
    let expected = [
        "gamewire-derive",
        "gamewire-machine",
        "gamewire-net",
        "gamewire-riptide",
        "gamewire-sim",
        "gamewire-websocket",
        "gamewire-wire",
    ];
    assert_eq!(ours("riptide,net"), expected);
    let all = crates("riptide,net");
    for other in ["tokio", "flate2", "sha2", "clap", "serde", "pcap-parser"] {
        assert!(!all.contains(other), "{other}");
    }
}

#[test]
#[cfg(all(feature = "serde", feature = "freeciv"))]
fn worlds_are_serialized_with_the_feature_serde() {
    let world = gamewire::freeciv::world::World::default();
    assert!(serde_json::to_value(&world).unwrap().is_object());
}
