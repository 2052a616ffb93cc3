//! Mutations of the golden vectors, equal in every run. `support/targets.rs` checks them.

use gamewire_machine::Role;

use crate::support::vectors::vectors;
use crate::support::{layout, targets};
use gamewire_sim::random::{Random, mutate, rounds};
use std::fs;
use std::path::PathBuf;

/// Number of mutations per version and target.
fn count() -> usize {
    rounds(20_000, 200_000)
}

/// Runs `target` on mutations of the vectors of a version, with the bytes of `front` before each. Returns the number of
/// accepted inputs.
fn mutants(
    is_v20: bool,
    front: impl Fn(&mut Random, Role) -> Vec<u8>,
    target: impl Fn(&[u8]) -> bool,
) -> usize {
    let seeds: Vec<_> = vectors().into_iter().filter(|vector| vector.is_v20() == is_v20).collect();
    let mut random = Random::new(0x7269_7074_6964_6521);
    let liked = (0..count()).filter(|_| {
        let seed = &seeds[random.below(seeds.len())];
        let mut bytes = seed.bytes.clone();
        mutate(&mut bytes, &mut random, 1300);
        let mut input = front(&mut random, seed.sender.unwrap_or(Role::Client));
        input.append(&mut bytes);
        target(&input)
    });
    liked.count()
}

#[test]
fn mutated_packets_do_not_panic() {
    for is_v20 in [true, false] {
        let front = |_: &mut Random, sender| vec![u8::from(!is_v20) | u8::from(sender == Role::Server) << 1];
        let read = mutants(is_v20, front, targets::packet);
        assert!((count() / 4..count()).contains(&read), "{read}");
    }
}

#[test]
fn mutated_messages_do_not_panic() {
    for is_v20 in [true, false] {
        let front = |random: &mut Random, _| {
            let operations: Vec<u8> = (0..random.below(6)).map(|_| random.below(256) as u8).collect();
            [&[u8::from(!is_v20), operations.len() as u8], operations.as_slice()].concat()
        };
        let read = mutants(is_v20, front, |bytes| targets::message(bytes) > 0);
        assert!((count() / 4..count()).contains(&read), "{read}");
    }
}

#[test]
fn mutated_messages_match_a_layout_or_are_errors() {
    const MUTANTS: usize = 10_000;
    let mut random = Random::new(0x6c61_796f_7574);
    let mut liked = 0;
    for seed in corpus("riptide_layout").iter().cycle().take(2 * MUTANTS) {
        let mut bytes = seed.clone();
        mutate(&mut bytes, &mut random, 1300);
        liked += usize::from(layout::layout(&bytes));
    }
    assert!((MUTANTS / 4..2 * MUTANTS).contains(&liked), "{liked}");
}

#[test]
fn mutated_texts_parse_or_are_errors() {
    const TEXTS: [&str; 3] = [
        r#"2 int:5 bool:true string:"Hi \x1b there" bytes:0aff floats:1,2.5 bits:3:5 whole:{size=1} hex:00"#,
        r#"lists a=0aff b=[true,false] c=[1,-2] d=["x","y z"] e=[true,true,true,true,true] f=[1,2,3] g=[(1,2)] h=[1,2]"#,
        r#"structs a={parts=[] pair=[{kind=1 names=[] on=true},{kind=2 names=["q"] on=false}] size=9} b=[]"#,
    ];
    let mut random = Random::new(0x7465_7874);
    for text in TEXTS.iter().cycle().take(20_000) {
        let mut bytes = text.as_bytes().to_vec();
        mutate(&mut bytes, &mut random, 400);
        layout::layout_text(&String::from_utf8_lossy(&bytes));
    }
    assert!(TEXTS[1..].iter().all(|text| layout::layout_text(text)));
}

/// Returns the corpus of a fuzz target.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    let inputs: Vec<_> = files.collect();
    assert!(inputs.len() >= 20, "only {} inputs", inputs.len());
    inputs
}

#[test]
fn no_input_of_the_fuzz_corpora_panics() {
    let packets = corpus("riptide_packet");
    assert!(packets.iter().filter(|bytes| targets::packet(bytes)).count() > packets.len() / 2);
    let messages = corpus("riptide_message");
    assert!(messages.iter().filter(|bytes| targets::message(bytes) > 0).count() > messages.len() / 2);
    let layouts = corpus("riptide_layout");
    assert!(layouts.iter().filter(|bytes| layout::layout(bytes)).count() > layouts.len() / 2);
    let streams = corpus("riptide_stream");
    assert!(streams.iter().filter(|bytes| targets::stream(bytes) > 0).count() > streams.len() / 2);
}
