//! pcap: a file header of 24 bytes, then records of a header and the captured bytes.

use std::io::Read;

use super::error::Damage;
use super::frame::LinkType;
use super::window::{ByteOrder, Found, MAX_CANDIDATE, MAX_RECORD, ReadError, Window, search};

const FILE_HEADER: usize = 24;
/// Seconds, fraction, captured length, original length.
const RECORD_HEADER: usize = 16;
/// The record header of Kuznetzov's Linux variant, which adds interface index, protocol and packet type.
const MODIFIED_RECORD_HEADER: usize = 24;

const MICROSECONDS: u32 = 0xa1b2_c3d4;
const NANOSECONDS: u32 = 0xa1b2_3c4d;
const MODIFIED: u32 = 0xa1b2_cd34;

/// Minimum limit for the length of a record, because some writers state no snap length, or one that is too small.
const MIN_RECORD_LIMIT: u32 = 262_144;
/// Length of an Ethernet frame with some tags. A longer record is checked, because its length may be wrong.
const USUAL_RECORD: u32 = 1600;
/// Maximum seconds between two records. A record after a longer pause is checked, and a search does not accept it.
const MAX_PAUSE: u32 = 24 * 60 * 60;
/// Number of consecutive plausible record headers that a search requires.
const CHAIN: usize = 3;

/// The state of reading a pcap file.
pub(super) struct Pcap {
    order: ByteOrder,
    /// Nanoseconds per unit of the fraction of a second.
    unit: u32,
    record_header: usize,
    link: LinkType,
    /// Maximum length of a record, in bytes.
    limit: u32,
    /// The seconds of the last valid record.
    last: Option<u32>,
    /// True after damage: the next step searches for a record.
    lost: bool,
}

/// The fields of a record header.
#[derive(Clone, Copy)]
struct Record {
    seconds: u32,
    fraction: u32,
    captured: u32,
    original: u32,
}

impl Record {
    fn read(order: ByteOrder, bytes: &[u8], at: usize) -> Option<Self> {
        let header = bytes.get(at..)?.get(..RECORD_HEADER)?;
        Some(Self {
            seconds: order.u32(header, 0)?,
            fraction: order.u32(header, 4)?,
            captured: order.u32(header, 8)?,
            original: order.u32(header, 12)?,
        })
    }
}

impl Pcap {
    /// Reads the file header, which starts with `first`. Returns `None` if `first` is not a magic number of pcap.
    pub(super) fn open<R: Read>(window: &mut Window<R>, first: [u8; 4]) -> Result<Option<Self>, ReadError> {
        let known = |magic: u32| matches!(magic, MICROSECONDS | NANOSECONDS | MODIFIED);
        let (order, magic) = match (u32::from_le_bytes(first), u32::from_be_bytes(first)) {
            (little, _) if known(little) => (ByteOrder::Little, little),
            (_, big) if known(big) => (ByteOrder::Big, big),
            _ => return Ok(None),
        };
        if !window.fill(FILE_HEADER)? {
            return Err(ReadError::truncated(window, "the pcap file header", FILE_HEADER));
        }
        let bytes = window.bytes();
        let major = order.u16(bytes, 4).unwrap_or(0);
        let minor = order.u16(bytes, 6).unwrap_or(0);
        if major != 2 {
            return Err(ReadError::last(
                window,
                Damage::Version { format: "pcap", known: "2", major, minor },
            ));
        }
        let snap_length = order.u32(bytes, 16).unwrap_or(0);
        // The upper half describes a frame check sequence, which is after the IP packet and cut off anyway.
        let link = order.u32(bytes, 20).unwrap_or(0) & 0xffff;
        window.consume(FILE_HEADER);
        Ok(Some(Self {
            order,
            unit: if magic == NANOSECONDS { 1 } else { 1000 },
            record_header: if magic == MODIFIED { MODIFIED_RECORD_HEADER } else { RECORD_HEADER },
            link: LinkType(u16::try_from(link).unwrap_or(u16::MAX)),
            limit: snap_length.clamp(MIN_RECORD_LIMIT, MAX_RECORD),
            last: None,
            lost: false,
        }))
    }

    /// Returns the next record, or `None` at the end.
    pub(super) fn step<R: Read>(&mut self, window: &mut Window<R>) -> Result<Option<Found>, ReadError> {
        if self.lost {
            self.lost = false;
            if !search(window, self.record_header, |window| self.chain_begins(window, 0))? {
                return Ok(None);
            }
        }
        if !window.fill(self.record_header)? {
            if window.available() == 0 {
                return Ok(None);
            }
            let error = ReadError::truncated(window, "a record header", self.record_header);
            return Err(ReadError { last: true, ..error });
        }
        let Some(record) = Record::read(self.order, window.bytes(), 0) else { return Ok(None) };
        let Record { captured, original, .. } = record;
        let len = usize::try_from(captured).unwrap_or(usize::MAX);
        if captured > self.limit || (captured == 0 && original == 0) {
            return Err(
                self.start_resync(window, Damage::RecordLength { captured, original, limit: self.limit })
            );
        }
        let usual = captured <= original && captured <= USUAL_RECORD && self.is_near(record);
        let whole = self.record_header.saturating_add(len);
        let trusted = usual || self.record_follows(window, whole)?;
        if !trusted && self.contains_records(window, whole)? {
            return Err(self.start_resync(window, Damage::RecordAlone { captured, original }));
        }
        if !window.fill(whole)? {
            let error = ReadError::truncated(window, "a record", whole);
            return Err(ReadError { last: true, ..error });
        }
        window.consume(whole);
        if trusted {
            self.last = Some(record.seconds);
        }
        Ok(Some(Found {
            time: self.time(record),
            link: self.link,
            interface: 0,
            is_state: false,
            original_len: original,
            back: len,
            len,
        }))
    }

    /// Returns the time in nanoseconds. The factors are too small to overflow an i64.
    fn time(&self, record: Record) -> i64 {
        let seconds = i64::from(record.seconds).saturating_mul(1_000_000_000);
        seconds.saturating_add(i64::from(record.fraction).saturating_mul(i64::from(self.unit)))
    }

    #[cold]
    fn start_resync<R: Read>(&mut self, window: &Window<R>, damage: Damage) -> ReadError {
        self.lost = true;
        ReadError::here(window, damage)
    }

    /// Returns whether a record begins `at` bytes from here, or the input ends there or within its header.
    #[cold]
    fn record_follows<R: Read>(&self, window: &mut Window<R>, at: usize) -> Result<bool, ReadError> {
        if window.fill(at.saturating_add(self.record_header))? {
            let record = Record::read(self.order, window.bytes(), at);
            return Ok(record.is_some_and(|record| self.is_possible(record)));
        }
        Ok(window.available() >= at)
    }

    /// Returns whether plausible records begin within the next `len` bytes.
    #[cold]
    fn contains_records<R: Read>(&self, window: &mut Window<R>, len: usize) -> Result<bool, ReadError> {
        for at in 1..len {
            if window.available() < at && !window.fill(at)? {
                break;
            }
            if self.chain_begins(window, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a chain of plausible records begins `at` bytes from here: three, or fewer at the end of
    /// the input.
    fn chain_begins<R: Read>(&self, window: &mut Window<R>, mut at: usize) -> Result<bool, ReadError> {
        for whole_before in 0..CHAIN {
            let data = at.saturating_add(self.record_header);
            if !window.fill(data)? {
                let exactly_at_end = window.available() == at;
                return Ok(whole_before > 1 || (whole_before == 1 && exactly_at_end));
            }
            let record = Record::read(self.order, window.bytes(), at);
            let Some(record) = record.filter(|record| self.is_plausible(*record)) else { return Ok(false) };
            at = data.saturating_add(usize::try_from(record.captured).unwrap_or(usize::MAX));
            if !window.fill(at)? {
                return Ok(whole_before > 0);
            }
        }
        Ok(true)
    }

    /// Returns whether a record header found by a search is plausible.
    fn is_plausible(&self, record: Record) -> bool {
        self.is_possible(record) && self.is_near(record)
    }

    /// Returns whether the fields are in the range of valid records.
    fn is_possible(&self, record: Record) -> bool {
        let Record { fraction, captured, original, .. } = record;
        let units_per_second = 1_000_000_000_u32.checked_div(self.unit).unwrap_or(0);
        (1..=self.limit.min(MAX_CANDIDATE)).contains(&captured)
            && (captured..=MAX_RECORD).contains(&original)
            && fraction < units_per_second
    }

    /// Returns whether the record's time is near the time of the last valid record.
    fn is_near(&self, record: Record) -> bool {
        self.last.is_none_or(|last| last.abs_diff(record.seconds) <= MAX_PAUSE)
    }
}
