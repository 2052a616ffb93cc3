//! The state that a proxy publishes every second.

use gamewire_page::Source;
use serde::{Deserialize, Serialize};

/// Maximum number of conversations in a message. The most recently active ones are sent.
pub(super) const MAX_CONVERSATIONS: usize = 200;
/// Maximum bytes of a text that another program sent.
const MAX_TEXT: usize = 200;
/// Maximum bytes of a message that is parsed.
pub(super) const MAX_MESSAGE: usize = 512 << 10;

/// Name and addresses of a proxy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    /// The name of the proxy.
    pub(super) name: String,
    /// A random id of this run, because another program may take the name later.
    pub(super) instance: String,
    /// The address that the proxy listens on.
    pub(super) listen: String,
    /// The address of the proxy's server.
    pub(super) to: String,
    /// The URL of the proxy's page, without the token.
    pub(super) page: Option<String>,
}

/// The state of a proxy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ProxyState {
    #[serde(flatten)]
    pub(super) identity: Identity,
    /// Counts the messages of an instance. A message that arrives after a later one is dropped.
    pub(super) sequence: u64,
    pub(super) packets: u64,
    pub(super) bytes: u64,
    pub(super) errors: u64,
    /// Number of records that were not published.
    pub(super) records_dropped: u64,
    pub(super) conversations: Vec<ConversationState>,
}

/// The state of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ConversationState {
    number: u64,
    /// Name of the player, escaped.
    #[serde(default)]
    name: Option<String>,
    dialect: String,
    state: String,
    client: String,
    is_over: bool,
    packets: u64,
    round_trip_ms: Option<f64>,
}

impl ProxyState {
    pub(super) fn of(identity: &Identity, sequence: u64, source: &Source, records_dropped: u64) -> Self {
        let mut known = source.conversations();
        known.sort_by_key(|conversation| core::cmp::Reverse(conversation.times.1));
        known.truncate(MAX_CONVERSATIONS);
        known.sort_by_key(|conversation| conversation.number);
        let (mut packets, mut bytes, mut errors) = (0_u64, 0_u64, 0_u64);
        source.each_conversation(|conversation| {
            for way in [conversation.to_server, conversation.to_client] {
                packets = packets.saturating_add(way.packets);
                bytes = bytes.saturating_add(way.bytes);
            }
            errors = errors.saturating_add(conversation.errors);
        });
        #[allow(clippy::cast_precision_loss, reason = "a time that is shown")]
        let millis = |nanos: i64| nanos as f64 / 1e6;
        let conversations = known.iter().map(|conversation| ConversationState {
            number: conversation.number,
            name: conversation.name.clone(),
            dialect: conversation.dialect.unwrap_or(conversation.protocol).to_owned(),
            state: conversation.progress.to_string(),
            client: conversation.client.to_string(),
            is_over: conversation.progress.is_over(),
            packets: conversation.to_server.packets.saturating_add(conversation.to_client.packets),
            round_trip_ms: conversation.round_trip.map(millis),
        });
        let conversations = conversations.collect();
        Self { identity: identity.clone(), sequence, packets, bytes, errors, records_dropped, conversations }
    }

    /// Parses a published state. Any program may have sent it, so every text and count is bounded.
    pub(super) fn parse(message: &[u8]) -> Option<Self> {
        if message.len() > MAX_MESSAGE {
            return None;
        }
        let mut state: Self = serde_json::from_slice(message).ok()?;
        state.conversations.truncate(MAX_CONVERSATIONS);
        let Identity { name, instance, listen, to, page } = &mut state.identity;
        [name, instance, listen, to].into_iter().for_each(cut);
        // Only the URL of a page may become a link.
        *page = page.take().filter(|page| page.len() <= MAX_TEXT && is_page(page));
        for conversation in &mut state.conversations {
            let ConversationState { name, dialect, state, client, .. } = conversation;
            name.iter_mut().chain([dialect, state, client]).for_each(cut);
        }
        Some(state)
    }
}

fn cut(text: &mut String) {
    if let Some((end, _)) =
        text.char_indices().find(|(at, letter)| at.saturating_add(letter.len_utf8()) > MAX_TEXT)
    {
        text.truncate(end);
    }
}

fn is_page(url: &str) -> bool {
    url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")).is_some_and(|rest| !rest.is_empty())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    fn sample(page: &str, name: &str) -> ProxyState {
        let identity = Identity {
            name: name.into(),
            instance: "a".into(),
            listen: "l".into(),
            to: "t".into(),
            page: Some(page.into()),
        };
        let conversation = ConversationState {
            number: 1,
            name: Some("p".repeat(1_000)),
            dialect: "tw-0.7".into(),
            state: "playing".into(),
            client: "c".into(),
            is_over: false,
            packets: 2,
            round_trip_ms: None,
        };
        let conversations = vec![conversation; 300];
        ProxyState {
            identity,
            sequence: 7,
            packets: 1,
            bytes: 2,
            errors: 0,
            records_dropped: 0,
            conversations,
        }
    }

    #[test]
    fn g7_what_another_program_publishes_is_bounded_and_no_script() {
        let sent = |state: &ProxyState| ProxyState::parse(&serde_json::to_vec(state).unwrap());
        let read = sent(&sample("http://127.0.0.1:1/", &"é".repeat(1_000))).unwrap();
        assert_eq!((read.sequence, read.conversations.len()), (7, MAX_CONVERSATIONS));
        assert_eq!(read.identity.name.len(), MAX_TEXT);
        assert_eq!(
            read.conversations.iter().filter_map(|known| known.name.as_ref()).map(String::len).max(),
            Some(MAX_TEXT)
        );
        assert_eq!(read.identity.page.as_deref(), Some("http://127.0.0.1:1/"));
        for page in ["javascript:alert(1)", "data:text/html,x", "http://", "", "//evil"] {
            assert_eq!(sent(&sample(page, "a")).unwrap().identity.page, None, "{page}");
        }
        for message in [&b""[..], b"{}", b"[]", b"\xff", &vec![b' '; MAX_MESSAGE + 1]] {
            assert_eq!(ProxyState::parse(message), None);
        }
    }
}
