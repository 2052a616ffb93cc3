//! The `gamewire` command: one module per verb.
//!
//! Data is written to standard output, everything else to standard error. The exit code is 0 for success,
//! 1 for failure, 2 for wrong usage, and 3 for damaged input: a truncated capture, datagrams that cannot
//! be decoded.

#![forbid(unsafe_code)]

mod background_writer;
mod bottom;
mod compile;
mod config_file;
mod controls;
mod demo;
#[cfg(all(test, feature = "full"))]
mod documents;
mod driving;
mod duration;
mod exit_status;
mod fleet;
mod freeciv;
mod generated_help;
mod hints;
mod impairment;
mod info;
mod inspect;
mod interrupt;
mod join;
mod json_command;
mod log;
mod messages;
mod metrics;
mod output;
mod page;
mod play;
#[cfg_attr(not(unix), path = "prompt_stub.rs")]
mod prompt;
mod protocols;
mod proxy;
mod query;
mod record;
mod replay;
mod riptide;
mod serve;
mod stdin;
#[cfg_attr(not(feature = "tls"), path = "tls/absent.rs")]
mod tls;
mod url;
mod user_file;
mod wireshark;

use std::process::ExitCode;

use clap::{ArgAction, ColorChoice, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use self::config_file::Arguments;

/// Speaks, inspects and records the network protocols of real multiplayer games.
#[derive(Debug, Parser)]
#[command(name = "gamewire", version, disable_help_subcommand = true)]
struct Cli {
    /// When to use color; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    color: ColorChoice,
    /// Log connections and dropped datagrams on standard error; -vv: every datagram
    #[arg(short = 'v', global = true, action = ArgAction::Count)]
    verbosity: u8,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Demo(demo::Demo),
    Join(Box<join::Join>),
    Play(Box<play::Play>),
    Serve(serve::Serve),
    Proxy(Box<proxy::Proxy>),
    Replay(Box<replay::Replay>),
    Info(info::Info),
    Inspect(Box<inspect::Inspect>),
    Wireshark(wireshark::Wireshark),
    Compile(compile::Compile),
    Completions(generated_help::Completions),
    Man(generated_help::Man),
}

fn main() -> ExitCode {
    let mut command = join::help_by_protocol(Cli::command(), std::env::args_os());
    let arguments = match Arguments::with_config(&command, std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(failure) => return failure.report(),
    };
    let matches = match command.try_get_matches_from_mut(&arguments.all) {
        Ok(matches) => matches,
        Err(error) => match arguments.failure(&error) {
            Some(failure) => return failure.report(),
            None => hints::add_hint(error, &mut command, arguments.all).exit(),
        },
    };
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let color = match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    color.write_global();
    log::start(cli.verbosity);
    let result = match cli.verb {
        Verb::Demo(verb) => verb.run(),
        Verb::Join(verb) => verb.run(matches.subcommand().map_or(&matches, |(_, matches)| matches)),
        Verb::Play(verb) => verb.run(),
        Verb::Serve(verb) => verb.run(),
        Verb::Proxy(verb) => verb.run(),
        Verb::Replay(verb) => verb.run(),
        Verb::Info(verb) => verb.run(),
        Verb::Inspect(verb) => verb.run(),
        Verb::Wireshark(verb) => verb.run(),
        Verb::Compile(verb) => verb.run(),
        Verb::Completions(verb) => verb.run(),
        Verb::Man(verb) => verb.run(),
    };
    match result {
        Ok(end) => end.code(),
        Err(failure) => failure.report(),
    }
}
