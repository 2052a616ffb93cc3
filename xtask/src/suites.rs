//! Programs of Debian's later suites, each suite unpacked into a folder of its own that nothing else uses.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::command::run_quietly;
use crate::project::Project;
use crate::tools::{self, Missing};

/// The keys of Debian's archive.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Returns the folder of all suites.
pub(crate) fn folder(project: &Project) -> Result<PathBuf, Error> {
    Ok(project.target()?.join("suites"))
}

/// Makes sure that `file` of `package` is in the folder of `suite`. The programs there need its loader and libraries.
pub(crate) fn install(project: &Project, suite: &str, file: &str, package: &str) -> Result<(), Missing> {
    let root = folder(project).map_err(|error| error.to_string())?.join(suite);
    if root.join(file).exists() {
        return Ok(());
    }
    tools::debian("mmdebstrap", "mmdebstrap")?;
    println!("unpacking {package} of Debian's suite {suite}");
    unpack(suite, package, &root).map_err(|error| error.to_string())?;
    if root.join(file).exists() { Ok(()) } else { Err(format!("{package} of {suite} has no {file}")) }
}

fn unpack(suite: &str, package: &str, root: &Path) -> Result<(), Error> {
    if root.exists() {
        std::fs::remove_dir_all(root)?;
    }
    std::fs::create_dir_all(root.parent().unwrap_or(root))?;
    let source = format!("deb [signed-by={KEYS}] {} {suite} main", mirror()?);
    let mut unpack = Command::new("mmdebstrap");
    // A mirror that is a cache can lag behind.
    unpack.args(["--quiet", "--variant=extract", "--aptopt=Acquire::Check-Valid-Until \"false\""]);
    run_quietly(unpack.arg(format!("--include={package}")).arg(suite).arg(root).arg(source))?;
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
