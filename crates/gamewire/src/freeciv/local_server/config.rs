use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::LocalServerError;

/// The configuration of a [`LocalServer`](super::LocalServer). The default is a game of the server's default rules that
/// waits for players.
#[derive(Clone, Debug)]
pub struct LocalServerConfig {
    /// The program. By default, freeciv-server is looked for on PATH, in /usr/games and in /usr/local/bin.
    pub program: Option<PathBuf>,
    /// Name of the ruleset, such as `classic` or `civ2civ3`.
    pub ruleset: Option<String>,
    /// A saved game or a scenario to load. Settings of this configuration are set after it.
    pub load: Option<PathBuf>,
    /// Seed of the map. Equal seeds and settings give equal maps. 0 is random.
    pub map_seed: Option<u32>,
    /// Seed of the game. Equal seeds and equal actions give equal games. 0 is random.
    pub game_seed: Option<u32>,
    /// Size of the map in 1,000 tiles.
    pub size: Option<u32>,
    /// Number of players that the server's AI controls: those that are missing to this number.
    pub ai_fill: Option<u32>,
    /// Level of the server's AI, such as `novice`, `easy` or `hard`.
    pub ai_level: Option<String>,
    /// Last turn of the game.
    pub end_turn: Option<u32>,
    /// Seconds per turn; 0 for no limit.
    pub turn_seconds: u32,
    /// Maximum number of connections from one address; 0 without a limit.
    pub max_connections_per_host: u32,
    /// Further settings by name. They are set in this order, after the others.
    pub settings: Vec<(String, String)>,
    /// Maximum time until the server accepts connections.
    pub start_timeout: Duration,
    /// The folder in which the server's folder is created. The default is the folder of temporary files.
    pub parent_folder: Option<PathBuf>,
}

impl Default for LocalServerConfig {
    fn default() -> Self {
        Self {
            program: None,
            ruleset: None,
            load: None,
            map_seed: None,
            game_seed: None,
            size: None,
            ai_fill: None,
            ai_level: None,
            end_turn: None,
            turn_seconds: 0,
            max_connections_per_host: 0,
            settings: Vec::new(),
            start_timeout: Duration::from_secs(30),
            parent_folder: None,
        }
    }
}

impl LocalServerConfig {
    /// The script of the settings, in the server's folder.
    pub(super) const SCRIPT: &str = "settings.serv";

    /// Returns the commands that the server executes at its start.
    pub(super) fn script(&self) -> Result<String, LocalServerError> {
        let numbers = [
            ("mapseed", self.map_seed),
            ("gameseed", self.game_seed),
            ("size", self.size),
            ("aifill", self.ai_fill),
            ("endturn", self.end_turn),
            ("timeout", Some(self.turn_seconds)),
            ("maxconnectionsperhost", Some(self.max_connections_per_host)),
        ];
        let numbers = numbers.into_iter().filter_map(|(name, number)| Some((name, number?.to_string())));
        // The size of the map is used only if the server computes the map from it.
        let by_size = self.size.map(|_| ("mapsize", "FULLSIZE".to_owned()));
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let mut script = String::new();
        if let Some(level) = &self.ai_level {
            let level = one_line("the level of the AI", level)?;
            _ = writeln!(script, "{level}");
        }
        for (name, value) in by_size.into_iter().chain(numbers).chain(given) {
            _ = writeln!(script, "set {} {}", one_line(name, name)?, one_line(name, &value)?);
        }
        Ok(script)
    }

    /// Returns the file to load, and the name of its copy. The server chooses the compression by the end of the name.
    pub(super) fn loaded(&self) -> Option<(&Path, &OsStr)> {
        let path = self.load.as_deref()?;
        Some((path, path.file_name()?))
    }

    /// Returns the arguments of the program.
    pub(super) fn arguments(&self, port: u16, folder: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = ["-b", "127.0.0.1", "-A", "none", "-p"].map(OsString::from).into();
        arguments.push(port.to_string().into());
        arguments.push("-s".into());
        arguments.push(folder.join("saves").into());
        if let Some(ruleset) = &self.ruleset {
            arguments.extend(["--ruleset".into(), ruleset.into()]);
        }
        if let Some((_, name)) = self.loaded() {
            arguments.extend(["-f".into(), folder.join(name).into()]);
        }
        arguments.push("-r".into());
        arguments.push(folder.join(Self::SCRIPT).into());
        arguments
    }
}

/// Returns a value that fits in one line of the script.
fn one_line<'a>(name: &str, value: &'a str) -> Result<&'a str, LocalServerError> {
    if value.contains(['\n', '\r']) {
        return Err(LocalServerError::Setting { name: name.escape_default().to_string() });
    }
    Ok(value)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn the_script_sets_what_the_configuration_names() {
        let config = LocalServerConfig {
            map_seed: Some(7),
            size: Some(1),
            ai_level: Some("novice".into()),
            settings: vec![("phasemode".into(), "PLAYER".into())],
            ..LocalServerConfig::default()
        };
        let expected = "novice\nset mapsize FULLSIZE\nset mapseed 7\nset size 1\nset timeout 0\n\
                        set maxconnectionsperhost 0\nset phasemode PLAYER\n";
        assert_eq!(config.script().unwrap(), expected);
    }

    #[test]
    fn a_setting_cannot_bring_in_another_command() {
        let settings = vec![("timeout".to_owned(), "0\nquit".to_owned())];
        let config = LocalServerConfig { settings, ..LocalServerConfig::default() };
        let error = config.script().unwrap_err();
        assert_eq!(error.to_string(), "the setting timeout has a line break in its value");
    }
}
