//! Attacks by a peer on a follower.

use gamewire_freeciv::delta::{DeltaLimits, Direction};
use gamewire_freeciv::follow::{FollowLimits, Follower};
use gamewire_machine::{ConversationSide, Follow, Instant, Record};

use super::support::{
    CAPABILITIES, CITY_INFO, Writer, city, client, counted, definitions, errors, follow, follower, server,
    warnings,
};

#[test]
fn f3_a_run_with_too_many_fields_is_decoded_and_shown_in_part() {
    let (request, _) = client(CAPABILITIES);
    let mut stream = server(&["year32"]);
    let mut tail = Writer::new(Direction::ToClient);
    tail.join(&["year32"]);
    tail.frames.use_wide_types();
    tail.frames.freeze();
    for _ in 0..10_000 {
        // The packet changes no field, so the city is reported from its baseline.
        tail.raw(CITY_INFO, &[0, 0, 101]);
    }
    tail.frames.thaw(&mut tail.out);
    stream.extend(tail.out);
    let limits = FollowLimits { max_trace_nodes: 5000, ..FollowLimits::DEFAULT };
    let mut follower = Follower::new(&definitions(), ConversationSide::First, limits);
    follow(&mut follower, ConversationSide::First, &request, 999);
    let records = follow(&mut follower, ConversationSide::Second, &stream, usize::MAX);
    assert_eq!((errors(&records), warnings(&records)), (0, vec!["truncated_output".to_owned()]));
    assert!(records[0].nodes().count() < 6000);
    assert_eq!(counted(&follower, "server_packets"), 10_008);
}

#[test]
fn f8_a_million_keys_end_at_the_limit() {
    let (request, _) = client(CAPABILITIES);
    let delta = DeltaLimits { baselines: 50, ..DeltaLimits::DEFAULT };
    let mut follower = Follower::new(
        &definitions(),
        ConversationSide::First,
        FollowLimits { delta, ..FollowLimits::DEFAULT },
    );
    follow(&mut follower, ConversationSide::First, &request, 999);
    let mut tail = Writer::new(Direction::ToClient);
    tail.join(&["year32"]);
    tail.frames.use_wide_types();
    (0..500).for_each(|id| tail.send(CITY_INFO, &city(id, 1)));
    let mut records = follow(&mut follower, ConversationSide::Second, &server(&["year32"]), 999);
    records.extend(follow(&mut follower, ConversationSide::Second, &tail.out, 999));
    assert_eq!(errors(&records), 1);
    assert!(follower.held_bytes() < 200_000, "{}", follower.held_bytes());
    assert!(counted(&follower, "server_packets_not_decoded") > 400);
}

#[test]
fn any_byte_may_be_wrong_in_either_direction() {
    let (request, turns) = client(CAPABILITIES);
    let whole = [server(&["year32"]), turns.clone()];
    for (end, stream) in [(ConversationSide::Second, &whole[0]), (ConversationSide::First, &whole[1])] {
        for at in 0..stream.len() {
            for bit in 0..8 {
                let mut stream = stream.clone();
                stream[at] ^= 1 << bit;
                let mut follower = follower();
                follow(&mut follower, ConversationSide::First, &request, 999);
                let records = follow(&mut follower, end, &stream, 61);
                assert!(errors(&records) <= 1, "byte {at}, bit {bit}");
            }
        }
    }
}

#[test]
fn groups_are_exited_as_often_as_they_are_entered() {
    let (request, _) = client(CAPABILITIES);
    let stream = server(&["year32"]);
    for at in 0..stream.len() {
        let mut damaged = stream.clone();
        damaged[at] = !damaged[at];
        let mut follower = follower();
        follow(&mut follower, ConversationSide::First, &request, 999);
        let mut record = Record::new();
        follower.follow(Instant::ZERO, ConversationSide::Second, &damaged, &mut record);
        assert_eq!(record.roots().count(), 1, "byte {at}");
        let root = record.roots().next().unwrap();
        assert_eq!(root.children().count(), 1, "byte {at}: all of it is in the run");
    }
}
