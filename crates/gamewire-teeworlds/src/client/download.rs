//! The download of a map. The server's description is checked before the download, and each chunk when it arrives.

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::MapInfo;
use crate::model::message::{MapChunkInfo, MapChunking};

/// Maximum size of a chunk in bytes. It is the size of a datagram.
const MAX_CHUNK: usize = 1400;

/// The reason for the rejection of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MapRefusal {
    /// The name is not a valid file name.
    #[error("invalid map name: expected a file name without a path")]
    Name,
    /// The size is not positive.
    #[error("invalid map size {0}: expected a positive number of bytes")]
    Size(i32),
    /// The map is larger than the configuration allows.
    #[error("the map is too large: {size} bytes, at most {limit} are allowed")]
    TooLarge {
        /// The size in bytes, according to the server.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The chunk size or the number of chunks per request is invalid (0.7).
    #[error("invalid map chunks: {size} bytes, {per_request} per request")]
    Pieces {
        /// Size of a chunk in bytes.
        size: i32,
        /// Chunks per request.
        per_request: i32,
    },
    /// A chunk has the wrong size.
    #[error("invalid map chunk of {size} bytes: {room} bytes are missing")]
    PieceSize {
        /// Size of the chunk in bytes.
        size: usize,
        /// Bytes of the map that were missing before this chunk.
        room: usize,
    },
    /// The CRC-32 of the map is wrong.
    #[error("wrong map crc {found:08x}: expected {wanted:08x}")]
    Crc {
        /// The CRC-32 of the received bytes.
        found: u32,
        /// The CRC-32 according to the server.
        wanted: u32,
    },
    /// The SHA-256 of the map is wrong.
    #[error("wrong map SHA-256")]
    Sha256,
}

/// The result of adding a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChunkOutcome {
    /// The chunk is not the next one. Nothing changes.
    Stray,
    /// The server sends more chunks without a request.
    Waiting,
    /// The client must request the chunks from this one on.
    Request(i32),
    /// The map is complete and has the right checksums.
    Complete,
}

/// A map that is being downloaded.
#[derive(Debug)]
pub(super) struct Download {
    crc: u32,
    sha256: Option<[u8; 32]>,
    size: usize,
    chunk_request: ChunkRequest,
    next_piece: i32,
    bytes: Vec<u8>,
    crc_so_far: crc32fast::Hasher,
    sha256_so_far: Sha256,
}

/// The way in which the client requests chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChunkRequest {
    /// Each by its number (0.6).
    PerChunk,
    /// Several chunks of `size` bytes per request (0.7).
    Batched { per_request: i32, size: usize },
}

impl Download {
    /// Starts a download. Memory is allocated for received bytes, not for the announced size.
    ///
    /// # Errors
    /// [`MapRefusal`] if the description is invalid or the map is larger than `limit` bytes.
    pub(super) fn new(
        map: &MapInfo,
        chunking: Option<MapChunking>,
        limit: usize,
    ) -> Result<Self, MapRefusal> {
        if map.file_name().is_none() {
            return Err(MapRefusal::Name);
        }
        let size = usize::try_from(map.size).ok().filter(|size| *size > 0);
        let size = size.ok_or(MapRefusal::Size(map.size))?;
        if size > limit {
            return Err(MapRefusal::TooLarge { size, limit });
        }
        let chunk_request = match chunking {
            None => ChunkRequest::PerChunk,
            Some(MapChunking { per_request, size }) => {
                let piece = usize::try_from(size).ok().filter(|piece| (1..=MAX_CHUNK).contains(piece));
                let piece = piece.filter(|_| per_request > 0);
                let piece = piece.ok_or(MapRefusal::Pieces { size, per_request })?;
                ChunkRequest::Batched { per_request, size: piece }
            }
        };
        Ok(Self {
            crc: map.crc,
            sha256: map.sha256,
            size,
            chunk_request,
            next_piece: 0,
            bytes: Vec::new(),
            crc_so_far: crc32fast::Hasher::new(),
            sha256_so_far: Sha256::new(),
        })
    }

    /// Returns the number of bytes received.
    pub(super) fn received(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the memory that is held, in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Returns the size of the map in bytes.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// Returns the received bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Adds a chunk.
    ///
    /// # Errors
    /// [`MapRefusal`] if the size of the next chunk or a checksum of the complete map is wrong.
    pub(super) fn add_chunk(
        &mut self,
        info: Option<MapChunkInfo>,
        data: &[u8],
    ) -> Result<ChunkOutcome, MapRefusal> {
        if info.is_some() != (self.chunk_request == ChunkRequest::PerChunk) {
            return Ok(ChunkOutcome::Stray);
        }
        if info.is_some_and(|info| info.crc != self.crc || info.piece != self.next_piece) {
            return Ok(ChunkOutcome::Stray);
        }
        let room = self.size.saturating_sub(self.bytes.len());
        let fits = match (self.chunk_request, info) {
            (ChunkRequest::Batched { size, .. }, _) => data.len() == size.min(room),
            (ChunkRequest::PerChunk, Some(info)) if info.is_last => data.len() == room,
            (ChunkRequest::PerChunk, _) => (1..room).contains(&data.len()),
        };
        if !fits {
            return Err(MapRefusal::PieceSize { size: data.len(), room });
        }
        self.bytes.extend_from_slice(data);
        self.crc_so_far.update(data);
        self.sha256_so_far.update(data);
        self.next_piece = self.next_piece.saturating_add(1);
        if self.bytes.len() == self.size {
            return self.check().map(|()| ChunkOutcome::Complete);
        }
        Ok(match self.chunk_request {
            ChunkRequest::Batched { per_request, .. }
                if self.next_piece.checked_rem(per_request) != Some(0) =>
            {
                ChunkOutcome::Waiting
            }
            _ => ChunkOutcome::Request(self.next_piece),
        })
    }

    fn check(&self) -> Result<(), MapRefusal> {
        let (crc, sha256) = (self.crc_so_far.clone().finalize(), self.sha256_so_far.clone().finalize());
        compare(self.crc, self.sha256, crc, sha256.into())
    }
}

impl MapInfo {
    /// Checks that `bytes` are this map.
    ///
    /// # Errors
    /// [`MapRefusal::Crc`] or [`MapRefusal::Sha256`] if a checksum differs.
    pub fn check(&self, bytes: &[u8]) -> Result<(), MapRefusal> {
        compare(self.crc, self.sha256, crc32fast::hash(bytes), Sha256::digest(bytes).into())
    }
}

/// Compares the checksums of the server with the checksums of the received bytes.
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
    use crate::model::TextBuf;

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

    fn chunk_info(piece: i32, is_last: bool) -> Option<MapChunkInfo> {
        Some(MapChunkInfo { is_last, crc: crc32fast::hash(FILE), piece })
    }

    fn refusal(map: &MapInfo, chunking: Option<MapChunking>) -> MapRefusal {
        Download::new(map, chunking, 1000).unwrap_err()
    }

    #[test]
    fn in_0_6_every_chunk_is_requested_by_its_number() {
        let mut download = Download::new(&map(), None, 17).unwrap();
        assert_eq!(download.add_chunk(chunk_info(0, false), &FILE[..8]), Ok(ChunkOutcome::Request(1)));
        assert_eq!(download.add_chunk(chunk_info(1, false), &FILE[8..16]), Ok(ChunkOutcome::Request(2)));
        assert_eq!((download.received(), download.size()), (16, 17));
        assert_eq!(download.add_chunk(chunk_info(2, true), &FILE[16..]), Ok(ChunkOutcome::Complete));
        assert_eq!(download.into_bytes(), FILE);
    }

    #[test]
    fn in_0_7_the_chunks_of_a_batch_need_one_request() {
        let mut download = Download::new(&map(), PIECES, 17).unwrap();
        let progress: Vec<_> = FILE.chunks(3).map(|piece| download.add_chunk(None, piece).unwrap()).collect();
        let (waiting, request) = (ChunkOutcome::Waiting, ChunkOutcome::Request);
        assert_eq!(progress, [waiting, request(2), waiting, request(4), waiting, ChunkOutcome::Complete]);
    }

    #[test]
    fn t11_a_map_with_an_invalid_or_too_large_size_is_rejected() {
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
    fn t11_an_announced_size_allocates_nothing() {
        let map = MapInfo { size: i32::MAX, ..map() };
        let download = Download::new(&map, None, usize::MAX).unwrap();
        assert_eq!(download.bytes.capacity(), 0);
    }

    #[test]
    fn t11_invalid_chunk_sizes_are_rejected() {
        for (size, per_request) in
            [(0, 1), (-1, 1), (1401, 1), (i32::MAX, 1), (896, 0), (896, -1), (896, i32::MIN)]
        {
            let pieces = Some(MapChunking { per_request, size });
            assert_eq!(refusal(&map(), pieces), MapRefusal::Pieces { size, per_request });
        }
    }

    #[test]
    fn t11_a_name_with_a_path_is_rejected() {
        let long = "a".repeat(300);
        for name in ["", "../dm1", "..", "/etc/passwd", "a\\b", "c:dm1", "a\0b", "a\nb", ".hidden", &long] {
            let map = MapInfo { name: TextBuf::from(name), ..map() };
            assert_eq!(refusal(&map, None), MapRefusal::Name, "{name:?}");
        }
        let fine = MapInfo { name: TextBuf::from("Gold Mine (v2) é"), ..map() };
        assert!(Download::new(&fine, None, 17).is_ok());
    }

    #[test]
    fn t11_chunks_of_another_map_or_out_of_order_change_nothing() {
        let mut download = Download::new(&map(), None, 17).unwrap();
        let other = Some(MapChunkInfo { is_last: false, crc: 1, piece: 0 });
        assert_eq!(download.add_chunk(other, b"other"), Ok(ChunkOutcome::Stray));
        for piece in [1, -1, i32::MAX, i32::MIN] {
            assert_eq!(download.add_chunk(chunk_info(piece, false), b"data"), Ok(ChunkOutcome::Stray));
        }
        assert_eq!(download.add_chunk(None, b"data"), Ok(ChunkOutcome::Stray), "0.6 sends the number");
        assert_eq!(download.received(), 0);
        let mut seven = Download::new(&map(), PIECES, 17).unwrap();
        assert_eq!(
            seven.add_chunk(chunk_info(0, false), b"a m"),
            Ok(ChunkOutcome::Stray),
            "0.7 does not send it"
        );
    }

    #[test]
    fn t11_a_chunk_of_the_wrong_size_is_rejected() {
        for (is_last, size) in [(false, 0), (false, 17), (false, 18), (true, 16), (true, 18), (true, 0)] {
            let mut download = Download::new(&map(), None, 17).unwrap();
            let expected = Err(MapRefusal::PieceSize { size, room: 17 });
            assert_eq!(
                download.add_chunk(chunk_info(0, is_last), &[0; 18][..size]),
                expected,
                "{is_last} {size}"
            );
        }
        for size in [0, 2, 4] {
            let mut download = Download::new(&map(), PIECES, 17).unwrap();
            assert!(download.add_chunk(None, &[0; 4][..size]).is_err(), "{size}");
        }
    }

    #[test]
    fn t11_a_map_with_a_wrong_checksum_is_rejected() {
        let mut other = FILE.to_vec();
        other[3] ^= 1;
        let mut download = Download::new(&map(), None, 17).unwrap();
        assert!(matches!(download.add_chunk(chunk_info(0, true), &other), Err(MapRefusal::Crc { .. })));

        let wrong = MapInfo { sha256: Some([7; 32]), ..map() };
        let mut download = Download::new(&wrong, None, 17).unwrap();
        assert_eq!(download.add_chunk(chunk_info(0, true), FILE), Err(MapRefusal::Sha256));

        let unknown = MapInfo { sha256: None, ..map() };
        let mut download = Download::new(&unknown, None, 17).unwrap();
        assert_eq!(download.add_chunk(chunk_info(0, true), FILE), Ok(ChunkOutcome::Complete));
    }
}
