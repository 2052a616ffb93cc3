//! Runs the benches.

use crate::Error;
use crate::command::run_streaming;
use crate::project::{Project, list};
use crate::tools;

/// Name of the bench that counts instructions. It needs valgrind.
const INSTRUCTIONS: &str = "instructions";

/// Runs every bench of the facade.
pub(crate) fn run(project: &Project) -> Result<bool, Error> {
    let mut success = true;
    for name in benches(project) {
        if name == INSTRUCTIONS
            && let Err(reason) = tools::debian("valgrind", "valgrind")
        {
            eprintln!("xtask: bench {name} left out: {reason}");
            success = false;
            continue;
        }
        let mut bench = project.cargo();
        success &= run_streaming(bench.args(["bench", "--package", "gamewire", "--bench", &name]))?.success;
    }
    Ok(success)
}

/// Returns the names of the facade's benches.
fn benches(project: &Project) -> Vec<String> {
    let packages = list(&project.metadata, "packages");
    let facade = packages.filter(|package| package["name"] == "gamewire");
    let targets = facade.flat_map(|package| list(package, "targets"));
    targets
        .filter(|target| list(target, "kind").any(|kind| kind == "bench"))
        .filter_map(|target| target["name"].as_str().map(Into::into))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_benches_of_the_facade_are_run() {
        let metadata = serde_json::json!({"packages": [
            {"name": "gamewire", "targets": [
                {"kind": ["lib"], "name": "gamewire"}, {"kind": ["bench"], "name": "timings"},
            ]},
            {"name": "xtask", "targets": [{"kind": ["bench"], "name": "other"}]},
        ]});
        assert_eq!(benches(&Project { root: "".into(), metadata }), ["timings"]);
    }
}
