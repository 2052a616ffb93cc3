//! Checks that every crate inherits the workspace's lints, and that these lints forbid unsafe code.

use super::finding::Finding;
use super::source::Source;

/// Checks the manifests.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter_map(check_manifest).collect()
}

fn check_manifest(source: &Source) -> Option<Finding> {
    let is_crate = source.path.starts_with("crates/") || source.path.starts_with("xtask/");
    if source.path == "Cargo.toml" {
        let what = "unsafe code is not forbidden";
        let advice = "write unsafe_code = \"forbid\" under [workspace.lints.rust]";
        let is_forbidden = says(&source.text, "[workspace.lints.rust]", "unsafe_code = \"forbid\"");
        return (!is_forbidden).then(|| Finding::new(&source.path, 0, what, advice));
    }
    if is_crate && source.path.ends_with("/Cargo.toml") && !says(&source.text, "[lints]", "workspace = true")
    {
        let what = "the lints of the workspace are not inherited";
        return Some(Finding::new(&source.path, 0, what, "write workspace = true under [lints]"));
    }
    None
}

/// Returns whether a section of a manifest contains a line.
fn says(manifest: &str, section: &str, wanted: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim).skip_while(|line| *line != section).skip(1);
    lines.by_ref().take_while(|line| !line.starts_with('[')).any(|line| line == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_found(path: &str, manifest: &str) -> bool {
        !check(&[Source::new(path.into(), manifest.into())]).is_empty()
    }

    #[test]
    fn a_crate_with_lints_of_its_own_is_found() {
        assert!(is_found("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"));
        assert!(is_found("crates/a/Cargo.toml", "[lints]\n\n[dependencies]\nworkspace = true\n"));
        assert!(is_found("xtask/Cargo.toml", ""));
        assert!(!is_found("crates/a/Cargo.toml", "[lints]\nworkspace = true\n\n[dependencies]\n"));
    }

    #[test]
    fn a_workspace_that_allows_unsafe_code_is_found() {
        assert!(is_found("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"deny\"\n"));
        assert!(!is_found("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n"));
    }
}
