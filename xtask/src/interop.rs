//! Runs the tests against other programs, in `interop/`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::Error;
use crate::command::{run_prefixed, run_quietly};
use crate::counts::TestCounts;
use crate::project::{Project, list};
use crate::steps::Extent;
use crate::suites;
use crate::tools;

/// Tests in `interop/teeworlds`. They count as skipped if they cannot run.
const TEEWORLDS_TESTS: [&str; 3] = [
    "twnet_parser agrees on every message",
    "libtw2-huffman agrees both ways",
    "integers and huffman agree with the npm package",
];

/// Path of a game server, and the Debian package that contains it.
type Server = (&'static str, &'static str);

const TEEWORLDS: Server = ("/usr/games/teeworlds-server", "teeworlds-server");
const DDNET: Server = ("/usr/games/DDNet-Server", "ddnet-server");
const FREECIV: Server = ("/usr/games/freeciv-server", "freeciv-server");

/// Debian's later suites. The scenarios of `interop/live` and `interop/freeciv` also run with the servers of these
/// suites.
const LATER_SUITES: [&str; 2] = ["trixie", "sid"];
/// Servers of the later suites, and the packages that contain them.
const LATER_SERVERS: [Server; 2] =
    [("usr/games/DDNet-Server", "ddnet-server"), ("usr/games/freeciv-server", "freeciv-server")];

/// Folders whose scenarios need game servers.
const WITH_SERVERS: [(&str, &[Server]); 3] = [
    ("interop/freeciv", &[FREECIV]),
    ("interop/live", &[TEEWORLDS, DDNET]),
    ("interop/readme", &[TEEWORLDS, FREECIV]),
];

/// Scenarios of `interop/riptide`. They count as skipped if they cannot run.
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

/// Tests in `interop/wireshark`. They count as skipped if they cannot run.
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

/// Tests in `interop/tables`. They count as skipped if they cannot run.
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

/// Tests in `interop/unity`. They count as skipped if they cannot run.
const UNITY_TESTS: [&str; 18] = [
    "package::frames_of_web_sockets",
    "package::upgrades_of_web_sockets",
    "package::rooms_over_web_sockets",
    "package::ordered_and_large_messages",
    "package::primitives_of_the_record_layer",
    "package::records_and_their_attacks",
    "package::rooms_over_encrypted_udp",
    "package::each_file_has_its_meta_file",
    "package::the_manifest_and_assemblies_are_valid",
    "at_ours::echoes_over_web_sockets",
    "at_ours::ordered_and_large_messages",
    "at_ours::rooms_with_tokens_bans_chat_and_positions",
    "encrypted::a_csharp_client_keeps_its_session_at_our_server",
    "encrypted::a_client_of_ours_keeps_its_session_at_a_csharp_server",
    "encrypted::replayed_altered_and_guessed_records_change_nothing",
    "encrypted::a_wrong_key_is_named",
    "generated::classes_are_read_by_our_server_and_read_what_it_returns",
    "plain_game::a_game_without_the_package_plays_next_to_encrypted_and_websocket_players",
];

/// The folder whose scenarios need a browser.
const BROWSER: &str = "interop/browser";

/// Number of folders that run at the same time, because most scenarios wait for servers.
const FOLDERS_AT_ONCE: usize = 3;

/// The examples of the workspace that the scenarios run.
const EXAMPLES: [&str; 23] = [
    "deathmatch_bot",
    "map_check",
    "prediction_error",
    "race_bot",
    "race_map",
    "tee_check",
    "tee_record",
    "tile_room",
    "codec",
    "rewrite",
    "greeter",
    "greeter_async",
    "ddnet_watcher",
    "riptide_echo",
    "riptide_ordered_echo",
    "riptide_rooms",
    "freeciv_puppet",
    "freeciv_bots",
    "freeciv_settler",
    "freeciv_recorder",
    "freeciv_observer",
    "freeciv_opponent",
    "freeciv_random_play",
];

/// The tests of a folder, and how to run them.
struct Folder {
    path: &'static str,
    /// The interpreter, or the reason why there is none.
    python: Result<PathBuf, String>,
    /// Names of the tests. They count as skipped if there is no interpreter.
    names: Vec<String>,
    /// A further option with a path.
    option: (&'static str, PathBuf),
}

/// Runs the tests against other decoders, Wireshark's tools and the real servers.
pub(crate) fn run(project: &Project, extent: Extent) -> Result<TestCounts, Error> {
    let long = extent == Extent::Long;
    // Other programs are installed while the workspace is built.
    let (built, installed) = std::thread::scope(|scope| {
        let built = scope.spawn(|| build(project).map_err(|error| error.to_string()));
        let installed = install(project);
        (built.join().unwrap_or_else(|_| Err("the build panicked".into())), installed)
    });
    let built = built?;
    let Installed { python, wireshark, mono, servers, browser, variables } = installed?;
    let questions = project.root.join("docs/tables.md");
    let examples = || examples(&built).map(|folder| ("--examples", folder));
    let fixed = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    // Without the Python packages, the scenarios do not check JSON against the schemas.
    let (interpreter, unchecked) = match &python {
        Ok(python) => (python.clone(), TestCounts::default()),
        Err(reason) => ("python3".into(), TestCounts::skipped("schemas of JSON", reason)),
    };
    // Without the Python packages, the names of the scenarios are unknown.
    let in_browser = match &browser {
        Ok(python) => scenarios(project, python, BROWSER, long)?,
        Err(_) => vec!["the page in a browser".to_owned()],
    };
    // Start with the folders that take longest.
    let mut folders = vec![Folder { path: BROWSER, python: browser, names: in_browser, option: examples()? }];
    for ((path, _), missing) in WITH_SERVERS.into_iter().zip(servers) {
        let names = scenarios(project, Path::new("python3"), path, long)?;
        let python = missing.map_or_else(|| Ok(interpreter.clone()), Err);
        folders.push(Folder { path, python, names, option: examples()? });
    }
    let rewrite = ("--rewrite", program(&built, "example", "rewrite")?);
    let codec = ("--codec", program(&built, "example", "codec")?);
    let option = ("--questions", questions);
    let more = [
        ("interop/riptide", python.clone(), fixed(&RIPTIDE_TESTS), examples()?),
        ("interop/wireshark", wireshark, fixed(&WIRESHARK_TESTS), rewrite),
        ("interop/tables", python.clone(), fixed(&TABLES_TESTS), option),
        ("interop/unity", mono, fixed(&UNITY_TESTS), examples()?),
        ("interop/teeworlds", python, fixed(&TEEWORLDS_TESTS), codec),
    ];
    folders.extend(more.map(|(path, python, names, option)| Folder { path, python, names, option }));
    let gamewire = program(&built, "bin", "gamewire")?;
    let counts = run_folders(project, &gamewire, folders, &variables, long)?;
    Ok(unchecked.and(counts))
}

/// The installed programs. A missing program has the reason why it is missing.
struct Installed {
    python: Result<PathBuf, String>,
    wireshark: Result<PathBuf, String>,
    /// The interpreter for the tests of the C# package.
    mono: Result<PathBuf, String>,
    /// For each folder of [`WITH_SERVERS`], the reason why a server is missing.
    servers: Vec<Option<String>>,
    browser: Result<PathBuf, String>,
    /// Environment variables for the tests.
    variables: Vec<(String, String)>,
}

fn install(project: &Project) -> Result<Installed, Error> {
    let python = tools::python(project, "interop/requirements.txt");
    let missing = |(_, servers): &(&str, &[Server])| {
        servers.iter().find_map(|(path, package)| tools::debian_file(path, package).err())
    };
    let servers = WITH_SERVERS.iter().map(missing).collect();
    let browser = python.clone().and_then(|python| tools::debian("chromium", "chromium").map(|()| python));
    // Without it, its scenarios are skipped.
    let _ = tools::debian_file("/usr/bin/firefox-esr", "firefox-esr");
    // Without this server, the scenarios of a fleet are skipped.
    let _ = tools::debian("nats-server", "nats-server");
    // Without its package, the test against JavaScript is skipped.
    let _ = tools::npm(&project.root.join("interop/teeworlds/javascript"));
    let mono = tools::debian("mcs", "mono-mcs").and_then(|()| tools::debian("mono", "mono-runtime"));
    let mono = mono.map(|()| "python3".into());
    Ok(Installed {
        wireshark: wireshark(),
        mono,
        servers,
        browser,
        python,
        variables: install_suites(project)?,
    })
}

/// Returns the names of the scenarios of a folder.
fn scenarios(project: &Project, python: &Path, folder: &str, long: bool) -> Result<Vec<String>, Error> {
    let mut list = Command::new(python);
    list.current_dir(&project.root).args(["-B", folder, "--list"]).args(long.then_some("--long"));
    Ok(run_quietly(&mut list)?.lines().map(str::to_owned).collect())
}

/// Installs the servers of later suites. Returns environment variables with their folder, and the reason why a suite
/// is missing.
pub(crate) fn install_suites(project: &Project) -> Result<Vec<(String, String)>, Error> {
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

/// Runs the tests of all folders, several folders at a time.
fn run_folders(
    project: &Project,
    gamewire: &Path,
    folders: Vec<Folder>,
    variables: &[(String, String)],
    long: bool,
) -> Result<TestCounts, Error> {
    let waiting = Mutex::new(folders.into_iter());
    let done = Mutex::new(Vec::new());
    let work = || {
        let next = || waiting.lock().ok()?.next();
        while let Some(folder) = next() {
            let counts = run_folder(project, gamewire, &folder, variables, long);
            let counts = counts.map_err(|error| format!("{}: {error}", folder.path));
            done.lock().unwrap_or_else(PoisonError::into_inner).push(counts);
        }
    };
    // The scope passes on the panic of a thread.
    std::thread::scope(|scope| (0..FOLDERS_AT_ONCE).for_each(|_| drop(scope.spawn(work))));
    let mut all = TestCounts::default();
    for counts in done.into_inner().unwrap_or_else(PoisonError::into_inner) {
        all = all.and(counts?);
    }
    Ok(all)
}

/// Runs the tests of a folder, or counts them as skipped if there is no interpreter.
fn run_folder(
    project: &Project,
    gamewire: &Path,
    folder: &Folder,
    variables: &[(String, String)],
    long: bool,
) -> Result<TestCounts, Error> {
    let python = match &folder.python {
        Ok(python) => python,
        Err(reason) => {
            let skipped = folder.names.iter().map(|name| TestCounts::skipped(name, reason));
            return Ok(skipped.fold(TestCounts::default(), TestCounts::and));
        }
    };
    let (option, path) = &folder.option;
    let mut tests = Command::new(python);
    tests.current_dir(&project.root).args(["-B", folder.path]);
    tests.arg("--gamewire").arg(gamewire).arg(option).arg(path);
    // The other folders have no long tests.
    let takes_long = folder.option.0 == "--examples";
    tests.args((long && takes_long).then_some("--long")).envs(variables.iter().cloned());
    let name = folder.path.trim_start_matches("interop/");
    Ok(TestCounts::tests(&run_prefixed(&mut tests, &format!("{name}: "))?))
}

/// Returns the interpreter for the tests against capinfos and tshark.
fn wireshark() -> Result<PathBuf, String> {
    // One package contains both.
    tools::debian("tshark", "tshark").and_then(|()| tools::debian("capinfos", "tshark"))?;
    // Without Lua, the test program reports a skipped test.
    for lua in ["lua5.2", "lua5.4"] {
        let _ = tools::debian_file(&format!("/usr/bin/{lua}"), lua);
    }
    Ok("python3".into())
}

/// Builds the command and the examples. Returns cargo's messages, one JSON object per line.
pub(crate) fn build(project: &Project) -> Result<String, Error> {
    let mut build = project.cargo();
    // Build the whole workspace with all features, so that the builds of the tests are reused.
    build.args(["build", "--workspace", "--all-features", "--bin", "gamewire"]);
    build.args(EXAMPLES.iter().flat_map(|example| ["--example", example]));
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
