use super::cursor::Cursor;
use super::error::{TeehistorianError, TeehistorianErrorKind};
use super::record::{MAX_PLAYERS, Record};

/// The UUID with which each file begins.
const MAGIC: [u8; 16] =
    [0x69, 0x9d, 0xb1, 0x7b, 0x8e, 0xfb, 0x34, 0xff, 0xb1, 0xd8, 0xda, 0x6f, 0x60, 0xc1, 0x5d, 0xd1];

/// A reader of a teehistorian file: an iterator over its records. After an error there are no more records.
#[derive(Clone, Debug)]
pub struct Teehistorian<'a> {
    header: &'a str,
    rest: Cursor<'a>,
    tick: i32,
    /// The player of the last position in the tick; `None` if the next position is certainly of the tick.
    last: Option<i32>,
    positions: [Option<(i32, i32)>; MAX_PLAYERS],
    inputs: [Option<[i32; 10]>; MAX_PLAYERS],
    is_finished: bool,
}

/// A record with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Byte offset in the file.
    pub at: usize,
    /// Tick of the server. Positions are those at the end of the tick; everything else that a player sent acts in a later
    /// tick.
    pub tick: i32,
    /// The record.
    pub record: Record<'a>,
}

impl<'a> Teehistorian<'a> {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// [`TeehistorianError`] if the file is not a teehistorian file.
    pub fn parse(file: &'a [u8]) -> Result<Self, TeehistorianError> {
        let mut rest = Cursor::new(file);
        if !file.starts_with(&MAGIC) {
            return Err(rest.error(TeehistorianErrorKind::Magic));
        }
        rest.bytes(MAGIC.len())?;
        let header_error = rest.error(TeehistorianErrorKind::Header);
        let header = rest.string().map_err(|_| header_error)?;
        let header = ::core::str::from_utf8(header).map_err(|_| header_error)?;
        Ok(Self {
            header,
            rest,
            tick: 0,
            // Any first position without a skip of ticks belongs to tick 1.
            last: Some(i32::MAX),
            positions: [None; MAX_PLAYERS],
            inputs: [None; MAX_PLAYERS],
            is_finished: false,
        })
    }

    /// Returns the header, which is JSON with the map, the settings and the version of the server.
    #[must_use]
    pub const fn header(&self) -> &'a str {
        self.header
    }

    fn read(&mut self) -> Result<Entry<'a>, TeehistorianError> {
        let at = self.rest.at;
        let kind = self.rest.int()?;
        let record = match kind {
            0.. => {
                self.begin_position(kind, at)?;
                let (dx, dy) = (self.rest.int()?, self.rest.int()?);
                let error = TeehistorianError { at, kind: TeehistorianErrorKind::NoBase(kind) };
                let (player, known) = slot(&mut self.positions, kind, at)?;
                let (x, y) = known.as_mut().ok_or(error)?;
                (*x, *y) = (x.wrapping_add(dx), y.wrapping_add(dy));
                Record::PlayerMoved { player, x: *x, y: *y }
            }
            -1 => Record::Finish,
            -2 => {
                let ticks = self.rest.int()?;
                let next = self.tick.checked_add(ticks).and_then(|tick| tick.checked_add(1));
                self.tick = next
                    .filter(|_| ticks >= 0)
                    .ok_or(TeehistorianError { at, kind: TeehistorianErrorKind::Tick })?;
                self.last = None;
                Record::TickSkip { ticks }
            }
            -3 => {
                let id = self.rest.int()?;
                self.begin_position(id, at)?;
                let (x, y) = (self.rest.int()?, self.rest.int()?);
                let (player, known) = slot(&mut self.positions, id, at)?;
                *known = Some((x, y));
                Record::PlayerNew { player, x, y }
            }
            -4 => {
                let id = self.rest.int()?;
                self.begin_position(id, at)?;
                let (player, known) = slot(&mut self.positions, id, at)?;
                *known = None;
                Record::PlayerGone { player }
            }
            -5 => {
                let id = self.rest.int()?;
                let changes = self.rest.input()?;
                let error = TeehistorianError { at, kind: TeehistorianErrorKind::NoBase(id) };
                let (player, known) = slot(&mut self.inputs, id, at)?;
                let input = known.as_mut().ok_or(error)?;
                for (field, change) in input.iter_mut().zip(changes) {
                    *field = field.wrapping_add(change);
                }
                Record::Input { player, input: *input }
            }
            -6 => {
                let id = self.rest.int()?;
                let input = self.rest.input()?;
                let (player, known) = slot(&mut self.inputs, id, at)?;
                *known = Some(input);
                Record::Input { player, input }
            }
            -7 => Record::Message { player: self.player()?, bytes: self.rest.sized()? },
            -8 => Record::Join { player: self.player()? },
            -9 => Record::Drop { player: self.player()?, reason: self.rest.string()? },
            -10 => {
                let (player, flags, name) = (self.rest.int()?, self.rest.int()?, self.rest.string()?);
                let count = self.rest.count()?;
                Record::Command { player, flags, name, arguments: self.rest.strings(count)? }
            }
            -11 => {
                let mut uuid = [0; 16];
                uuid.copy_from_slice(self.rest.bytes(16)?);
                Record::Extension { uuid, data: self.rest.sized()? }
            }
            _ => return Err(TeehistorianError { at, kind: TeehistorianErrorKind::Record(kind) }),
        };
        Ok(Entry { at, tick: self.tick, record })
    }

    /// Notes the player of a position. Players are in ascending order, so a lower or equal one is in the next tick.
    fn begin_position(&mut self, id: i32, at: usize) -> Result<(), TeehistorianError> {
        if self.last.is_some_and(|last| id <= last) {
            let next = self.tick.checked_add(1);
            self.tick = next.ok_or(TeehistorianError { at, kind: TeehistorianErrorKind::Tick })?;
        }
        self.last = Some(id);
        Ok(())
    }

    fn player(&mut self) -> Result<usize, TeehistorianError> {
        let at = self.rest.at;
        let id = self.rest.int()?;
        let error = TeehistorianError { at, kind: TeehistorianErrorKind::Player(id) };
        usize::try_from(id).ok().filter(|player| *player < MAX_PLAYERS).ok_or(error)
    }
}

/// Returns the index of a player and its entry in `known`.
fn slot<T>(known: &mut [T; MAX_PLAYERS], id: i32, at: usize) -> Result<(usize, &mut T), TeehistorianError> {
    let error = TeehistorianError { at, kind: TeehistorianErrorKind::Player(id) };
    let player = usize::try_from(id).map_err(|_| error)?;
    Ok((player, known.get_mut(player).ok_or(error)?))
}

impl<'a> Iterator for Teehistorian<'a> {
    type Item = Result<Entry<'a>, TeehistorianError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_finished || self.rest.is_empty() {
            return None;
        }
        let mut entry = self.read();
        let is_last = entry.is_ok_and(|entry| entry.record == Record::Finish);
        if is_last && !self.rest.is_empty() {
            entry = Err(self.rest.error(TeehistorianErrorKind::Surplus));
        }
        self.is_finished = is_last || entry.is_err();
        Some(entry)
    }
}

#[cfg(test)]
mod tests;
