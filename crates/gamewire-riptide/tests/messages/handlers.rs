use gamewire_riptide::message::{DuplicateHandler, HandlerError, HandlerOutcome, Handlers};
use gamewire_riptide::{Message, MessageSendMode};

#[derive(Message)]
#[message(id = 1)]
struct Say(String);

#[derive(Message)]
#[message(id = 2, mode = "unreliable")]
struct Walk {
    x: i16,
}

#[derive(Message)]
#[message(mode = "notify")]
struct Look(u8);

/// Sender of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Player(u16);

#[derive(Default)]
struct Game {
    log: Vec<String>,
}

fn message(id: u16) -> Message {
    Message::create(MessageSendMode::Reliable, id)
}

fn handlers() -> Handlers<Game, Player> {
    let mut handlers = Handlers::new();
    handlers
        .on(|game: &mut Game, from: Player, say: Say| game.log.push(format!("{} says {}", from.0, say.0)))
        .unwrap()
        .on(|game: &mut Game, from: Player, walk: Walk| match walk.x {
            0.. => {
                game.log.push(format!("{} walks to {}", from.0, walk.x));
                Ok(())
            }
            negative => Err(format!("{negative} is negative")),
        })
        .unwrap();
    handlers
}

#[test]
fn messages_are_decoded_for_the_handler_of_their_id() {
    let (mut handlers, mut game) = (handlers(), Game::default());
    assert!(handlers.handle(&mut game, Player(4), message(1).add_string("hello")).is_handled());
    assert!(handlers.handle(&mut game, Player(5), message(2).add_short(30)).is_handled());
    assert_eq!(game.log, ["4 says hello", "5 walks to 30"]);
}

#[test]
fn an_unknown_id_is_unhandled() {
    let (mut handlers, mut game) = (handlers(), Game::default());
    assert!(matches!(handlers.handle(&mut game, Player(1), &mut message(3)), HandlerOutcome::Unhandled));
    let mut notify = Message::create_notify();
    assert!(matches!(handlers.handle(&mut game, Player(1), &mut notify), HandlerOutcome::Unhandled));
    assert_eq!(game.log, [""; 0]);
}

#[test]
fn undecodable_values_do_not_reach_the_handler() {
    let (mut handlers, mut game) = (handlers(), Game::default());
    let outcome = handlers.handle(&mut game, Player(1), message(2).add_byte(1));
    let HandlerOutcome::Undecodable { error, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!((error.packet, error.field), ("Walk", "x"));
    assert_eq!(game.log, [""; 0]);
}

#[test]
fn r8_after_a_handler_error_the_next_message_is_handled() {
    let (mut handlers, mut game) = (handlers(), Game::default());
    let outcome = handlers.handle(&mut game, Player(1), message(2).add_short(-3));
    let HandlerOutcome::Failed(error) = outcome else { panic!("{outcome:?}") };
    assert_eq!(error.to_string(), "the handler failed: -3 is negative");
    assert!(std::error::Error::source(&error).is_some());
    assert!(handlers.handle(&mut game, Player(2), message(2).add_short(3)).is_handled());
}

#[test]
fn r8_after_a_handler_panic_the_next_message_is_handled() {
    let (mut handlers, mut game) = (handlers(), Game::default());
    handlers.on_message(7_u16, |_, from, _| -> () { panic!("of player {}", from.0) }).unwrap();
    handlers.on_message(8_u16, |_, _, _| -> () { panic!("plain") }).unwrap();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let (first, second) = (
        handlers.handle(&mut game, Player(9), &mut message(7)),
        handlers.handle(&mut game, Player(9), &mut message(8)),
    );
    std::panic::set_hook(hook);
    let said = |outcome| match outcome {
        HandlerOutcome::Failed(HandlerError::Panicked(said)) => said,
        other => panic!("{other:?}"),
    };
    assert_eq!((said(first), said(second)), ("of player 9".into(), "plain".into()));
    assert!(handlers.handle(&mut game, Player(2), message(1).add_string("still here")).is_handled());
}

#[test]
fn handlers_can_receive_undecoded_messages() {
    let (mut handlers, mut game) = (handlers(), Game::default());
    let taken = handlers.on_message(3_u16, |game: &mut Game, _, message| {
        game.log.push(format!("{} {}", message.get_byte()?, message.get_string()?));
        Ok::<_, gamewire_wire::CodecError>(())
    });
    taken
        .unwrap()
        .on(|game: &mut Game, _, look: Look| game.log.push(format!("looks to {}", look.0)))
        .unwrap();
    assert!(handlers.handle(&mut game, Player(1), message(3).add_byte(7).add_string("x")).is_handled());
    assert!(matches!(handlers.handle(&mut game, Player(1), &mut message(3)), HandlerOutcome::Failed(_)));
    assert!(handlers.handle(&mut game, Player(1), Message::create_notify().add_byte(90)).is_handled());
    assert_eq!(game.log, ["7 x", "looks to 90"]);
}

#[test]
fn an_id_has_one_handler() {
    let mut handlers = handlers();
    let second = handlers.on(|_, _, _: Say| ()).map(drop);
    assert_eq!(second, Err(DuplicateHandler { id: Some(1) }));
    assert_eq!(second.unwrap_err().to_string(), "there is already a handler for messages with id 1");
    handlers.on_notify(|_, _, _| ()).unwrap();
    let second = handlers.on(|_, _, _: Look| ()).map(drop).unwrap_err();
    assert_eq!(second.to_string(), "there is already a handler for notify messages");
    let mut game = Game::default();
    assert!(handlers.handle(&mut game, Player(1), message(1).add_string("first")).is_handled());
    assert_eq!(game.log, ["1 says first"], "the first one stays");
}
