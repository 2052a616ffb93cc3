//! Text form of an answer.

use std::io::{self, Write};

use gamewire_inspect::render::Escaped;
use gamewire_teeworlds::browse::InfoFormat;
use gamewire_teeworlds::model::{ClientEntry, ServerInfo};
use gamewire_teeworlds::{Dialect, Offer};

use crate::query::ServerAnswer;
use crate::url::{Url, UrlProtocol};

pub(super) fn write(out: &mut impl Write, answer: &ServerAnswer) -> io::Result<()> {
    let ServerAnswer { address, form, info, round_trip } = answer;
    let (offer, remark) = match form {
        InfoFormat::Plain => (Offer::Any06, ""),
        InfoFormat::Extended => (Offer::Any06, "  (DDNet's extended format)"),
        InfoFormat::V07 => (Dialect::V07.into(), ""),
    };
    writeln!(out, "{}://{address}{remark}", Url::scheme_of(UrlProtocol::Teeworlds(Some(offer))))?;
    let mut row = |name: &str, value: &dyn std::fmt::Display| writeln!(out, "  {name:<9} {value}");
    row("name", &Escaped(info.name.as_bytes()))?;
    row("version", &Escaped(info.version.as_bytes()))?;
    if !info.hostname.is_empty() {
        row("host", &Escaped(info.hostname.as_bytes()))?;
    }
    row("game", &Escaped(info.game_type.as_bytes()))?;
    row("map", &map(info))?;
    row("players", &format_args!("{} of {}", info.num_players, info.max_players))?;
    row("clients", &format_args!("{} of {}", info.num_clients, info.max_clients))?;
    row("password", &if info.password { "yes" } else { "no" })?;
    if let Some(level) = info.skill_level {
        row("skill", &skill(level))?;
    }
    row("ping", &format_args!("{:.1} ms", round_trip.as_secs_f64() * 1000.0))?;
    clients(out, info)
}

fn map(info: &ServerInfo) -> String {
    let name = Escaped(info.map.as_bytes());
    match info.map_file {
        Some(file) => format!("{name} ({} bytes, CRC-32 {:08x})", file.size, file.crc),
        None => name.to_string(),
    }
}

fn skill(level: i32) -> String {
    match level {
        0 => "for beginners".into(),
        1 => "for everyone".into(),
        2 => "for experts".into(),
        other => other.to_string(),
    }
}

/// Writes a table of the players.
fn clients(out: &mut impl Write, info: &ServerInfo) -> io::Result<()> {
    if info.clients.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = info.clients.iter().map(row).collect();
    let head = ["score", "name", "clan", "country", ""].map(String::from);
    let width = |column: usize| {
        let cells = rows.iter().chain([&head]).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let [score_width, name_width, clan_width, country_width] = [width(0), width(1), width(2), width(3)];
    writeln!(out)?;
    for [score, name, clan, country, role] in [&head].into_iter().chain(&rows) {
        let line = format!(
            "  {score:>score_width$}  {name:<name_width$}  {clan:<clan_width$}  {country:>country_width$}  {role}"
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    let unnamed = usize::try_from(info.num_clients).unwrap_or(0).saturating_sub(info.clients.len());
    if unnamed > 0 {
        writeln!(out, "  and {unnamed} more that the server did not list")?;
    }
    Ok(())
}

fn row(client: &ClientEntry) -> [String; 5] {
    let country = if client.country < 0 { "-".into() } else { client.country.to_string() };
    let role = match (client.is_player, client.is_bot) {
        (true, false) => "",
        (true, true) => "bot",
        (false, false) => "spectator",
        (false, true) => "bot, spectator",
    };
    [
        client.score.to_string(),
        Escaped(client.name.as_bytes()).to_string(),
        Escaped(client.clan.as_bytes()).to_string(),
        country,
        role.into(),
    ]
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use gamewire_teeworlds::model::MapFile;

    use super::*;

    /// Returns an answer with control characters in its names.
    pub(in super::super) fn answer() -> ServerAnswer {
        let client = |name: &str, clan: &str, country, score, is_player| ClientEntry {
            name: name.into(),
            clan: clan.into(),
            country,
            score,
            is_player,
            is_bot: false,
        };
        ServerAnswer {
            address: "192.0.2.1:8303".parse().unwrap(),
            form: InfoFormat::Extended,
            info: ServerInfo {
                version: "0.6.4".into(),
                name: "evil\x1b[2J server".into(),
                map: "ctf5".into(),
                map_file: Some(MapFile { crc: 0xf215_9e6e, size: 5805 }),
                game_type: "CTF".into(),
                password: true,
                num_players: 1,
                max_players: 14,
                num_clients: 2,
                max_clients: 16,
                clients: vec![
                    client("Grüße ☃", "gäme", 276, -3, true),
                    client("a\u{202e}b", "", -1, 0, false),
                ],
                ..ServerInfo::default()
            },
            round_trip: Duration::from_micros(12_500),
        }
    }

    fn shown(answer: &ServerAnswer) -> String {
        let mut out = Vec::new();
        write(&mut out, answer).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn t12_an_answer_is_a_list_of_facts_and_a_table_with_every_name_escaped() {
        let expected = r"tw-0.6+udp://192.0.2.1:8303  (DDNet's extended format)
  name      evil\x1b[2J server
  version   0.6.4
  game      CTF
  map       ctf5 (5805 bytes, CRC-32 f2159e6e)
  players   1 of 14
  clients   2 of 16
  password  yes
  ping      12.5 ms

  score  name        clan  country
     -3  Grüße ☃     gäme      276
      0  a\u{202e}b              -  spectator
";
        assert_eq!(shown(&answer()), expected);
    }

    #[test]
    fn clients_that_are_not_named_are_counted() {
        let mut answer = answer();
        answer.info.num_clients = 20;
        assert!(shown(&answer).ends_with("\n  and 18 more that the server did not list\n"));
    }

    #[test]
    fn a_server_of_0_7_has_more_fields() {
        let mut answer = answer();
        answer.form = InfoFormat::V07;
        answer.info.hostname = "play.example.org".into();
        answer.info.skill_level = Some(2);
        let shown = shown(&answer);
        assert!(shown.starts_with("tw-0.7+udp://192.0.2.1:8303\n"), "{shown}");
        assert!(shown.contains("  host      play.example.org\n"), "{shown}");
        assert!(shown.contains("  skill     for experts\n"), "{shown}");
    }
}
