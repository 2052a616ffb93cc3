//! The download of a map: the server's claims are checked before they are believed, and its pieces
//! as they come.

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::MapInfo;
use crate::session::message::{MapChunkInfo, MapChunking};

/// The most bytes of a piece: no datagram carries more.
const MAX_PIECE: usize = 1400;

/// Why a map, or the rest of it, is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MapRefusal {
    /// Its name could lead out of a folder, or is no name at all.
    #[error("the map's name is empty, too long, or not fit for a file")]
    Name,
    /// Its size is not positive.
    #[error("the map's size of {0} bytes cannot be")]
    Size(i32),
    /// It is larger than the configuration allows.
    #[error("the map's {size} bytes are more than the {limit} that are allowed")]
    TooLarge {
        /// The size that the server names, in bytes.
        size: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The way it is to be handed out cannot be (0.7).
    #[error("the map cannot come in pieces of {size} bytes, {per_request} a request")]
    Pieces {
        /// Bytes in a piece.
        size: i32,
        /// Pieces that answer a request.
        per_request: i32,
    },
    /// The next piece has not the size that its place demands.
    #[error("a piece of {size} bytes does not fit where {room} are missing")]
    PieceSize {
        /// Its bytes.
        size: usize,
        /// How many bytes of the map were missing before it.
        room: usize,
    },
    /// The whole has not the CRC-32 that the server named.
    #[error("the map's crc is {found:08x}, not {wanted:08x}")]
    Crc {
        /// The sum of what came.
        found: u32,
        /// The sum that was named.
        wanted: u32,
    },
    /// The whole has not the SHA-256 that the server named.
    #[error("the map's SHA-256 is not the one that the server named")]
    Sha256,
}

/// What a piece led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChunkOutcome {
    /// It is not the piece that is waited for, and changes nothing.
    Stray,
    /// More pieces come by themselves.
    Waiting,
    /// The next pieces are to be asked for, from this one on.
    Ask(i32),
    /// The map is whole, and is the one that was named.
    Whole,
}

/// A map that is on its way.
#[derive(Debug)]
pub(super) struct Download {
    crc: u32,
    sha256: Option<[u8; 32]>,
    size: usize,
    pacing: ChunkRequest,
    next_piece: i32,
    bytes: Vec<u8>,
    crc_so_far: crc32fast::Hasher,
    sha256_so_far: Sha256,
}

/// Who decides when the next piece comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChunkRequest {
    /// Each is asked for by its number (0.6).
    ByPiece,
    /// So many pieces of one size answer each request (0.7).
    InBatches { per_request: i32, size: usize },
}

impl Download {
    /// Begins a download. Nothing is reserved: memory follows the bytes that come, not the claim.
    ///
    /// # Errors
    /// When what the server says of the map cannot be, or is more than `limit` bytes.
    pub(super) fn new(map: &MapInfo, pieces: Option<MapChunking>, limit: usize) -> Result<Self, MapRefusal> {
        if map.file_name().is_none() {
            return Err(MapRefusal::Name);
        }
        let size = usize::try_from(map.size).ok().filter(|size| *size > 0);
        let size = size.ok_or(MapRefusal::Size(map.size))?;
        if size > limit {
            return Err(MapRefusal::TooLarge { size, limit });
        }
        let pacing = match pieces {
            None => ChunkRequest::ByPiece,
            Some(MapChunking { per_request, size }) => {
                let piece = usize::try_from(size).ok().filter(|piece| (1..=MAX_PIECE).contains(piece));
                let piece = piece.filter(|_| per_request > 0);
                let piece = piece.ok_or(MapRefusal::Pieces { size, per_request })?;
                ChunkRequest::InBatches { per_request, size: piece }
            }
        };
        Ok(Self {
            crc: map.crc,
            sha256: map.sha256,
            size,
            pacing,
            next_piece: 0,
            bytes: Vec::new(),
            crc_so_far: crc32fast::Hasher::new(),
            sha256_so_far: Sha256::new(),
        })
    }

    /// How many bytes have come.
    pub(super) fn received(&self) -> usize {
        self.bytes.len()
    }

    /// How much memory is held, in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// How many bytes the map has.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// The bytes of the map, as far as they have come.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Takes a piece.
    ///
    /// # Errors
    /// When it is the piece that is waited for, and it or the map that it completes is wrong.
    pub(super) fn take(
        &mut self,
        place: Option<MapChunkInfo>,
        data: &[u8],
    ) -> Result<ChunkOutcome, MapRefusal> {
        if place.is_some() != (self.pacing == ChunkRequest::ByPiece) {
            return Ok(ChunkOutcome::Stray);
        }
        if place.is_some_and(|place| place.crc != self.crc || place.piece != self.next_piece) {
            return Ok(ChunkOutcome::Stray);
        }
        let room = self.size.saturating_sub(self.bytes.len());
        let fits = match (self.pacing, place) {
            (ChunkRequest::InBatches { size, .. }, _) => data.len() == size.min(room),
            (ChunkRequest::ByPiece, Some(place)) if place.is_last => data.len() == room,
            (ChunkRequest::ByPiece, _) => (1..room).contains(&data.len()),
        };
        if !fits {
            return Err(MapRefusal::PieceSize { size: data.len(), room });
        }
        self.bytes.extend_from_slice(data);
        self.crc_so_far.update(data);
        self.sha256_so_far.update(data);
        self.next_piece = self.next_piece.saturating_add(1);
        if self.bytes.len() == self.size {
            return self.check().map(|()| ChunkOutcome::Whole);
        }
        Ok(match self.pacing {
            ChunkRequest::InBatches { per_request, .. }
                if self.next_piece.checked_rem(per_request) != Some(0) =>
            {
                ChunkOutcome::Waiting
            }
            _ => ChunkOutcome::Ask(self.next_piece),
        })
    }

    fn check(&self) -> Result<(), MapRefusal> {
        let (crc, sha256) = (self.crc_so_far.clone().finalize(), self.sha256_so_far.clone().finalize());
        compare(self.crc, self.sha256, crc, sha256.into())
    }
}

impl MapInfo {
    /// Whether `bytes` are this map's.
    ///
    /// # Errors
    /// Which of the sums that the server named is another.
    pub fn check(&self, bytes: &[u8]) -> Result<(), MapRefusal> {
        compare(self.crc, self.sha256, crc32fast::hash(bytes), Sha256::digest(bytes).into())
    }
}

/// Compares the sums that a server named with those that were found.
fn compare(crc: u32, sha256: Option<[u8; 32]>, found: u32, found_sha256: [u8; 32]) -> Result<(), MapRefusal> {
    if found != crc {
        return Err(MapRefusal::Crc { found, wanted: crc });
    }
    if sha256.is_some_and(|wanted| wanted != found_sha256) {
        return Err(MapRefusal::Sha256);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::text::TextBuf;

    const PIECES: Option<MapChunking> = Some(MapChunking { per_request: 2, size: 3 });
    const FILE: &[u8] = b"a map of 17 bytes";

    fn map() -> MapInfo {
        MapInfo {
            name: TextBuf::from("dm1"),
            crc: crc32fast::hash(FILE),
            size: 17,
            sha256: Some(Sha256::digest(FILE).into()),
            url: None,
        }
    }

    fn place(piece: i32, is_last: bool) -> Option<MapChunkInfo> {
        Some(MapChunkInfo { is_last, crc: crc32fast::hash(FILE), piece })
    }

    fn refusal(map: &MapInfo, pieces: Option<MapChunking>) -> MapRefusal {
        Download::new(map, pieces, 1000).unwrap_err()
    }

    #[test]
    fn in_0_6_every_piece_is_asked_for_by_its_number() {
        let mut download = Download::new(&map(), None, 17).unwrap();
        assert_eq!(download.take(place(0, false), &FILE[..8]), Ok(ChunkOutcome::Ask(1)));
        assert_eq!(download.take(place(1, false), &FILE[8..16]), Ok(ChunkOutcome::Ask(2)));
        assert_eq!((download.received(), download.size()), (16, 17));
        assert_eq!(download.take(place(2, true), &FILE[16..]), Ok(ChunkOutcome::Whole));
        assert_eq!(download.into_bytes(), FILE);
    }

    #[test]
    fn in_0_7_each_request_is_answered_by_a_batch() {
        let mut download = Download::new(&map(), PIECES, 17).unwrap();
        let progress: Vec<_> = FILE.chunks(3).map(|piece| download.take(None, piece).unwrap()).collect();
        let (waiting, ask) = (ChunkOutcome::Waiting, ChunkOutcome::Ask);
        assert_eq!(progress, [waiting, ask(2), waiting, ask(4), waiting, ChunkOutcome::Whole]);
    }

    #[test]
    fn t11_a_map_whose_size_cannot_be_or_is_too_large_is_refused() {
        for size in [0, -1, i32::MIN] {
            assert_eq!(refusal(&MapInfo { size, ..map() }, None), MapRefusal::Size(size));
        }
        for size in [1001, i32::MAX] {
            let claimed = usize::try_from(size).unwrap();
            let expected = MapRefusal::TooLarge { size: claimed, limit: 1000 };
            assert_eq!(refusal(&MapInfo { size, ..map() }, None), expected);
        }
    }

    #[test]
    fn t11_a_claimed_size_reserves_nothing() {
        let map = MapInfo { size: i32::MAX, ..map() };
        let download = Download::new(&map, None, usize::MAX).unwrap();
        assert_eq!(download.bytes.capacity(), 0);
    }

    #[test]
    fn t11_pieces_that_cannot_be_are_refused() {
        for (size, per_request) in
            [(0, 1), (-1, 1), (1401, 1), (i32::MAX, 1), (896, 0), (896, -1), (896, i32::MIN)]
        {
            let pieces = Some(MapChunking { per_request, size });
            assert_eq!(refusal(&map(), pieces), MapRefusal::Pieces { size, per_request });
        }
    }

    #[test]
    fn t11_a_name_that_leads_out_of_a_folder_or_is_none_is_refused() {
        let long = "a".repeat(300);
        for name in ["", "../dm1", "..", "/etc/passwd", "a\\b", "c:dm1", "a\0b", "a\nb", ".hidden", &long] {
            let map = MapInfo { name: TextBuf::from(name), ..map() };
            assert_eq!(refusal(&map, None), MapRefusal::Name, "{name:?}");
        }
        let fine = MapInfo { name: TextBuf::from("Gold Mine (v2) é"), ..map() };
        assert!(Download::new(&fine, None, 17).is_ok());
    }

    #[test]
    fn t11_pieces_of_another_map_or_out_of_turn_change_nothing() {
        let mut download = Download::new(&map(), None, 17).unwrap();
        let other = Some(MapChunkInfo { is_last: false, crc: 1, piece: 0 });
        assert_eq!(download.take(other, b"other"), Ok(ChunkOutcome::Stray));
        for piece in [1, -1, i32::MAX, i32::MIN] {
            assert_eq!(download.take(place(piece, false), b"data"), Ok(ChunkOutcome::Stray));
        }
        assert_eq!(download.take(None, b"data"), Ok(ChunkOutcome::Stray), "0.6 says which piece it is");
        assert_eq!(download.received(), 0);
        let mut seven = Download::new(&map(), PIECES, 17).unwrap();
        assert_eq!(seven.take(place(0, false), b"a m"), Ok(ChunkOutcome::Stray), "0.7 does not");
    }

    #[test]
    fn t11_a_piece_of_the_wrong_size_is_refused() {
        for (is_last, size) in [(false, 0), (false, 17), (false, 18), (true, 16), (true, 18), (true, 0)] {
            let mut download = Download::new(&map(), None, 17).unwrap();
            let expected = Err(MapRefusal::PieceSize { size, room: 17 });
            assert_eq!(download.take(place(0, is_last), &[0; 18][..size]), expected, "{is_last} {size}");
        }
        for size in [0, 2, 4] {
            let mut download = Download::new(&map(), PIECES, 17).unwrap();
            assert!(download.take(None, &[0; 4][..size]).is_err(), "{size}");
        }
    }

    #[test]
    fn t11_a_map_with_the_wrong_sum_is_refused() {
        let mut other = FILE.to_vec();
        other[3] ^= 1;
        let mut download = Download::new(&map(), None, 17).unwrap();
        assert!(matches!(download.take(place(0, true), &other), Err(MapRefusal::Crc { .. })));

        let wrong = MapInfo { sha256: Some([7; 32]), ..map() };
        let mut download = Download::new(&wrong, None, 17).unwrap();
        assert_eq!(download.take(place(0, true), FILE), Err(MapRefusal::Sha256));

        let unknown = MapInfo { sha256: None, ..map() };
        let mut download = Download::new(&unknown, None, 17).unwrap();
        assert_eq!(download.take(place(0, true), FILE), Ok(ChunkOutcome::Whole));
    }
}
