//! The file of `serve riptide --config`: options in TOML, under the names of their flags.

use std::any::TypeId;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Command, Error};
use toml::de::{DeTable, DeValue};

use crate::exit_status::Failure;
use crate::user_file::{name_of, read_text};

/// The verb that has `--config`.
const VERB: [&str; 2] = ["serve", "riptide"];
/// Maximum size of the file in bytes.
const MAX_SIZE: u64 = 1 << 20;
/// Name of the option for the file, which cannot be in the file.
const OPTION: &str = "config";

/// The arguments of the program, and the arguments in its configuration file.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) all: Vec<OsString>,
    /// The path of the file, escaped.
    file: String,
    /// The options of the file with their lines.
    lines: Vec<(String, usize)>,
}

impl Arguments {
    /// Adds the options of the file that `--config` names to `all`, except those that `all` has.
    ///
    /// # Errors
    /// [`Failure::Usage`] for an option that the verb does not have, and for a value of the wrong type.
    pub(crate) fn with_config(command: &Command, all: Vec<OsString>) -> Result<Self, Failure> {
        let mut arguments = Self { all, file: String::new(), lines: Vec::new() };
        let [verb, kind] = VERB;
        let is_start = |pair: &[OsString]| matches!(pair, [first, second] if first == verb && second == kind);
        let start = arguments.all.windows(VERB.len()).position(is_start);
        let options = command.find_subcommand(verb).and_then(|command| command.find_subcommand(kind));
        let (Some(start), Some(options)) = (start, options) else { return Ok(arguments) };
        let (before, given) = arguments.all.split_at(start.saturating_add(VERB.len()));
        let Some(path) = value_of(given, OPTION) else { return Ok(arguments) };
        arguments.file = name_of(&path).to_string();
        let text = read_text(&path, MAX_SIZE, Failure::Usage)?;
        let added = arguments.added(options, given, &text)?;
        arguments.lines = added.iter().map(|(name, line, _)| (name.clone(), *line)).collect();
        let added = added.into_iter().flat_map(|(_, _, arguments)| arguments).map(OsString::from);
        arguments.all = before.iter().cloned().chain(added).chain(given.iter().cloned()).collect();
        Ok(arguments)
    }

    /// Returns the failure for an error about an option of the file; `None` for other errors.
    pub(crate) fn failure(&self, error: &Error) -> Option<Failure> {
        let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return None };
        let name = flag.split([' ', '=']).next()?.strip_prefix("--")?;
        let (_, line) = self.lines.iter().find(|(found, _)| found == name)?;
        let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else { return None };
        let advice = match (error.source(), error.get(ContextKind::ValidValue)) {
            (Some(cause), _) => cause.to_string(),
            (None, Some(ContextValue::Strings(values))) => format!("use {}", values.join(" or ")),
            (None, _) => format!("see gamewire {} --help", VERB.join(" ")),
        };
        Some(self.wrong(*line, &format!("invalid {name} {value:?}: {advice}")))
    }

    /// Returns the options of the file that are not among `given`: name, line and arguments, in the order of the lines.
    fn added(
        &self,
        options: &Command,
        given: &[OsString],
        text: &str,
    ) -> Result<Vec<(String, usize, Vec<String>)>, Failure> {
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, &span));
            self.wrong(line, &error.message().lines().collect::<Vec<_>>().join(", "))
        })?;
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut added = Vec::new();
        for (key, value) in entries {
            let (name, line) = (key.get_ref().as_ref(), line_of(text, &key.span()));
            let option = options.get_arguments().find(|option| is_setting(option, name));
            let option = option.ok_or_else(|| self.wrong(line, &unknown(options, name)))?;
            let arguments = arguments_of(option, name, value.get_ref())
                .map_err(|expected| self.wrong(line, &format!("invalid {name}: expected {expected}")))?;
            if !names(option).any(|name| is_given(given, &name)) {
                added.push((name.to_owned(), line, arguments));
            }
        }
        Ok(added)
    }

    fn wrong(&self, line: usize, message: &str) -> Failure {
        Failure::Usage(format!("cannot use {}: line {line}: {message}", self.file))
    }
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    let before = text.as_bytes().get(..span.start).unwrap_or_default();
    before.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1)
}

/// Returns the value of an option; `None` if the option or its value is missing.
fn value_of(given: &[OsString], name: &str) -> Option<PathBuf> {
    let flag = format!("--{name}");
    let mut given = given.iter().take_while(|argument| *argument != "--");
    while let Some(argument) = given.next() {
        if argument == flag.as_str() {
            return given.next().map(PathBuf::from);
        }
        let value = argument.to_str().and_then(|text| text.strip_prefix(&flag)?.strip_prefix('='));
        if let Some(value) = value {
            return Some(PathBuf::from(value));
        }
    }
    None
}

/// Returns the flags of an option: `--name`, its aliases, and `-n`.
fn names(option: &Arg) -> impl Iterator<Item = String> {
    let long = option.get_long().into_iter().chain(option.get_all_aliases().unwrap_or_default());
    let long: Vec<_> = long.map(|name| format!("--{name}")).collect();
    long.into_iter().chain(option.get_short().map(|short| format!("-{short}")))
}

fn is_given(given: &[OsString], flag: &str) -> bool {
    given.iter().take_while(|argument| *argument != "--").filter_map(|argument| argument.to_str()).any(
        |argument| argument.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')),
    )
}

/// Returns whether `name` is the name of an option that the file may have.
fn is_setting(option: &Arg, name: &str) -> bool {
    let is_action = matches!(option.get_action(), ArgAction::Set | ArgAction::SetTrue | ArgAction::Append);
    option.get_long() == Some(name) && name != OPTION && is_action
}

/// Returns the error message for a name that is not an option.
fn unknown(options: &Command, name: &str) -> String {
    let advice = match similar(options, name) {
        Some(similar) => format!("use {similar}"),
        None => format!("gamewire {} --help lists the options", VERB.join(" ")),
    };
    format!("unknown option {name:?}; {advice}")
}

/// Returns the name of an option that is like `name`.
fn similar(options: &Command, name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let flag = format!("--{name}");
    let is_known = |option: &&Arg| names(option).any(|name| name == flag);
    if let Some(option) = options.get_arguments().find(is_known) {
        return option.get_long().filter(|name| is_setting(option, name)).map(str::to_owned);
    }
    // The library suggests the most similar flag.
    let error = options.clone().try_get_matches_from([OsStr::new(""), OsStr::new(&flag)]).err()?;
    let Some(ContextValue::String(suggested)) = error.get(ContextKind::SuggestedArg) else { return None };
    let suggested = suggested.strip_prefix("--")?;
    let option = options.get_arguments().find(|option| is_setting(option, suggested));
    option.map(|_| suggested.to_owned())
}

/// Returns the arguments for a value of the file. `Err` is the expected type.
fn arguments_of(option: &Arg, name: &str, value: &DeValue<'_>) -> Result<Vec<String>, &'static str> {
    let with_value = |value: &str| format!("--{name}={value}");
    let is_number = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()]
        .iter()
        .any(|number| option.get_value_parser().type_id() == *number);
    match (option.get_action(), value) {
        (ArgAction::SetTrue, DeValue::Boolean(is)) => {
            Ok(if *is { vec![format!("--{name}")] } else { Vec::new() })
        }
        (ArgAction::SetTrue, _) => Err("true or false"),
        (ArgAction::Append, DeValue::Array(values)) => values
            .iter()
            .map(|value| value.get_ref().as_str().map(with_value))
            .collect::<Option<_>>()
            .ok_or("texts in quotes between [ and ]"),
        (_, DeValue::Integer(number)) if number.radix() == 10 => Ok(vec![with_value(number.as_str())]),
        _ if is_number => Err("a whole number without quotes"),
        (_, DeValue::Float(number)) => Ok(vec![with_value(number.as_str())]),
        (_, DeValue::String(text)) => Ok(vec![with_value(text)]),
        (ArgAction::Append, _) => Err("texts in quotes between [ and ]"),
        _ => Err("a text in quotes"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    /// Returns the arguments for a file, without the program, the verb and `--config`.
    fn arguments(text: &str, given: &[&str]) -> Result<Vec<String>, String> {
        let command = crate::Cli::command();
        let options = command.find_subcommand("serve").unwrap().find_subcommand("riptide").unwrap();
        let arguments = Arguments { all: Vec::new(), file: "game.toml".into(), lines: Vec::new() };
        let given: Vec<_> = given.iter().map(OsString::from).collect();
        match arguments.added(options, &given, text) {
            Ok(added) => Ok(added.into_iter().flat_map(|(_, _, arguments)| arguments).collect()),
            Err(Failure::Usage(error)) => Err(error),
            Err(error) => panic!("{error:?}"),
        }
    }

    #[test]
    fn options_of_the_file_become_arguments_unless_they_are_given() {
        let text = r#"
            listen = "127.0.0.1:0" # a comment
            max-clients = 20
            relay = "1,5"
            echo = true
            json = false
            ws = ":0"
            ws-origin = ["https://a.example", "https://b.example"]
            metrics = 9100
            duration = 1.5
        "#;
        let all = [
            "--listen=127.0.0.1:0",
            "--max-clients=20",
            "--relay=1,5",
            "--echo",
            "--ws=:0",
            "--ws-origin=https://a.example",
            "--ws-origin=https://b.example",
            "--metrics=9100",
            "--duration=1.5",
        ];
        assert_eq!(arguments(text, &[]).unwrap(), all);
        let given =
            ["--bind", ":1", "--max-clients=30", "--relay", "7", "--echo", "--ws-origin", "any", "--for=1s"];
        assert_eq!(arguments(text, &given).unwrap(), ["--ws=:0", "--metrics=9100"]);
        assert_eq!(arguments("quiet = true", &["-q"]).unwrap(), [""; 0]);
    }

    #[test]
    fn unknown_names_and_wrong_types_are_refused_with_their_line() {
        for (line, error) in [
            ("max-client = 5", "unknown option \"max-client\"; use max-clients"),
            ("max_clients = 5", "unknown option \"max_clients\"; use max-clients"),
            ("bind = \":1\"", "unknown option \"bind\"; use listen"),
            ("zzz = 1", "unknown option \"zzz\"; gamewire serve riptide --help lists the options"),
            ("config = \"a\"", "unknown option \"config\"; gamewire serve riptide --help lists the options"),
            ("help = true", "unknown option \"help\"; gamewire serve riptide --help lists the options"),
            ("max-clients = \"5\"", "invalid max-clients: expected a whole number without quotes"),
            ("echo = 1", "invalid echo: expected true or false"),
            ("listen = true", "invalid listen: expected a text in quotes"),
            ("ws-origin = [1]", "invalid ws-origin: expected texts in quotes between [ and ]"),
            ("[relay]", "invalid relay: expected a text in quotes"),
        ] {
            let text = format!("strict = true\n\n{line}\n");
            assert_eq!(
                arguments(&text, &[]),
                Err(format!("cannot use game.toml: line 3: {error}")),
                "{line}"
            );
        }
        let error = arguments("strict = true\nlisten = \n", &[]).unwrap_err();
        assert!(error.starts_with("cannot use game.toml: line 2: "), "{error}");
    }

    #[test]
    fn the_file_is_the_one_after_the_option() {
        let value = |given: &[&str]| value_of(&given.iter().map(OsString::from).collect::<Vec<_>>(), OPTION);
        assert_eq!(value(&["--json", "--config", "a.toml"]), Some("a.toml".into()));
        assert_eq!(value(&["--config=a.toml"]), Some("a.toml".into()));
        for given in [&["--config"][..], &["--configure=a"], &["--", "--config", "a"], &[]] {
            assert_eq!(value(given), None, "{given:?}");
        }
    }
}
