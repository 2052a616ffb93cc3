"""The tests of the C# package for Unity, on mono with a stand-in for Riptide."""

import json

import metas
import mono


def frames_of_web_sockets() -> None:
    """Each way to split a stream, and violations by name."""
    mono.run("FrameTests")


def upgrades_of_web_sockets() -> None:
    """Requests that are accepted and refused, and origins."""
    mono.run("UpgradeTests")


def rooms_over_web_sockets() -> None:
    """Clients and servers on loopback, with hostile sockets too."""
    mono.run("RoomTests")


def ordered_and_large_messages() -> None:
    """10,000 in order at 20 % loss, 1 MiB with progress in both directions, limits and violations."""
    mono.run("MessageTests")


def primitives_of_the_record_layer() -> None:
    """The vectors of FIPS 180-4 and the RFCs, and all lengths as OpenSSL computes them."""
    mono.run("PrimitiveTests")


def records_and_their_attacks() -> None:
    """The golden session, address changes, and records that are replayed, altered and guessed."""
    mono.run("RecordTests")


def rooms_over_encrypted_udp() -> None:
    """Clients and servers on loopback, with wrong keys and new addresses."""
    mono.run("EncryptedTests")


def each_file_has_its_meta_file() -> None:
    """Unity ignores files without one."""
    wanted = metas.wanted()
    assert metas.present() == set(wanted), metas.present() ^ set(wanted)
    wrong = [path for path, text in wanted.items() if path.read_text() != text]
    assert not wrong, f"run python3 interop/unity/metas.py: {wrong}"


def the_manifest_and_assemblies_are_valid() -> None:
    """Names that Unity requires, and versions that agree."""
    manifest = json.loads((metas.PACKAGE / "package.json").read_text())
    assert manifest["name"] == manifest["name"].lower() and manifest["name"].count(".") >= 2, manifest
    assert f"## [{manifest['version']}]" in (metas.PACKAGE / "CHANGELOG.md").read_text(), "no entry for the version"
    for sample in manifest.get("samples", []):
        assert (metas.PACKAGE / sample["path"]).is_dir(), sample
    names = [json.loads(path.read_text())["name"] for path in sorted(metas.PACKAGE.rglob("*.asmdef"))]
    assert len(set(names)) == len(names) >= 2, names
