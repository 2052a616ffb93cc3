use allocation_counter::measure;
use gamewire_riptide::message::{Handlers, Vector3};
use gamewire_riptide::raw::Payload;
use gamewire_riptide::{Format, Message, MessageSendMode, MessageType, Sendable};

#[derive(Message)]
#[message(id = 2, mode = "unreliable")]
struct Walk {
    tick: u32,
    position: Vector3,
    keys: [bool; 5],
}

/// Writes, sends, receives, relays, reads and drops a message of each kind.
fn round(sum: &mut u64, handlers: &mut Handlers<u64>) {
    let mut scratch = [0; 1225];
    let mut typed = Walk { tick: 1, position: Vector3::default(), keys: [true; 5] };
    for format in Format::ALL {
        let mut written = Message::create(MessageSendMode::Reliable, 1_u16);
        written.add_int(7).add_string("hello").add_bools(&[true; 20]).add_longs(&[1, 2]);
        let mut came =
            Message::received(format, written.mode(), written.id(), &written.payload(format).unwrap());
        let relayed = Message::received(format, came.mode(), came.id(), &came.payload(format).unwrap());
        let mut kept = Message::create_notify();
        kept.add_message(&relayed);
        *sum += came.get_int().unwrap() as u64;

        typed.tick += 1;
        let payload = typed.payload(format, &mut scratch).unwrap();
        let mut came = Message::received(format, Walk::MODE, Walk::ID, &payload);
        assert!(handlers.handle(sum, (), &mut came).is_handled());
    }
}

#[test]
fn warm_messages_do_not_allocate() {
    let mut handlers = Handlers::new();
    handlers.on(|sum: &mut u64, (), walk: Walk| *sum += u64::from(walk.tick)).unwrap();
    let mut sum = 0;
    round(&mut sum, &mut handlers);
    let used = measure(|| (0..100).for_each(|_| round(&mut sum, &mut handlers)));
    assert_eq!((used.count_total, sum), (0, 101 * (7 + 2 + 7 + 3)));
}

#[test]
fn a_thread_pools_at_most_256_messages() {
    let many = || -> Vec<Message> { (0..600).map(|_| Message::create_data()).collect() };
    drop(many());
    let used = measure(|| drop(many()));
    // The content and the two buffers of each message that is not pooled, and one vector for all messages.
    assert_eq!(used.count_total, 3 * (600 - 256) + 1);
    let freed = measure(Message::trim_pool);
    assert!(freed.bytes_current < -256 * 1200, "{freed:?}");
    assert!(measure(|| drop(Message::create_data())).count_total > 0);
}

#[test]
fn buffers_of_larger_messages_are_not_pooled() {
    drop(Message::create_data());
    let mut large = Message::create_data().with_max_payload_size(60_000);
    large.add_bytes(&[1; 50_000]);
    drop(large);
    let freed = measure(Message::trim_pool);
    assert!(freed.bytes_current > -10_000, "{freed:?}");
}

#[test]
fn a_clone_does_not_copy_leftovers_of_pooled_buffers() {
    Message::trim_pool();
    drop(Message::create_data());
    let message =
        Message::received(Format::V21, MessageSendMode::Reliable, Some(1), &Payload::new(&[1, 2, 3]));
    let mut clone = None;
    let used = measure(|| clone = Some(message.clone()));
    // The content of the clone, and one buffer.
    assert_eq!(used.count_total, 2);
    assert_eq!(clone.unwrap().payload(Format::V20), message.payload(Format::V20));
}
