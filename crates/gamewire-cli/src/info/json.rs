//! JSON form of an answer.

use std::borrow::Cow;

use gamewire_teeworlds::session::ClientEntry;
use serde::Serialize;

use crate::query::ServerAnswer;

#[derive(Serialize)]
pub(super) struct Object<'a> {
    address: String,
    dialect: &'static str,
    round_trip_ms: f64,
    version: Cow<'a, str>,
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hostname: Option<Cow<'a, str>>,
    map: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    map_crc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    map_size: Option<i32>,
    game_type: Cow<'a, str>,
    password: bool,
    scores_are_times: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_level: Option<i32>,
    num_players: i32,
    max_players: i32,
    num_clients: i32,
    max_clients: i32,
    clients: Vec<Client<'a>>,
}

#[derive(Serialize)]
struct Client<'a> {
    name: Cow<'a, str>,
    clan: Cow<'a, str>,
    country: i32,
    score: i32,
    is_player: bool,
    is_bot: bool,
}

impl<'a> Object<'a> {
    pub(super) fn of(answer: &'a ServerAnswer) -> Self {
        let info = &answer.info;
        Self {
            address: answer.address.to_string(),
            dialect: answer.form.name(),
            round_trip_ms: f64::from(u32::try_from(answer.round_trip.as_micros()).unwrap_or(u32::MAX))
                / 1000.0,
            version: String::from_utf8_lossy(&info.version),
            name: String::from_utf8_lossy(&info.name),
            hostname: (!info.hostname.is_empty()).then(|| String::from_utf8_lossy(&info.hostname)),
            map: String::from_utf8_lossy(&info.map),
            map_crc: info.map_file.map(|file| format!("{:08x}", file.crc)),
            map_size: info.map_file.map(|file| file.size),
            game_type: String::from_utf8_lossy(&info.game_type),
            password: info.password,
            scores_are_times: info.scores_are_times,
            skill_level: info.skill_level,
            num_players: info.num_players,
            max_players: info.max_players,
            num_clients: info.num_clients,
            max_clients: info.max_clients,
            clients: info.clients.iter().map(Client::of).collect(),
        }
    }
}

impl<'a> Client<'a> {
    fn of(client: &'a ClientEntry) -> Self {
        Self {
            name: String::from_utf8_lossy(&client.name),
            clan: String::from_utf8_lossy(&client.clan),
            country: client.country,
            score: client.score,
            is_player: client.is_player,
            is_bot: client.is_bot,
        }
    }
}

#[cfg(test)]
mod tests {
    use gamewire_inspect::render::write_json;

    use super::super::text::tests::answer;
    use super::*;

    #[test]
    fn an_answer_is_one_line_of_json_that_is_safe_on_a_terminal() {
        let mut out = Vec::new();
        write_json(&mut out, &Object::of(&answer())).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            concat!(
                r#"{"address":"192.0.2.1:8303","dialect":"tw-0.6-ddnet","round_trip_ms":12.5,"version":"0.6.4","#,
                r#""name":"evil\u001b[2J server","map":"ctf5","map_crc":"f2159e6e","map_size":5805,"game_type":"CTF","#,
                r#""password":true,"scores_are_times":false,"num_players":1,"max_players":14,"num_clients":2,"#,
                r#""max_clients":16,"clients":[{"name":"Grüße ☃","clan":"gäme","country":276,"score":-3,"#,
                r#""is_player":true,"is_bot":false},{"name":"a\u202eb","clan":"","country":-1,"score":0,"#,
                r#""is_player":false,"is_bot":false}]}"#,
                "\n"
            )
        );
    }
}
