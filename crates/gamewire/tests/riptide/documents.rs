//! The documents: every member of the C# library has a row with a counterpart that exists, and the README shows the
//! examples as they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Public members of the C# library, by type.
const MEMBERS: &[(&str, &str)] = &[
    (
        "## Server",
        "Server Start Stop Update ChangeTransport Send SendToAll TryGetClient DisconnectClient Accept Reject \
         IsRunning Port MaxClientCount ClientCount Clients TimeoutTime HeartbeatInterval HandleConnection \
         RelayFilter ClientConnected ConnectionFailed MessageReceived ClientDisconnected logName \
         messageHandlerGroupId useMessageHandlers shouldRelease MessageHandler ConnectionAttemptHandler",
    ),
    (
        "## Client",
        "Client Connect Disconnect Update ChangeTransport Send Id RTT SmoothRTT TimeoutTime HeartbeatInterval \
         IsNotConnected IsConnecting IsPending IsConnected Connection Connected ConnectionFailed \
         MessageReceived Disconnected ClientConnected ClientDisconnected MessageHandler \
         maxConnectionAttempts message",
    ),
    (
        "## Connection",
        "Id IsNotConnected IsConnecting IsPending IsConnected RTT SmoothRTT TimeoutTime CanTimeout \
         CanQualityDisconnect MaxAvgSendAttempts AvgSendAttemptsResilience MaxSendAttempts MaxNotifyLoss \
         NotifyLossResilience Metrics ResetTimeout Send NotifyDelivered NotifyLost NotifyReceived \
         ReliableDelivered UdpConnection TcpConnection RemoteEndPoint",
    ),
    (
        "## ConnectionMetrics",
        "BytesIn BytesOut MessagesIn MessagesOut UnreliableBytesIn UnreliableBytesOut UnreliableIn \
         UnreliableOut NotifyBytesIn NotifyBytesOut NotifyIn NotifyOut NotifyDiscarded NotifyLost \
         NotifyDelivered RollingNotifyLost RollingNotifyDelivered RollingNotifyLossRate ReliableBytesIn \
         ReliableBytesOut ReliableIn ReliableOut ReliableDiscarded ReliableUniques RollingReliableSends Mean \
         Variance StandardDev Reset",
    ),
    (
        "## Message",
        "Create Release TrimPool MaxPayloadSize MaxSize MaxHeaderSize InstancesPerPeer SendMode ReadBits \
         UnreadBits WrittenBits UnwrittenBits BytesInUse AddMessage ReserveBits SkipBits SetBits PeekBits \
         AddBits GetBits AddVarLong GetVarLong AddVarULong GetVarULong Add",
    ),
    ("## MessageRelayFilter", "MessageRelayFilter EnableRelay DisableRelay ShouldRelay"),
    (
        "## Others",
        "MessageSendMode RejectReason DisconnectReason MessageHandlerAttribute MessageId GroupId \
         IMessageSerializable RiptideLogger Initialize EnableLoggingFor DisableLoggingFor Converter \
         PriorityQueue IPeer IServer IClient InsufficientCapacityException NonStaticHandlerException \
         InvalidHandlerSignatureException DuplicateHandlerException",
    ),
];

/// Types that messages have methods for: one value, an array, and an array without its length.
const TYPES: &str = "Byte SByte Bool Short UShort Int UInt Long ULong Float Double String Serializable";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(repository().join("docs/from-csharp-to-rust.md")).unwrap()
}

/// Returns the rows of the tables under a heading.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let section = page.split("\n## ").find(|section| heading[3..] == *section.lines().next().unwrap_or(""));
    let lines =
        section.unwrap_or_else(|| panic!("no {heading}")).lines().filter(|line| line.starts_with("| `"));
    lines.map(|line| line.split('|').skip(1).map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns the text in backticks.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn words_of_sources(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            words_of_sources(&path, into);
        } else {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            lines.for_each(|line| into.extend(words(line).map(str::to_owned)));
        }
    }
}

#[test]
fn every_member_of_the_csharp_library_has_a_row() {
    let page = page();
    let mut missing = Vec::new();
    for (heading, members) in MEMBERS {
        let rows = rows(&page, heading);
        let named: BTreeSet<&str> = rows.iter().flat_map(|row| code(&row[0])).flat_map(words).collect();
        let mut members: BTreeSet<String> = words(members).map(str::to_owned).collect();
        if *heading == "## Message" {
            let pairs = ["Add", "Get"].map(|verb| words(TYPES).map(move |name| format!("{verb}{name}")));
            members.extend(pairs.into_iter().flatten().flat_map(|name| [format!("{name}s"), name]));
        }
        let absent = members.into_iter().filter(|member| !named.contains(member.as_str()));
        missing.extend(absent.map(|member| format!("{heading}: {member}")));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_member_has_a_counterpart_or_a_reason() {
    let mut known = BTreeSet::new();
    for part in ["crates/gamewire-riptide/src", "crates/gamewire/src"] {
        words_of_sources(&repository().join(part), &mut known);
    }
    let page = page();
    let mut wrong = Vec::new();
    for (heading, _) in MEMBERS {
        for row in rows(&page, heading) {
            let is_explained = code(&row[1]).next().is_some() || !row[2].is_empty();
            let is_general = row[1].contains("_ts");
            let mut unknown = code(&row[1]).flat_map(words).filter(|word| !known.contains(*word));
            if !is_explained || (!is_general && unknown.next().is_some()) {
                wrong.push(row.join(" | "));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_echo_server_has_at_most_30_lines() {
    let example = repository().join("crates/gamewire/examples/riptide_echo.rs");
    let lines = fs::read_to_string(example).unwrap().lines().count();
    assert!(lines <= 30, "{lines}");
}

/// Documents with an example, a word that only its block has, and the example.
const SHOWN: [(&str, &str, &str); 6] = [
    ("README.md", "riptide_echo", "riptide_echo.rs"),
    ("README.md", "teeworlds::{Player,", "greeter.rs"),
    ("README.md", "freeciv::{Player,", "freeciv_cities.rs"),
    ("docs/quick-start-teeworlds.md", "tokio::Player", "greeter_async.rs"),
    ("docs/quick-start-teeworlds.md", "HookState", "ddnet_watcher.rs"),
    ("docs/quick-start-freeciv.md", "Settlers", "freeciv_settler.rs"),
];

#[test]
fn the_documents_show_the_examples_as_they_are() {
    let read = |path: &str| fs::read_to_string(repository().join(path)).unwrap();
    for (path, word, example) in SHOWN {
        let document = read(path);
        let is_whole = path == "README.md";
        let (block, example) = (shown(&document, word), read(&format!("crates/gamewire/examples/{example}")));
        assert!(if is_whole { example.ends_with(block) } else { example.contains(block) }, "{path}: {block}");
    }
}

/// Returns the block of code that contains a word.
fn shown<'r>(document: &'r str, word: &str) -> &'r str {
    let mut blocks = document.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.find(|block| block.contains(word)).unwrap()
}
