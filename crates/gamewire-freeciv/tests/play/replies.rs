//! Replies to orders.

use gamewire_freeciv::orders;
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::play::{Event, OrderId, OrderOutcome, Player};
use gamewire_freeciv::world::World;
use gamewire_sim::StreamConditions;

use super::support::{SETTLERS, Table, call, run, table};

fn joined() -> (Table, usize) {
    let mut table = table(StreamConditions::PERFECT, 1);
    let alice = call(&mut table, "alice");
    run(&mut table, 1);
    assert!(table.client(alice).unwrap().is_ready());
    (table, alice)
}

fn order<'a>(player: &mut Player, packet: impl Into<Packet<'a>>) -> OrderId {
    player.order(packet).unwrap()
}

#[test]
fn an_executed_order_changes_the_world() {
    let (mut table, alice) = joined();
    let player = table.caller_mut(alice).unwrap();
    let packet = orders::found_city(player.world(), SETTLERS, "Roma").unwrap();
    let ticket = order(player, &packet);
    assert!(player.is_waiting(ticket));
    assert_eq!(player.take_reply(ticket), None);
    run(&mut table, 1);

    let player = table.caller_mut(alice).unwrap();
    assert_eq!(player.take_reply(ticket).unwrap().outcome, OrderOutcome::Done);
    assert_eq!(player.take_reply(ticket), None);
    assert_eq!(player.world().cities().named("Roma").map(|city| city.tile()), Some(9));
    assert_eq!(player.world().my_units().count(), 0);
    let reported = table.take_events(alice);
    assert!(
        reported.iter().any(|event| matches!(event, Event::OrderFinished(answered) if *answered == ticket))
    );
}

#[test]
fn a_refusal_has_the_message_of_the_server() {
    let (mut table, alice) = joined();
    let player = table.caller_mut(alice).unwrap();
    let packet = orders::attack(player.world(), SETTLERS, 3).unwrap();
    let ticket = order(player, &packet);
    run(&mut table, 1);
    let answer = table.caller_mut(alice).unwrap().take_reply(ticket).unwrap();
    assert_eq!(answer.refusal(), Some("Not here."));
    assert_eq!(answer.messages.len(), 1);
}

#[test]
fn an_empty_answer_is_silent() {
    let (mut table, alice) = joined();
    let player = table.caller_mut(alice).unwrap();
    let fortify = orders::fortify(player.world(), 99);
    let ticket = order(player, &fortify);
    run(&mut table, 1);
    let answer = table.caller_mut(alice).unwrap().take_reply(ticket).unwrap();
    assert_eq!((answer.outcome, answer.messages.len()), (OrderOutcome::Silent, 0));
}

#[test]
fn many_replies_go_to_their_orders() {
    let (mut table, alice) = joined();
    let player = table.caller_mut(alice).unwrap();
    let (good, bad) =
        (orders::end_turn(player.world()), orders::attack(player.world(), SETTLERS, 3).unwrap());
    let sentry = orders::sentry(player.world(), 99);
    let tickets: Vec<_> = (0..200)
        .map(|index| match index % 3 {
            0 => order(player, &good),
            1 => order(player, &bad),
            _ => order(player, &sentry),
        })
        .collect();
    run(&mut table, 5);
    let player = table.caller_mut(alice).unwrap();
    for (index, ticket) in tickets.into_iter().enumerate() {
        let outcome = player.take_reply(ticket).unwrap().outcome;
        match index % 3 {
            0 => assert_eq!(outcome, OrderOutcome::Done),
            1 => assert!(matches!(outcome, OrderOutcome::Refused(_))),
            _ => assert_eq!(outcome, OrderOutcome::Silent),
        }
    }
}

#[test]
fn no_order_can_be_given_before_the_join() {
    let mut table = table(StreamConditions::PERFECT, 1);
    let alice = call(&mut table, "alice");
    let player = table.caller_mut(alice).unwrap();
    assert!(player.order(&orders::fortify(&World::new(), 1)).is_err());
    assert!(!player.is_ready());
}
