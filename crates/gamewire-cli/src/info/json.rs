//! JSON form of an answer.

use serde_json::{Value, json};

use crate::query::ServerAnswer;

/// Returns an answer as an object, without the fields that the server did not send.
pub(super) fn object(answer: &ServerAnswer) -> Value {
    let info = &answer.info;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let micros = u32::try_from(answer.round_trip.as_micros()).unwrap_or(u32::MAX);
    let clients = info.clients.iter().map(|client| {
        json!({
            "name": text(client.name.as_bytes()),
            "clan": text(client.clan.as_bytes()),
            "country": client.country,
            "score": client.score,
            "is_player": client.is_player,
            "is_bot": client.is_bot,
        })
    });
    let mut object = json!({
        "address": answer.address.to_string(),
        "dialect": answer.form.name(),
        "round_trip_ms": f64::from(micros) / 1000.0,
        "version": text(info.version.as_bytes()),
        "name": text(info.name.as_bytes()),
        "hostname": (!info.hostname.is_empty()).then(|| text(info.hostname.as_bytes())),
        "map": text(info.map.as_bytes()),
        "map_crc": info.map_file.map(|file| format!("{:08x}", file.crc)),
        "map_size": info.map_file.map(|file| file.size),
        "game_type": text(info.game_type.as_bytes()),
        "password": info.password,
        "scores_are_times": info.scores_are_times,
        "skill_level": info.skill_level,
        "num_players": info.num_players,
        "max_players": info.max_players,
        "num_clients": info.num_clients,
        "max_clients": info.max_clients,
        "clients": clients.collect::<Vec<_>>(),
    });
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

#[cfg(test)]
mod tests {
    use gamewire_inspect::render::write_json;

    use super::super::text::tests::answer;
    use super::*;

    #[test]
    fn an_answer_is_one_line_of_json_that_is_safe_on_a_terminal() {
        let mut out = Vec::new();
        write_json(&mut out, &object(&answer())).unwrap();
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
