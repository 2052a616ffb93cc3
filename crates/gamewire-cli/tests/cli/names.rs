//! File names that are not UTF-8, in every verb that takes a file.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::{SAMPLE, folder};

fn run(arguments: &[&OsStr]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Returns a path in the folder with a byte that is not UTF-8.
fn odd(folder: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(OsStr::from_bytes(b"caf\xe9"));
    name.push(ending);
    folder.join(name)
}

#[test]
fn every_verb_takes_file_names_that_are_not_utf_8() {
    let folder = folder("odd-names");
    let (capture, written) = (odd(&folder, ".pcap"), odd(&folder, ".pcapng"));
    let (script, extracted, record) = (odd(&folder, ".lua"), odd(&folder, ""), odd(&folder, ".record"));
    let (messages, definition, rules) = (odd(&folder, ".toml"), odd(&folder, ".def"), odd(&folder, ".rules"));
    fs::write(&capture, SAMPLE).unwrap();
    fs::write(&messages, "[[message]]\nid = 1\nname = \"m\"\nfields = []\n").unwrap();
    fs::write(&definition, "type BOOL = bool8(bool)\nPACKET_A = 1; cs, no-delta\n  BOOL yes;\nend\n")
        .unwrap();
    fs::write(&rules, "").unwrap();
    let words = |text: &'static str| text.split(' ').map(OsStr::new).collect::<Vec<_>>();
    let proxy = "proxy --listen teeworlds://127.0.0.1:0 --to 127.0.0.1:9 --duration 1ms";
    for (before, file, after) in [
        ("inspect -q", &capture, ""),
        ("inspect -q -r", &capture, ""),
        ("inspect -q -z", &capture, ""),
        ("inspect -q --sample --messages", &messages, ""),
        ("inspect -q --sample --extract", &extracted, ""),
        ("wireshark -o", &script, ""),
        ("wireshark -o - --messages", &messages, ""),
        ("compile", &definition, ""),
        (proxy, &record, "--record"),
        (proxy, &rules, "--rules"),
    ] {
        let mut arguments = words(before);
        if !after.is_empty() {
            arguments.push(OsStr::new(after));
        }
        arguments.push(file.as_os_str());
        let output = run(&arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
    let save: Vec<_> =
        [words("inspect -q"), vec![capture.as_os_str(), "-w".as_ref(), written.as_os_str()]].concat();
    assert!(run(&save).status.success());
    assert!(script.exists() && record.exists() && written.exists() && extracted.is_dir());

    let missing = odd(&folder, ".missing");
    for before in
        ["inspect", "replay --listen teeworlds://127.0.0.1:0", "compile", "inspect --sample --messages"]
    {
        let mut arguments = words(before);
        arguments.push(missing.as_os_str());
        let output = run(&arguments);
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{before}: {sentence}");
        assert!(sentence.contains("caf"), "{before}: {sentence}");
    }
    let odd_option = run(&[OsStr::from_bytes(b"insp\xe9ct"), OsStr::new("--nothing")]);
    assert_eq!(odd_option.status.code(), Some(2), "{odd_option:?}");
}
