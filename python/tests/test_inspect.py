"""Captures."""

import gc

import gamewire
import pytest
from gamewire.inspect import byte_range, tables


@pytest.fixture
def teeworlds(root):
    return root / "vectors/teeworlds/captures/tw-0.7-two-clients.pcap"


def test_packets_have_their_fields_by_name(teeworlds):
    with gamewire.open(teeworlds, filter="teeworlds.chat") as capture:
        packet = next(capture)
    assert (packet.protocol, packet.dialect, packet.sender) == ("teeworlds", "tw-0.7", "server")
    (chat,) = [message["chat"] for message in packet.messages if "chat" in message]
    assert chat["text"] == "hello" and chat["mode"] == "all"
    assert packet.fields["from"] == packet.source and packet.length == packet.fields["length"]
    assert "hello" in packet.line and "hello" in packet.tree and packet.hex
    assert packet.warnings == packet.errors == []


def test_fields_have_the_range_of_their_bytes(teeworlds):
    packet = next(gamewire.open(teeworlds, filter="teeworlds.chat"))
    sources = [bytes.fromhex(source["bytes"]) for source in packet.spans["sources"]]
    (chat,) = [message["chat"] for message in packet.spans["messages"] if "chat" in message]
    field = chat["text"]
    span = byte_range(field)
    assert sources[field["source"]][span.start : span.stop] == b"hello\0"


@pytest.mark.parametrize(
    "name, protocol",
    [
        ("teeworlds/captures/tw-0.6-ddnet-tken.pcap", "teeworlds"),
        ("freeciv/captures/game.pcap", "freeciv"),
        ("riptide/captures/pytide-2.1.0a0-tcp.pcapng", "riptide"),
    ],
)
def test_every_protocol_is_decoded_without_errors(root, name, protocol):
    packets = list(gamewire.open(root / "vectors" / name))
    assert packets and all(packet.protocol == protocol and not packet.errors for packet in packets)
    assert [packet.frame for packet in packets] == sorted(packet.frame for packet in packets)


def test_the_content_of_a_file_is_a_capture_too(teeworlds):
    of_file = [packet.line for packet in gamewire.open(teeworlds)]
    assert [packet.line for packet in gamewire.open(teeworlds.read_bytes())] == of_file


def test_a_filter_selects_packets(teeworlds):
    selected = list(gamewire.open(teeworlds, filter="length > 500"))
    everything = [packet for packet in gamewire.open(teeworlds) if packet.length > 500]
    assert [packet.frame for packet in selected] == [packet.frame for packet in everything] != []
    with pytest.raises(ValueError, match="invalid filter"):
        gamewire.open(teeworlds, filter="teeworlds.chat.tekst")


def test_damage_does_not_hide_what_follows(teeworlds):
    content = teeworlds.read_bytes()
    capture = gamewire.open(content[:-7])
    packets = list(capture)
    assert len(packets) == len(list(gamewire.open(content))) - 1
    assert len(capture.damage) == 1 and "truncated" in capture.damage[0]


def test_other_files_are_no_captures(root, tmp_path):
    with pytest.raises(gamewire.Error, match="not a capture"):
        gamewire.open(root / "LICENSE-MIT")
    with pytest.raises(FileNotFoundError, match="cannot read .*missing.pcap"):
        gamewire.open(tmp_path / "missing.pcap")
    with pytest.raises(FileNotFoundError, match="cannot read .*missing.toml"):
        gamewire.open(root / "LICENSE-MIT", messages=tmp_path / "missing.toml")


def test_wrong_names_and_digits_say_what_is_expected(teeworlds):
    with pytest.raises(KeyError, match="no table 'packet': use one of .*packets"):
        tables(teeworlds)["packet"]
    with pytest.raises(ValueError, match="invalid bytes 'xyz': expected pairs of hexadecimal digits"):
        gamewire.inspect.explain("xyz")


def test_bytes_are_explained(teeworlds):
    packet = next(gamewire.open(teeworlds, filter="teeworlds.chat"))
    data = packet.spans["sources"][0]["bytes"]
    # The rest of the datagram is a snapshot, which needs an earlier one.
    for spans, messages in (False, packet.messages), (True, packet.spans["messages"]):
        results = gamewire.explain(data, spans=spans).results
        (of_server,) = [it for it in results if (it["dialect"], it["direction"]) == ("tw-0.7", "server")]
        assert of_server["content"] == "datagram" and of_server["messages"][0] == messages[0]
    first = next(gamewire.open(teeworlds)).spans["sources"][0]["bytes"]
    explanation = gamewire.explain(bytes.fromhex(first))
    assert explanation.is_certain and explanation.best["dialect"] == "tw-0.7"
    with pytest.raises(ValueError, match="too many bytes"):
        gamewire.explain(bytes(1 << 17))


def test_tables_have_a_row_for_each_packet_and_message(teeworlds):
    polars = pytest.importorskip("polars")
    read = tables(teeworlds)
    packets = list(gamewire.open(teeworlds))
    frame = read["packets"].to_polars()
    assert frame["frame"].to_list() == [packet.frame for packet in packets]
    assert frame["length"].to_list() == [packet.length for packet in packets]
    chats = [m["chat"]["text"] for packet in packets for m in packet.messages if "chat" in m]
    assert polars.DataFrame(read["teeworlds.chat"])["text"].to_list() == chats
    assert read.rows == sum(len(table.to_polars()) for table in read.values())


def test_a_temporary_folder_of_tables_is_removed(teeworlds, tmp_path):
    read = tables(teeworlds)
    folder = read.folder
    assert (folder / "packets.parquet").is_file()
    del read
    gc.collect()
    assert not folder.exists()
    assert list(tables(teeworlds, tmp_path)) == sorted(path.stem for path in tmp_path.glob("*.parquet"))
    with pytest.raises(FileExistsError):
        tables(teeworlds, tmp_path)
