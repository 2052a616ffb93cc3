//! Header numbers of this version: the lowest 4 bits of a packet. Those from 7 on are reliable.

use crate::shared::header::{Header, header_numbers};

header_numbers! {
    0 => Unreliable
    1 => Ack
    2 => Connect
    3 => Reject
    4 => Heartbeat
    5 => Disconnect
    6 => Notify
    7 => Reliable
    8 => Welcome
    9 => ClientConnected
    10 => ClientDisconnected
}
