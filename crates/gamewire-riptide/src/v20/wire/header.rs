//! Header numbers of this version: a byte. Those from 7 on are reliable.

use crate::shared::header::{Header, header_numbers};

header_numbers! {
    0 => Unreliable
    1 => Ack
    2 => AckExtra
    3 => Connect
    4 => Reject
    5 => Heartbeat
    6 => Disconnect
    7 => Reliable
    8 => Welcome
    9 => ClientConnected
    10 => ClientDisconnected
}
