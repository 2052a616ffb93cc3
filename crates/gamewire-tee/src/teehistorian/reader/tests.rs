use super::*;

/// Packs an integer as the network does.
fn int(value: i32) -> Vec<u8> {
    let sign = if value < 0 { 0x40 } else { 0 };
    let mut rest = (if value < 0 { !value } else { value }).cast_unsigned();
    let mut bytes = vec![sign | (rest & 0x3f) as u8];
    rest >>= 6;
    while rest != 0 {
        *bytes.last_mut().unwrap() |= 0x80;
        bytes.push((rest & 0x7f) as u8);
        rest >>= 7;
    }
    bytes
}

/// Returns a file with records of integers.
fn file(records: &[&[i32]]) -> Vec<u8> {
    let records = records.iter().flat_map(|record| record.iter().flat_map(|value| int(*value)));
    MAGIC.into_iter().chain(*b"{}\0").chain(records).collect()
}

fn read(bytes: &[u8]) -> Result<Vec<(i32, Record<'_>)>, TeehistorianError> {
    Teehistorian::parse(bytes)?.map(|entry| entry.map(|entry| (entry.tick, entry.record))).collect()
}

#[test]
fn a_position_of_a_lower_player_is_in_the_next_tick() {
    let bytes = file(&[&[-3, 1, 50, 60], &[2, 1, 1], &[-3, 2, 7, 8], &[2, 1, -1], &[-2, 5], &[1, -10, 0]]);
    // A position that differs needs one before.
    let error = read(&bytes).unwrap_err();
    assert_eq!((error.at, error.kind), (23, TeehistorianErrorKind::NoBase(2)));
    let bytes =
        file(&[&[-3, 1, 50, 60], &[-3, 2, 7, 8], &[2, 1, -1], &[-2, 5], &[1, -10, 0], &[-4, 2], &[-1]]);
    let expected = [
        (1, Record::PlayerNew { player: 1, x: 50, y: 60 }),
        (1, Record::PlayerNew { player: 2, x: 7, y: 8 }),
        (2, Record::PlayerMoved { player: 2, x: 8, y: 7 }),
        (8, Record::TickSkip { ticks: 5 }),
        (8, Record::PlayerMoved { player: 1, x: 40, y: 60 }),
        (8, Record::PlayerGone { player: 2 }),
        (8, Record::Finish),
    ];
    assert_eq!(read(&bytes).unwrap(), expected);
}

#[test]
fn the_changes_of_an_input_are_added() {
    let bytes =
        file(&[&[-6, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &[-5, 3, -2, 0, 0, 0, i32::MAX, 0, 0, 0, 0, 1]]);
    let second = [-1, 2, 3, 4, i32::MIN + 4, 6, 7, 8, 9, 11];
    let expected = [
        (0, Record::Input { player: 3, input: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }),
        (0, Record::Input { player: 3, input: second }),
    ];
    assert_eq!(read(&bytes).unwrap(), expected);
}

#[test]
fn texts_and_extensions_are_borrowed() {
    let mut bytes = file(&[&[-9, 4]]);
    bytes.extend(b"bye\0");
    bytes.extend([int(-10), int(-1), int(4)].concat());
    bytes.extend(b"say\0");
    bytes.extend(int(2));
    bytes.extend(b"one\0two\0");
    bytes.extend(int(-11));
    bytes.extend([9; 16]);
    bytes.extend([int(2), vec![1, 2]].concat());
    let expected = [
        (0, Record::Drop { player: 4, reason: b"bye" }),
        (0, Record::Command { player: -1, flags: 4, name: b"say", arguments: b"one\0two\0" }),
        (0, Record::Extension { uuid: [9; 16], data: &[1, 2] }),
    ];
    assert_eq!(read(&bytes).unwrap(), expected);
}

#[test]
fn p1_what_is_wrong_is_an_error_with_its_place() {
    use TeehistorianErrorKind::*;
    let error = |bytes: &[u8]| read(bytes).map_err(|error| (error.at, error.kind)).unwrap_err();
    let start = file(&[]).len();
    assert_eq!(error(b"no"), (0, Magic));
    assert_eq!(error(&MAGIC), (16, Header));
    let with = |records: &[&[i32]]| error(&file(records));
    assert_eq!(with(&[&[-12]]), (start, Record(-12)));
    assert_eq!(with(&[&[-3, 128, 0, 0]]), (start, Player(128)));
    assert_eq!(with(&[&[-8, -1]]), (start + 1, Player(-1)));
    assert_eq!(with(&[&[-5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]), (start, NoBase(0)));
    assert_eq!(with(&[&[-7, 0, -5]]), (start + 2, Size(-5)));
    assert_eq!(with(&[&[-7, 0, i32::MAX]]), (start + 7, Truncated));
    assert_eq!(with(&[&[-10, 0, 0, 0, i32::MAX]]).1, Truncated);
    assert_eq!(with(&[&[-2, -1]]), (start, Tick));
    assert_eq!(with(&[&[-2, i32::MAX]]), (start, Tick));
    assert_eq!(with(&[&[-2, i32::MAX - 1], &[-3, 1, 0, 0], &[1, 0, 0]]).1, Tick);
    assert_eq!(with(&[&[-1], &[-1]]), (start + 1, Surplus));
    assert_eq!(error(&[file(&[]), vec![0xff; 6]].concat()), (start, Integer));
    assert_eq!(error(&[file(&[]), vec![0x80]].concat()), (start + 1, Truncated));
}

#[test]
fn a_reader_ends_after_an_error() {
    let bytes = file(&[&[-12], &[-1]]);
    let mut records = Teehistorian::parse(&bytes).unwrap();
    assert!(records.next().unwrap().is_err());
    assert_eq!(records.next(), None);
}
