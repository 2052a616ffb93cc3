use std::fmt;

use crate::emit::table::escaped;
use crate::ir::{Packet, Protocol, Topic};

/// Returns the topics that have packets, each with its packets.
pub(super) fn topics(protocol: &Protocol) -> impl Iterator<Item = (&Topic, Vec<&Packet>)> {
    let topics = protocol.topics.iter().map(|topic| {
        let packets = protocol.packets.iter().filter(|packet| packet.topic == topic.name);
        (topic, packets.collect::<Vec<&Packet>>())
    });
    topics.filter(|(_, packets)| !packets.is_empty())
}

/// Returns the heading of a topic: `ruleset_city` is `Ruleset: city`.
pub(super) fn title_of(topic: &Topic) -> String {
    let mut title = String::with_capacity(topic.name.len());
    for (number, word) in topic.name.split('_').enumerate() {
        if number == 0 {
            let mut letters = word.chars();
            title.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            title.push_str(letters.as_str());
        } else {
            title.push_str(if number == 1 { ": " } else { " " });
            title.push_str(word);
        }
    }
    escaped(&title)
}

/// Returns the anchor of a heading.
pub(super) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the name of a packet as a link to its section.
pub(super) fn link(packet: &Packet) -> String {
    format!("[{}](#{})", packet.name, anchor(&packet.name))
}

/// Returns a list of words as code.
pub(super) fn code_list(words: &[impl fmt::Display]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
