//! The contents of all chunks of a conversation.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of this")]

use gamewire::machine::{ConversationSide, Follow};
use gamewire::teeworlds::raw::packet::{MAX_PAYLOAD, Packet, inflate};
use gamewire::teeworlds::raw::v06::V06;
use gamewire::teeworlds::raw::v07::V07;
use gamewire::teeworlds::raw::version::Version;
use gamewire::teeworlds::{Dialect, Follower};
use gamewire::wire::Reader;

use crate::support::Conversation;

/// Calls `give` with the dialect, a flag for the client as sender, and the content of each chunk, in order.
pub fn each(conversation: &Conversation, mut give: impl FnMut(Dialect, bool, &[u8])) {
    let mut follower = Follower::default();
    let mut dialects = Vec::new();
    for datagram in &conversation.datagrams {
        follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
        dialects.push(follower.dialect_kind().unwrap());
    }
    let client: ConversationSide = follower.client().unwrap();
    for (datagram, dialect) in conversation.datagrams.iter().zip(dialects) {
        let give = |content: &[u8]| give(dialect, datagram.from == client, content);
        match dialect {
            Dialect::V07 => split::<V07>(dialect, &datagram.data, give),
            _ => split::<V06>(dialect, &datagram.data, give),
        }
    }
}

fn split<V: Version>(dialect: Dialect, datagram: &[u8], mut give: impl FnMut(&[u8])) {
    let Packet::Connected { header, payload } = V::parse(datagram, &mut ()).unwrap() else { return };
    if header.control {
        return;
    }
    let mut inflated = [0; MAX_PAYLOAD];
    let content = payload.remaining();
    let content = if header.compressed { inflate(content, &mut inflated).unwrap() } else { content };
    let at_the_end = if dialect == Dialect::Tken { 4 } else { 0 };
    let mut from = Reader::new(&content[..content.len() - at_the_end]);
    for _ in 0..header.chunks {
        give(V::read_chunk(&mut from, &mut ()).unwrap().content.remaining());
    }
}
