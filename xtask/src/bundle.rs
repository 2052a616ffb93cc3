//! The packages of other languages: the C# package as Unity's package manager takes it, and the JavaScript client for npm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::command::{run_quietly, works};
use crate::counts::TestCounts;
use crate::project::Project;
use crate::tools;

/// The folders of the packages. Each has a `package.json`.
const UNITY: &str = "unity";
const JAVASCRIPT: &str = "web/riptide";

/// A program that uses the JavaScript client as a project does after `npm install`.
const IMPORT: &str = "import { Client, Message, MessageSendMode } from 'gamewire-riptide';
const message = Message.Create(MessageSendMode.Reliable, 3).AddInt(-5);
if (typeof Client !== 'function' || message.BytesInUse < 6) throw new Error('not the client');
";

/// Writes both packages to `target/bundles` and prints their paths.
///
/// # Errors
/// If there is no npm, or a package cannot be written.
pub(crate) fn make(project: &Project) -> Result<bool, Error> {
    let folder = project.target()?.join("bundles");
    fs::create_dir_all(&folder)?;
    for source in [UNITY, JAVASCRIPT] {
        println!("{}", pack(&project.root.join(source), &folder)?.display());
    }
    Ok(true)
}

/// Packs a folder. npm gives all files the same time and owner, so equal files make equal packages. Unity's package manager
/// takes the same form.
fn pack(source: &Path, to: &Path) -> Result<PathBuf, Error> {
    let mut npm = Command::new("npm");
    npm.current_dir(source).args(["pack", "--silent", "--ignore-scripts", "--pack-destination"]).arg(to);
    let name = run_quietly(&mut npm)?;
    Ok(to.join(name.trim()))
}

/// Packs both folders twice, installs the package of JavaScript and imports it, and compiles the package of Unity with
/// mono's compiler.
pub(crate) fn check(project: &Project) -> Result<TestCounts, Error> {
    if !works(Command::new("npm").arg("--version")) {
        return Ok(TestCounts::skipped("packages of npm and Unity", "no npm: install Node.js 20 or later"));
    }
    let folder = project.target()?.join("bundles/check");
    let _ = fs::remove_dir_all(&folder);
    let mut counts = TestCounts::default();
    for source in [UNITY, JAVASCRIPT] {
        counts = counts.and(TestCounts::check(is_reproducible(&project.root.join(source), &folder)?));
    }
    counts = counts.and(TestCounts::check(is_imported(&folder)?));
    let mono = tools::debian("mcs", "mono-mcs");
    Ok(counts.and(match mono {
        Ok(()) => TestCounts::check(is_compiled(project, &folder)?),
        Err(reason) => TestCounts::skipped("the package of Unity compiles", &reason),
    }))
}

/// Packs a folder and a copy of it, whose files have other times, and returns whether both packages are equal.
fn is_reproducible(source: &Path, folder: &Path) -> Result<bool, Error> {
    let (first, second, copy) = (folder.join("first"), folder.join("second"), folder.join("copy"));
    for created in [&first, &second] {
        fs::create_dir_all(created)?;
    }
    let _ = fs::remove_dir_all(&copy);
    run_quietly(Command::new("cp").arg("-r").arg(source).arg(&copy))?;
    let (first, second) = (pack(source, &first)?, pack(&copy, &second)?);
    let is_equal = fs::read(&first)? == fs::read(&second)?;
    if !is_equal {
        println!("{} and {} differ", first.display(), second.display());
    }
    Ok(is_equal)
}

/// Returns the package whose name has this start.
fn find(folder: &Path, start: &str) -> Result<PathBuf, Error> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(start) {
            return Ok(entry.path());
        }
    }
    Err(format!("no package {start} in {}", folder.display()).into())
}

/// Installs the package of JavaScript in an empty project, and runs a program that imports it.
fn is_imported(folder: &Path) -> Result<bool, Error> {
    let package = find(&folder.join("first"), "gamewire-riptide-")?;
    let project = folder.join("project");
    fs::create_dir_all(&project)?;
    fs::write(project.join("package.json"), "{ \"private\": true, \"type\": \"module\" }\n")?;
    fs::write(project.join("index.js"), IMPORT)?;
    let mut npm = Command::new("npm");
    npm.current_dir(&project).args(["install", "--silent", "--offline", "--no-audit", "--no-fund"]);
    run_quietly(npm.arg(&package))?;
    let has_types = project.join("node_modules/gamewire-riptide/riptide.d.ts").is_file();
    run_quietly(Command::new("node").current_dir(&project).arg("index.js"))?;
    Ok(has_types)
}

/// Unpacks the package of Unity, and compiles its sources, its samples and its tests against the stand-in for Riptide.
fn is_compiled(project: &Project, folder: &Path) -> Result<bool, Error> {
    let package = find(&folder.join("first"), "net.gamewire.riptide-")?;
    run_quietly(Command::new("tar").current_dir(folder).arg("-xzf").arg(&package))?;
    // The folder in packages of npm.
    let unpacked = folder.join("package");
    let (riptide, library) = (folder.join("Riptide.dll"), folder.join("Gamewire.Riptide.dll"));
    compile(&riptide, &[project.root.join("interop/unity/standin")], &[])?;
    compile(&library, &[unpacked.join("Runtime")], &[&riptide])?;
    let more = ["Tests/Runtime", "Samples~/Rooms"].map(|part| unpacked.join(part));
    // The name that the package shows its internals to.
    compile(&folder.join("Gamewire.Riptide.Tests.dll"), &more, &[&riptide, &library])?;
    let missing: Vec<_> =
        ["package.json.meta", "Runtime/Plugins/WebGL/GamewireWebSocket.jslib", "LICENSE.md"]
            .into_iter()
            .filter(|file| !unpacked.join(file).is_file())
            .collect();
    missing.iter().for_each(|file| println!("the package of Unity lacks {file}"));
    Ok(missing.is_empty())
}

fn compile(output: &Path, sources: &[PathBuf], references: &[&PathBuf]) -> Result<(), Error> {
    let mut mcs = Command::new("mcs");
    mcs.args(["-target:library", "-langversion:7", "-warnaserror"]);
    mcs.arg(format!("-out:{}", output.display()));
    mcs.args(sources.iter().map(|folder| format!("-recurse:{}/*.cs", folder.display())));
    mcs.args(references.iter().map(|reference| format!("-r:{}", reference.display())));
    run_quietly(&mut mcs).map(drop)
}
