//! Finds the files that the compiler reads for each crate, in the output of clippy.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Error;
use crate::command::run_quietly;
use crate::project::{Project, list};

/// Arguments of cargo for clippy. A second call compiles nothing.
pub(crate) const CLIPPY: &str = "clippy --workspace --all-targets --all-features";

/// Files that the compiler read for the libraries and programs of each package.
pub(crate) struct Sources(Vec<CrateSources>);

struct CrateSources {
    manifest: PathBuf,
    files: Vec<PathBuf>,
}

/// Returns the files of all crates of the workspace, without their tests.
///
/// # Errors
/// If the workspace does not compile, or the compiler wrote no list of the files.
pub(crate) fn of_crates(project: &Project) -> Result<Sources, Error> {
    let mut clippy = project.cargo();
    clippy.args(CLIPPY.split(' ')).args(["--quiet", "--message-format", "json", "--", "-D", "warnings"]);
    let messages = run_quietly(&mut clippy)?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut crates = Vec::new();
    for message in messages.filter(is_crate) {
        let manifest = message.get("manifest_path").and_then(Value::as_str);
        let Some((manifest, list)) = manifest.zip(dependency_list(&message)) else { continue };
        if !Path::new(manifest).starts_with(&project.root) {
            continue;
        }
        let list = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
        // Clippy lists its own settings, which the compiler does not read.
        let settings = ["Cargo.toml", "clippy.toml"].map(|file| project.root.join(file));
        let files = files(&list).map(|file| project.root.join(file));
        let files = files.filter(|file| !settings.contains(file)).collect();
        crates.push(CrateSources { manifest: manifest.into(), files });
    }
    Ok(Sources(crates))
}

impl Sources {
    /// Returns the files of a package that are outside its folder or missing in `unpacked`. `package` is its metadata.
    /// Returns the manifest if the compiler read no file of the package.
    pub(crate) fn missing(&self, package: &Value, unpacked: &Path) -> Vec<PathBuf> {
        let manifest = Path::new(package.get("manifest_path").and_then(Value::as_str).unwrap_or_default());
        let folder = manifest.parent().unwrap_or(manifest);
        let mut crates = self.0.iter().filter(|each| each.manifest == manifest).peekable();
        if crates.peek().is_none() {
            return vec![manifest.into()];
        }
        let files = crates.flat_map(|each| &each.files);
        let is_missing =
            |file: &&PathBuf| !file.strip_prefix(folder).is_ok_and(|file| unpacked.join(file).is_file());
        files.filter(is_missing).cloned().collect()
    }
}

/// Returns whether a message of cargo is about a library or a program, but not about its tests.
fn is_crate(message: &Value) -> bool {
    let is_kind = |kind: &Value| ["lib", "bin", "proc-macro"].iter().any(|wanted| kind == wanted);
    message["reason"] == "compiler-artifact"
        && message.pointer("/profile/test") == Some(&Value::Bool(false))
        && list(&message["target"], "kind").any(is_kind)
}

/// Returns the path of the compiler's list of files. It is next to the output: `gamewire-1a2b.d` for
/// `libgamewire-1a2b.rmeta`.
fn dependency_list(artifact: &Value) -> Option<PathBuf> {
    let output = Path::new(list(artifact, "filenames").next()?.as_str()?);
    let name = output.file_stem()?.to_str()?;
    Some(output.with_file_name(format!("{}.d", name.strip_prefix("lib").unwrap_or(name))))
}

/// Returns the files in a list that has the format of a makefile.
fn files(list: &str) -> impl Iterator<Item = PathBuf> {
    let rule = list.lines().find_map(|line| line.split_once(": ")).map_or("", |(_, files)| files);
    // A space in a name is escaped by a backslash.
    let escaped = rule.replace("\\ ", "\0");
    let files: Vec<_> =
        escaped.split(' ').filter(|file| !file.is_empty()).map(|file| file.replace('\0', " ")).collect();
    files.into_iter().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_of_a_rule_are_read_with_their_spaces() {
        let list = "target/liba.rmeta: a/src/lib.rs a/src/two\\ words.txt\n\na/src/lib.rs:\n";
        let found: Vec<_> = files(list).collect();
        assert_eq!(found, [PathBuf::from("a/src/lib.rs"), PathBuf::from("a/src/two words.txt")]);
    }

    #[test]
    fn the_list_is_next_to_the_output() {
        let artifact = json!({"filenames": ["/target/deps/libgamewire-1a2b.rmeta"]});
        assert_eq!(dependency_list(&artifact), Some("/target/deps/gamewire-1a2b.d".into()));
    }

    #[test]
    fn a_file_outside_of_the_package_is_missing() {
        let manifest = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let folder = manifest.parent().unwrap();
        let files = vec![folder.join("src/main.rs"), folder.join("src/none.rs"), "/outside.rs".into()];
        let sources = Sources(vec![CrateSources { manifest: manifest.clone(), files }]);
        let package = json!({"manifest_path": manifest});
        let missing = sources.missing(&package, folder);
        assert_eq!(missing, [folder.join("src/none.rs"), "/outside.rs".into()]);
    }

    #[test]
    fn a_package_that_was_not_compiled_is_missing() {
        let package = json!({"manifest_path": "/a/Cargo.toml"});
        assert_eq!(Sources(Vec::new()).missing(&package, Path::new("/b")), [Path::new("/a/Cargo.toml")]);
    }
}
