//! `cargo xtask fuzz`: runs every fuzz target for a while and keeps the inputs that it found.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use crate::Error;
use crate::command::{run_quietly, run_streaming};
use crate::project::Project;
use crate::tools;

/// Release of cargo-fuzz that is installed if there is none.
const VERSION: &str = "0.13.2";
/// Minimum inputs per second. The report marks slower targets, because they find little.
const MIN_INPUTS_PER_SECOND: u64 = 2_000;
/// Flags for libFuzzer's own code. The `cc` crate passes the address sanitizer on to C++, which slows down the loop
/// over the coverage counters after each input.
const CXX_FLAGS: &str = "-fno-sanitize=address";
/// Limits of the seconds per input and of the megabytes of a target. Three features are off, because they are slow and
/// find nothing here: entropic scheduling (slow with thousands of edges per input), names of new functions (libFuzzer
/// starts a symbolizer for them), and the search for leaks (safe code hardly has any).
const OPTIONS: [&str; 6] = [
    "-timeout=10",
    "-rss_limit_mb=2048",
    "-entropic=0",
    "-print_funcs=0",
    "-detect_leaks=0",
    "-print_final_stats=1",
];
/// Options of the address sanitizer: store no stack traces of allocations, and delay the reuse of little freed memory.
const SANITIZER_OPTIONS: &str = "malloc_context_size=0:quarantine_size_mb=8";

/// The result of one target.
struct Report {
    target: String,
    inputs: u64,
    inputs_per_second: u64,
    /// Number of inputs in the minimized corpus.
    corpus: usize,
    /// Files of the inputs that made the target fail.
    findings: Vec<PathBuf>,
}

/// Runs all targets for `minutes` in total, as many at a time as there are processors, and minimizes their corpora.
///
/// New inputs go to `target/fuzz/corpus`, where the next run starts. `fuzz/corpus` is only read. It contains the
/// inputs that `cargo test` runs, including inputs that made a target fail in the past.
///
/// # Errors
/// If there is no nightly toolchain or no cargo-fuzz, or if the targets do not build.
pub(crate) fn run(project: &Project, minutes: u64) -> Result<bool, Error> {
    let folder = project.target()?.join("fuzz");
    let binaries = build(project, &folder)?;
    let targets = targets(project)?;
    let jobs = thread::available_parallelism().map_or(1, usize::from).min(targets.len().max(1));
    let total = minutes.saturating_mul(60).saturating_mul(u64::try_from(jobs)?);
    let seconds = total.checked_div(u64::try_from(targets.len())?).unwrap_or_default().max(1);
    println!("{} targets, {seconds} s each, {jobs} at a time", targets.len());

    let (queue, reports) = (Mutex::new(targets.into_iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(target) = queue.lock().ok().and_then(|mut queue| queue.next()) {
                    let report = fuzz(project, &folder, &binaries, &target, seconds);
                    let Ok(mut reports) = reports.lock() else { return };
                    reports.push(report.map_err(|error| format!("{target}: {error}")));
                }
            });
        }
    });
    print_reports(reports.into_inner().unwrap_or_default())
}

/// Builds all targets with the address sanitizer. Returns the folder of the programs.
fn build(project: &Project, folder: &Path) -> Result<PathBuf, Error> {
    let version = run_quietly(Command::new("rustc").arg("-vV").env("RUSTUP_TOOLCHAIN", "nightly"))
        .map_err(|_| "no nightly toolchain: run `rustup toolchain install nightly`")?;
    let host =
        version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc -vV names no host")?;
    tools::debian("c++", "g++")?;
    let cargo_fuzz = tools::cargo("cargo-fuzz", VERSION, &project.target()?.join("tools"))?;
    let mut build = Command::new(cargo_fuzz);
    build.current_dir(&project.root).env("RUSTUP_TOOLCHAIN", "nightly").env("CXXFLAGS", CXX_FLAGS);
    build.args(["fuzz", "build", "--release", "--target-dir"]).arg(folder);
    if !run_streaming(&mut build)?.success {
        return Err("the fuzz targets do not build".into());
    }
    Ok(folder.join(host).join("release"))
}

/// Returns the names of all targets.
fn targets(project: &Project) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(project.root.join("fuzz/fuzz_targets"))? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// Runs one target, then reduces its corpus to the fewest inputs with the same coverage.
fn fuzz(
    project: &Project,
    folder: &Path,
    binaries: &Path,
    target: &str,
    seconds: u64,
) -> Result<Report, Error> {
    let corpus = folder.join("corpus").join(target);
    let findings = folder.join("findings").join(target);
    let seeds = project.root.join("fuzz/corpus").join(target);
    for folder in [&corpus, &findings] {
        std::fs::create_dir_all(folder)?;
    }
    let program = binaries.join(target);
    let mut run = Command::new(&program);
    run.current_dir(&project.root)
        .env("ASAN_OPTIONS", SANITIZER_OPTIONS)
        .args(OPTIONS)
        .arg(format!("-max_total_time={seconds}"));
    run.arg(format!("-artifact_prefix={}/", findings.display())).arg(&corpus);
    if seeds.is_dir() {
        run.arg(&seeds);
    }
    let output = run.stdin(Stdio::null()).output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    let statistic = |name: &str| {
        let line =
            log.lines().find_map(|line| line.strip_prefix("stat::")?.strip_prefix(name)?.strip_prefix(':'));
        line.and_then(|value| value.trim().parse().ok())
    };
    let found = files(&findings)?;
    if !output.status.success() && found.is_empty() {
        return Err(format!("failed to run:\n{log}").into());
    }
    minimize(&program, &corpus)?;
    Ok(Report {
        target: target.into(),
        inputs: statistic("number_of_executed_units").unwrap_or_default(),
        inputs_per_second: statistic("average_exec_per_sec").unwrap_or_default(),
        corpus: files(&corpus)?.len(),
        findings: found,
    })
}

fn minimize(program: &Path, corpus: &Path) -> Result<(), Error> {
    let merged = corpus.with_extension("merged");
    if merged.exists() {
        std::fs::remove_dir_all(&merged)?;
    }
    std::fs::create_dir_all(&merged)?;
    run_quietly(Command::new(program).args(["-merge=1", "-rss_limit_mb=2048"]).arg(&merged).arg(corpus))?;
    std::fs::remove_dir_all(corpus)?;
    Ok(std::fs::rename(merged, corpus)?)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    paths.collect()
}

/// Prints a line for each target. Returns whether no target found a failure.
fn print_reports(mut reports: Vec<Result<Report, String>>) -> Result<bool, Error> {
    reports.sort_by(|one, other| name(one).cmp(name(other)));
    println!("{:<18} {:>12} {:>10} {:>8} {:>8}", "target", "inputs", "a second", "corpus", "findings");
    let mut success = true;
    for report in &reports {
        match report {
            Ok(Report { target, inputs, inputs_per_second, corpus, findings }) => {
                let note = if *inputs_per_second < MIN_INPUTS_PER_SECOND { "  slow" } else { "" };
                let count = findings.len();
                println!("{target:<18} {inputs:>12} {inputs_per_second:>10} {corpus:>8} {count:>8}{note}");
                findings.iter().for_each(|file| println!("  {}", file.display()));
                success &= findings.is_empty();
            }
            Err(error) => {
                println!("{error}");
                success = false;
            }
        }
    }
    Ok(success)
}

fn name(report: &Result<Report, String>) -> &str {
    match report {
        Ok(report) => &report.target,
        Err(error) => error,
    }
}
