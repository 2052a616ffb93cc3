//! Buffers of messages that are no more, for those to come: once there are enough, no message
//! costs an allocation.

use std::cell::RefCell;

/// How many buffers of a message's size a thread keeps.
const MAX_BUFFERS: usize = 256;
/// A buffer larger than this is not kept, in bytes.
const MAX_KEPT: usize = 4096;
/// Buffers have multiples of this many bytes: those of both formats are the same then.
const STEP: usize = 256;

thread_local! {
    static POOL: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// A buffer that goes back to the pool of whichever thread drops it.
pub(super) struct Buffer(Vec<u8>);

impl Buffer {
    /// One of `size` bytes or more, of any content.
    pub(super) fn with_size(size: usize) -> Self {
        if size == 0 {
            return Self(Vec::new());
        }
        // The pool is gone while a thread ends.
        let mut bytes = POOL.try_with(|pool| pool.borrow_mut().pop()).ok().flatten().unwrap_or_default();
        if bytes.len() < size {
            bytes.resize(size.next_multiple_of(STEP), 0);
        }
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        let mut copy = Self::with_size(self.0.len());
        if let Some(place) = copy.0.get_mut(..self.0.len()) {
            place.copy_from_slice(&self.0);
        }
        copy
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let bytes = core::mem::take(&mut self.0);
        if !bytes.is_empty() && bytes.len() <= MAX_KEPT {
            let _ = POOL.try_with(|pool| {
                let mut pool = pool.borrow_mut();
                if pool.len() < MAX_BUFFERS {
                    pool.push(bytes);
                }
            });
        }
    }
}

/// Frees what this thread keeps.
pub(super) fn trim() {
    let kept = POOL.try_with(|pool| core::mem::take(&mut *pool.borrow_mut()));
    drop(kept);
}
