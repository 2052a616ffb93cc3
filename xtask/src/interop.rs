//! The tests against other programs, in `interop/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Error;
use crate::command::{run_quietly, run_streaming};
use crate::counts::TestCounts;
use crate::project::{Project, list};
use crate::steps::Extent;
use crate::suites;
use crate::tools;

/// Tests in `interop/teeworlds`, counted as skipped when they cannot run.
const TEEWORLDS_TESTS: [&str; 2] =
    ["twnet_parser agrees on every message", "libtw2-huffman agrees both ways"];

/// A game server, and the Debian package that has it.
type Server = (&'static str, &'static str);

const TEEWORLDS: Server = ("/usr/games/teeworlds-server", "teeworlds-server");
const DDNET: Server = ("/usr/games/DDNet-Server", "ddnet-server");
const FREECIV: Server = ("/usr/games/freeciv-server", "freeciv-server");

/// Debian's later suites, with whose servers the scenarios of `interop/live` and `interop/freeciv` play.
const LATER_SUITES: [&str; 2] = ["trixie", "sid"];
/// The servers of the later suites, and the packages that have them.
const LATER_SERVERS: [Server; 2] =
    [("usr/games/DDNet-Server", "ddnet-server"), ("usr/games/freeciv-server", "freeciv-server")];

/// Folders whose scenarios need game servers.
const WITH_SERVERS: [(&str, &[Server]); 3] = [
    ("interop/live", &[TEEWORLDS, DDNET]),
    ("interop/freeciv", &[FREECIV]),
    ("interop/readme", &[TEEWORLDS, FREECIV]),
];

/// Scenarios of `interop/riptide`, counted as skipped when they cannot run.
const RIPTIDE_TESTS: [&str; 24] = [
    "theirs_at_ours::over_udp",
    "theirs_at_ours::over_tcp",
    "ours_at_theirs::a_server_that_stalls",
    "ours_at_theirs::over_udp",
    "ours_at_theirs::over_tcp",
    "ours_at_theirs::a_server_that_stops_over_tcp",
    "ours_at_theirs::a_server_that_stops_over_udp",
    "relays::every_client_receives_from_all_others",
    "relays::a_sender_over_its_budget_loses_nothing",
    "figures::metrics_equal_what_was_sent",
    "figures::refusals_and_the_relay_budget_are_counted",
    "figures::other_requests_than_scrapes_are_refused",
    "figures::promtool_accepts_the_metrics",
    "figures::a_terminal_shows_figures_below_the_events",
    "figures::many_events_move_the_status_ten_times_a_second",
    "figures::no_figures_without_a_terminal",
    "bots::the_echo_server",
    "proxied::over_udp",
    "proxied::over_tcp",
    "proxied::terminated_over_udp",
    "proxied::terminated_over_tcp",
    "proxied::rules_drop_change_and_delay",
    "replayed::recorded_over_udp",
    "replayed::recorded_over_tcp",
];

/// Tests in `interop/wireshark`, counted as skipped when they cannot run.
const WIRESHARK_TESTS: [&str; 8] = [
    "capinfos_knows_what_is_written",
    "tshark_reads_what_was_captured",
    "tshark_finds_checksums_right",
    "tshark_reads_what_inspect_writes",
    "a_demo_is_captured_live",
    "the_dissector_decodes_what_inspect_decodes",
    "the_dissector_survives_mutated_packets",
    "the_dissector_runs_in_lua_5_4",
];

/// Tests in `interop/tables`, counted as skipped when they cannot run.
const TABLES_TESTS: [&str; 8] = [
    "tables::chat::tw-0.6-ddnet-tken",
    "tables::loss_by_minute::tw-0.6-ddnet-tken",
    "tables::bytes_by_message::tw-0.6-ddnet-tken",
    "tables::snapshot_sizes::tw-0.6-ddnet-tken",
    "tables::gold_by_turn::game",
    "tables::polars_agrees::tw-0.6-ddnet-tken",
    "tables::nothing_is_left_over::tw-0.6-ddnet-tken",
    "tables::nothing_is_left_over::game",
];

/// The folder whose scenarios need a browser.
const BROWSER: &str = "interop/browser";

/// Runs the tests against other decoders, Wireshark's tools and the real servers.
pub(crate) fn run(project: &Project, _: Extent) -> Result<TestCounts, Error> {
    let built = build(project)?;
    let huffman = ("--huffman", program(&built, "example", "huffman")?);
    let rewrite = ("--rewrite", program(&built, "example", "rewrite")?);
    let examples = ("--examples", examples(&built)?);
    let questions = ("--questions", project.root.join("docs/tables.md"));
    let python = || tools::python(project, "interop/requirements.txt");
    let run = |folder, python, names: &[&str], option: &(&str, PathBuf)| {
        run_folder(project, &built, folder, python, names, option, &[])
    };
    let mut counts = run("interop/teeworlds", python(), &TEEWORLDS_TESTS, &huffman)?;
    counts = counts.and(run("interop/wireshark", wireshark(), &WIRESHARK_TESTS, &rewrite)?);
    counts = counts.and(run("interop/riptide", python(), &RIPTIDE_TESTS, &examples)?);
    counts = counts.and(run("interop/tables", python(), &TABLES_TESTS, &questions)?);
    // Without the packages the scenarios do not check JSON against the schemas.
    let (interpreter, unchecked) = match python() {
        Ok(python) => (python, TestCounts::default()),
        Err(reason) => ("python3".into(), TestCounts::skipped("schemas of JSON", &reason)),
    };
    counts = counts.and(unchecked);
    let suites = install_suites(project)?;
    for (folder, servers) in WITH_SERVERS {
        let missing = servers.iter().find_map(|(path, package)| tools::debian_file(path, package).err());
        let python = missing.map_or_else(|| Ok(interpreter.clone()), Err);
        let names = scenarios(project, Path::new("python3"), folder)?;
        counts = counts.and(run_scenarios(project, &built, folder, python, &names, &examples, &suites)?);
    }
    let browser = python().and_then(|python| tools::debian("chromium", "chromium").map(|()| python));
    // Without the packages the names are not known either.
    let names = match &browser {
        Ok(python) => scenarios(project, python, BROWSER)?,
        Err(_) => vec!["the page in a browser".to_owned()],
    };
    // Without it the scenarios of a fleet are skipped.
    let _ = tools::debian("nats-server", "nats-server");
    Ok(counts.and(run_scenarios(project, &built, BROWSER, browser, &names, &examples, &suites)?))
}

/// Returns the names of the scenarios of a folder.
fn scenarios(project: &Project, python: &Path, folder: &str) -> Result<Vec<String>, Error> {
    let mut list = Command::new(python);
    let names = run_quietly(list.current_dir(&project.root).args(["-B", folder, "--list"]))?;
    Ok(names.lines().map(str::to_owned).collect())
}

fn run_scenarios(
    project: &Project,
    built: &str,
    folder: &str,
    python: Result<PathBuf, String>,
    names: &[String],
    option: &(&str, PathBuf),
    environment: &[(String, String)],
) -> Result<TestCounts, Error> {
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    run_folder(project, built, folder, python, &names, option, environment)
}

/// Installs the servers of later suites. Returns the variables with their folder, and why a suite is missing.
fn install_suites(project: &Project) -> Result<Vec<(String, String)>, Error> {
    let folder = suites::folder(project)?.to_string_lossy().into_owned();
    let mut variables = vec![("GAMEWIRE_SUITES".to_owned(), folder)];
    for suite in LATER_SUITES {
        if let Err(reason) = suites::install(project, suite, &LATER_SERVERS) {
            let reason = reason.lines().last().unwrap_or_default().to_owned();
            variables.push((format!("GAMEWIRE_MISSING_{}", suite.to_uppercase()), reason));
        }
    }
    Ok(variables)
}

/// Runs the tests of a folder with an interpreter, or counts them as skipped for the reason why there is none.
fn run_folder(
    project: &Project,
    built: &str,
    folder: &str,
    python: Result<PathBuf, String>,
    names: &[&str],
    (option, path): &(&str, PathBuf),
    environment: &[(String, String)],
) -> Result<TestCounts, Error> {
    let python = match python {
        Ok(python) => python,
        Err(reason) => {
            let skipped = names.iter().map(|name| TestCounts::skipped(name, &reason));
            return Ok(skipped.fold(TestCounts::default(), TestCounts::and));
        }
    };
    let mut tests = Command::new(python);
    tests.current_dir(&project.root).args(["-B", folder]);
    tests.arg("--gamewire").arg(program(built, "bin", "gamewire")?).arg(option).arg(path);
    tests.envs(environment.iter().cloned());
    Ok(TestCounts::tests(&run_streaming(&mut tests)?))
}

/// Returns the interpreter for the tests against capinfos and tshark.
fn wireshark() -> Result<PathBuf, String> {
    // One package has both.
    tools::debian("tshark", "tshark").and_then(|()| tools::debian("capinfos", "tshark"))?;
    // Without them the test program reports a skipped test.
    for lua in ["lua5.2", "lua5.4"] {
        let _ = tools::debian_file(&format!("/usr/bin/{lua}"), lua);
    }
    Ok("python3".into())
}

/// Builds the command and the examples, and returns cargo's messages, one JSON object a line.
pub(crate) fn build(project: &Project) -> Result<String, Error> {
    let mut build = project.cargo();
    // The whole workspace with all features, so that the tests' builds are reused.
    build.args(["build", "--workspace", "--all-features", "--bin", "gamewire"]);
    build.args(["--example", "huffman", "--example", "rewrite"]);
    build.args([
        "--example",
        "greeter",
        "--example",
        "greeter_async",
        "--example",
        "ddnet_watcher",
        "--example",
        "riptide_echo",
    ]);
    for example in ["puppet", "bots", "settler", "recorder", "observer", "opponent", "random_play"] {
        build.args(["--example", &format!("freeciv_{example}")]);
    }
    run_quietly(build.args(["--message-format", "json-render-diagnostics"]))
}

/// Returns the folder of the built examples.
fn examples(built: &str) -> Result<PathBuf, Error> {
    let bot = program(built, "example", "greeter")?;
    Ok(bot.parent().unwrap_or_else(|| Path::new(".")).into())
}

/// Returns the path of a program that cargo built.
fn program(messages: &str, kind: &str, name: &str) -> Result<PathBuf, Error> {
    let built =
        messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).find(|message| {
            let target = &message["target"];
            target["name"] == name
                && list(target, "kind").any(|its| its == kind)
                && message["executable"].is_string()
        });
    let path = built.as_ref().and_then(|message| message["executable"].as_str());
    Ok(path.ok_or_else(|| format!("cargo built no {kind} {name}"))?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_kind_and_name() {
        let messages = r#"
            {"target": {"kind": ["lib"], "name": "gamewire"}, "executable": null}
            {"target": {"kind": ["bin"], "name": "gamewire"}, "executable": "target/gamewire"}
            some other line"#;
        assert_eq!(program(messages, "bin", "gamewire").unwrap(), PathBuf::from("target/gamewire"));
        assert!(program(messages, "example", "gamewire").is_err());
    }
}
