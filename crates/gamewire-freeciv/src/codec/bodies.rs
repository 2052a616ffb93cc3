/// Bodies that are kept, one behind the other in chunks of memory. A chunk is given back once nothing in it is
/// kept any more.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyArena {
    chunks: Vec<Chunk>,
    /// The chunk that new bodies come to.
    current: usize,
    /// Chunks that were given back.
    free: Vec<usize>,
    /// Bytes of all chunks.
    bytes: usize,
}

#[derive(Clone, Debug, Default)]
struct Chunk {
    bytes: Vec<u8>,
    /// What it was counted as: a clone of the bytes may take less.
    counted: usize,
    /// How many bodies in it are kept.
    kept: usize,
}

/// Where a body is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyRef {
    chunk: usize,
    start: u32,
    length: u32,
}

impl BodyArena {
    /// Bytes that a chunk has at least, and at most unless it is for a single body.
    const MIN_BYTES: usize = 1 << 8;
    const MOST: usize = 1 << 13;

    /// Keeps a body; `None` if it is too long to be one.
    #[inline(always)]
    pub(super) fn keep(&mut self, body: &[u8]) -> Option<BodyRef> {
        let fits = |chunk: &Chunk| chunk.bytes.capacity().saturating_sub(chunk.bytes.len()) >= body.len();
        if !self.chunks.get(self.current).is_some_and(fits) {
            self.next_chunk(body.len());
        }
        let chunk = self.chunks.get_mut(self.current)?;
        let start = u32::try_from(chunk.bytes.len()).ok()?;
        let length = u32::try_from(body.len()).ok()?;
        chunk.bytes.extend_from_slice(body);
        chunk.kept = chunk.kept.saturating_add(1);
        Some(BodyRef { chunk: self.current, start, length })
    }

    /// A body that is kept.
    pub(super) fn get(&self, BodyRef { chunk, start, length }: BodyRef) -> Option<&[u8]> {
        let bytes = self.chunks.get(chunk)?.bytes.get(usize::try_from(start).ok()?..)?;
        bytes.get(..usize::try_from(length).ok()?)
    }

    /// Keeps a body no longer.
    pub(super) fn release(&mut self, body: BodyRef) {
        let Some(chunk) = self.chunks.get_mut(body.chunk) else { return };
        chunk.kept = chunk.kept.saturating_sub(1);
        if chunk.kept > 0 {
            return;
        }
        if body.chunk == self.current {
            chunk.bytes.clear();
        } else {
            self.bytes = self.bytes.saturating_sub(chunk.counted);
            *chunk = Chunk::default();
            self.free.push(body.chunk);
        }
    }

    /// How many bytes all of them take.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Makes room for a body of a length. Chunks grow with what is kept: a connection that keeps little takes
    /// little.
    #[cold]
    fn next_chunk(&mut self, length: usize) {
        let capacity = self.bytes.clamp(Self::MIN_BYTES, Self::MOST).max(length);
        let chunk = Chunk { bytes: Vec::with_capacity(capacity), counted: capacity, kept: 0 };
        self.bytes = self.bytes.saturating_add(capacity);
        let is_unused = |current: &&mut Chunk| current.kept == 0;
        if let Some(unused) = self.chunks.get_mut(self.current).filter(is_unused) {
            self.bytes = self.bytes.saturating_sub(unused.counted);
            *unused = chunk;
        } else if let Some((index, place)) =
            self.free.pop().and_then(|index| Some((index, self.chunks.get_mut(index)?)))
        {
            *place = chunk;
            self.current = index;
        } else {
            self.current = self.chunks.len();
            self.chunks.push(chunk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BodyArena;

    #[test]
    fn chunks_in_which_nothing_is_kept_are_given_back() {
        let mut bodies = BodyArena::default();
        let kept: Vec<_> =
            (0..10_000_u32).map(|n| bodies.keep(&n.to_be_bytes().repeat(10)).unwrap()).collect();
        assert!((400_000..420_000).contains(&bodies.bytes()), "{}", bodies.bytes());
        for (n, body) in (0_u32..).zip(&kept) {
            assert_eq!(bodies.get(*body).unwrap(), n.to_be_bytes().repeat(10));
        }
        kept.into_iter().for_each(|body| bodies.release(body));
        assert!(bodies.bytes() <= BodyArena::MOST, "{}", bodies.bytes());
        let again = bodies.keep(b"again").unwrap();
        assert_eq!(bodies.get(again), Some(&b"again"[..]));
    }

    #[test]
    fn one_body_after_the_other_takes_one_chunk() {
        let mut bodies = BodyArena::default();
        for length in (0..3000).chain((0..3000).rev()) {
            let body = bodies.keep(&vec![7; length]).unwrap();
            assert_eq!(bodies.get(body).unwrap().len(), length);
            bodies.release(body);
            assert!(bodies.bytes() <= 4096, "{} of {length}", bodies.bytes());
        }
    }

    #[test]
    fn a_chunk_stays_as_long_as_one_body_in_it_is_kept() {
        let mut bodies = BodyArena::default();
        let kept: Vec<_> = (0..10_000).map(|_| bodies.keep(&[1; 100]).unwrap()).collect();
        let before = bodies.bytes();
        let (first, others) = kept.split_first().unwrap();
        let others = others.iter().step_by(2).chain(others.iter().skip(1).step_by(2));
        others.for_each(|body| bodies.release(*body));
        assert!(
            before > 1_000_000 && bodies.bytes() <= BodyArena::MOST + BodyArena::MIN_BYTES,
            "{}",
            bodies.bytes()
        );
        assert_eq!(bodies.get(*first), Some(&[1; 100][..]));
    }
    #[test]
    fn a_clone_is_counted_like_what_it_is_of() {
        let mut bodies = BodyArena::default();
        let kept: Vec<_> = (0..1000).map(|_| bodies.keep(&[1; 100]).unwrap()).collect();
        let mut clone = bodies.clone();
        for body in kept {
            bodies.release(body);
            clone.release(body);
        }
        for length in 0..2000 {
            let both = [&mut bodies, &mut clone].map(|bodies| bodies.keep(&vec![2; length]).unwrap());
            [&mut bodies, &mut clone].into_iter().zip(both).for_each(|(bodies, body)| bodies.release(body));
        }
        assert!(
            bodies.bytes().abs_diff(clone.bytes()) <= BodyArena::MOST,
            "{} {}",
            bodies.bytes(),
            clone.bytes()
        );
    }
}
