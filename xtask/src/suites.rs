//! Installs programs of Debian's later suites. Each suite is unpacked into a separate folder.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::command::run_quietly;
use crate::project::Project;
use crate::tools::{self, Missing};

/// Keys of Debian's archive.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Returns the folder of all suites: `GAMEWIRE_SUITES` if it is not empty, or a folder in the target folder.
pub(crate) fn folder(project: &Project) -> Result<PathBuf, Error> {
    let given = std::env::var_os("GAMEWIRE_SUITES").filter(|value| !value.is_empty());
    given.map_or_else(|| Ok(project.target()?.join("suites")), |given| Ok(PathBuf::from(given)))
}

/// Makes sure that the folder of `suite` contains `files`. Each is a path and the package that contains it. The
/// programs need the loader and the libraries of this folder.
pub(crate) fn install(project: &Project, suite: &str, files: &[(&str, &str)]) -> Result<(), Missing> {
    let root = folder(project).map_err(|error| error.to_string())?.join(suite);
    let missing = || files.iter().find(|(file, _)| !root.join(file).exists());
    if missing().is_none() {
        return Ok(());
    }
    tools::debian("mmdebstrap", "mmdebstrap")?;
    let packages = files.iter().map(|(_, package)| *package).collect::<Vec<_>>().join(",");
    println!("unpacking {packages} of Debian's suite {suite}");
    unpack(suite, &packages, &root).map_err(|error| error.to_string())?;
    missing().map_or(Ok(()), |(file, package)| Err(format!("{package} of {suite} has no {file}")))
}

fn unpack(suite: &str, packages: &str, root: &Path) -> Result<(), Error> {
    if root.exists() {
        std::fs::remove_dir_all(root)?;
    }
    std::fs::create_dir_all(root.parent().unwrap_or(root))?;
    let source = format!("deb [signed-by={KEYS}] {} {suite} main", mirror()?);
    let mut unpack = Command::new("mmdebstrap");
    // Accept expired lists, because a caching mirror can be out of date.
    unpack.args(["--quiet", "--variant=extract", "--aptopt=Acquire::Check-Valid-Until \"false\""]);
    run_quietly(unpack.arg(format!("--include={packages}")).arg(suite).arg(root).arg(source))?;
    // The servers run as an unprivileged user, which must be able to read the folder.
    std::fs::set_permissions(root, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Returns the mirror that the system's apt uses.
fn mirror() -> Result<String, Error> {
    let mut targets = Command::new("apt-get");
    let found =
        run_quietly(targets.args(["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]))?;
    let mirror = found.lines().find(|line| !line.contains("security"));
    Ok(mirror.ok_or("apt has no mirror")?.to_owned())
}
