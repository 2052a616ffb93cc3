//! pcap: a file header of 24 bytes, then records of a header and the captured bytes.

use std::io::Read;

use super::error::Damage;
use super::frame::LinkType;
use super::order::Order;
use super::resync::{self, MAX_CANDIDATE};
use super::step::{Found, MAX_RECORD, ReadError, fill};
use super::window::Window;

const FILE_HEADER: usize = 24;
/// Seconds, fraction, captured length, original length.
const RECORD_HEADER: usize = 16;
/// The same with the interface index, protocol and packet type of Kuznetzov's Linux variant.
const MODIFIED_RECORD_HEADER: usize = 24;

const MICROSECONDS: u32 = 0xa1b2_c3d4;
const NANOSECONDS: u32 = 0xa1b2_3c4d;
const MODIFIED: u32 = 0xa1b2_cd34;

/// The longest record believed when the file header states a smaller snap length: some writers state none.
const USUAL_SNAP_LENGTH: u32 = 262_144;
/// An Ethernet frame and some tags. A longer record is looked at twice: its length may be wrong.
const USUAL_RECORD: u32 = 1600;
/// Seconds between two records beyond which the second is looked at twice, or not found by searching.
const BELIEVABLE_PAUSE: u32 = 24 * 60 * 60;
/// So many record headers in a row make a search believe.
const CHAIN: usize = 3;

/// The state of reading a pcap file.
pub(super) struct Pcap {
    order: Order,
    /// Nanoseconds in one unit of the fraction of a second.
    unit: u32,
    record_header: usize,
    link: LinkType,
    /// The longest believable record.
    limit: u32,
    /// The seconds of the last good record.
    last: Option<u32>,
    /// The framing was lost and must be found again.
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
    #[inline]
    fn read(order: Order, bytes: &[u8], at: usize) -> Option<Self> {
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
    /// Reads the file header, which starts with `first`; `None` if that is no magic number of pcap.
    pub(super) fn open<R: Read>(window: &mut Window<R>, first: [u8; 4]) -> Result<Option<Self>, ReadError> {
        let known = |magic: u32| matches!(magic, MICROSECONDS | NANOSECONDS | MODIFIED);
        let (order, magic) = match (u32::from_le_bytes(first), u32::from_be_bytes(first)) {
            (little, _) if known(little) => (Order::Little, little),
            (_, big) if known(big) => (Order::Big, big),
            _ => return Ok(None),
        };
        if !fill(window, FILE_HEADER)? {
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
        // The upper half tells of a frame check sequence, which the IP lengths cut off anyway.
        let link = order.u32(bytes, 20).unwrap_or(0) & 0xffff;
        window.consume(FILE_HEADER);
        Ok(Some(Self {
            order,
            unit: if magic == NANOSECONDS { 1 } else { 1000 },
            record_header: if magic == MODIFIED { MODIFIED_RECORD_HEADER } else { RECORD_HEADER },
            link: LinkType(u16::try_from(link).unwrap_or(u16::MAX)),
            limit: snap_length.clamp(USUAL_SNAP_LENGTH, MAX_RECORD),
            last: None,
            lost: false,
        }))
    }

    /// The next record, `None` at the end.
    #[inline]
    pub(super) fn step<R: Read>(&mut self, window: &mut Window<R>) -> Result<Option<Found>, ReadError> {
        if self.lost {
            self.lost = false;
            if !resync::search(window, self.record_header, |window| self.chain_begins(window, 0))? {
                return Ok(None);
            }
        }
        if !fill(window, self.record_header)? {
            if window.available() == 0 {
                return Ok(None);
            }
            let fault = ReadError::truncated(window, "a record header", self.record_header);
            return Err(ReadError { last: true, ..fault });
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
        if !fill(window, whole)? {
            let fault = ReadError::truncated(window, "a record", whole);
            return Err(ReadError { last: true, ..fault });
        }
        window.consume(whole);
        if trusted {
            self.last = Some(record.seconds);
        }
        Ok(Some(Found {
            time: self.time(record),
            link: self.link,
            interface: 0,
            original_len: original,
            back: len,
            len,
        }))
    }

    /// Both factors are small enough that the sum is far from the ends of an i64.
    #[inline]
    fn time(&self, record: Record) -> i64 {
        let seconds = i64::from(record.seconds).saturating_mul(1_000_000_000);
        seconds.saturating_add(i64::from(record.fraction).saturating_mul(i64::from(self.unit)))
    }

    #[cold]
    fn start_resync<R: Read>(&mut self, window: &Window<R>, damage: Damage) -> ReadError {
        self.lost = true;
        ReadError::here(window, damage)
    }

    /// Whether a record, or the start of one and the end of the input, is `at` bytes from here.
    #[cold]
    fn record_follows<R: Read>(&self, window: &mut Window<R>, at: usize) -> Result<bool, ReadError> {
        if fill(window, at.saturating_add(self.record_header))? {
            let record = Record::read(self.order, window.bytes(), at);
            return Ok(record.is_some_and(|record| self.is_possible(record)));
        }
        Ok(window.available() >= at)
    }

    /// Whether believable records begin within the next `len` bytes.
    #[cold]
    fn contains_records<R: Read>(&self, window: &mut Window<R>, len: usize) -> Result<bool, ReadError> {
        for at in 1..len {
            if window.available() < at && !fill(window, at)? {
                break;
            }
            if self.chain_begins(window, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a chain of believable records begins `at` bytes from here: three, or fewer up to the end of the
    /// input.
    fn chain_begins<R: Read>(&self, window: &mut Window<R>, mut at: usize) -> Result<bool, ReadError> {
        for whole_before in 0..CHAIN {
            let data = at.saturating_add(self.record_header);
            if !fill(window, data)? {
                let exactly_at_end = window.available() == at;
                return Ok(whole_before > 1 || (whole_before == 1 && exactly_at_end));
            }
            let record = Record::read(self.order, window.bytes(), at);
            let Some(record) = record.filter(|record| self.is_plausible(*record)) else { return Ok(false) };
            at = data.saturating_add(usize::try_from(record.captured).unwrap_or(usize::MAX));
            if !fill(window, at)? {
                return Ok(whole_before > 0);
            }
        }
        Ok(true)
    }

    /// Whether a record header found by searching can be one.
    fn is_plausible(&self, record: Record) -> bool {
        self.is_possible(record) && self.is_near(record)
    }

    /// Whether the fields are in the range of those of a sound record.
    fn is_possible(&self, record: Record) -> bool {
        let Record { fraction, captured, original, .. } = record;
        let units_per_second = 1_000_000_000_u32.checked_div(self.unit).unwrap_or(0);
        (1..=self.limit.min(MAX_CANDIDATE)).contains(&captured)
            && (captured..=MAX_RECORD).contains(&original)
            && fraction < units_per_second
    }

    /// Whether a record was captured not long before or after the last good one.
    #[inline]
    fn is_near(&self, record: Record) -> bool {
        self.last.is_none_or(|last| last.abs_diff(record.seconds) <= BELIEVABLE_PAUSE)
    }
}
