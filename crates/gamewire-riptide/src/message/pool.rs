//! What messages that are no more held, for those to come: once there is enough of it, no message
//! costs an allocation.

use core::ops::{Deref, DerefMut};
use std::cell::RefCell;

use super::content::Content;

/// How many a thread keeps.
const MAX_KEPT: usize = 256;
/// What has larger buffers is not kept, in bytes.
const MAX_BYTES: usize = 4096;
/// Buffers have multiples of this many bytes: those of both formats are the same then.
const STEP: usize = 256;

#[allow(clippy::vec_box, reason = "they go in and out as pointers")]
type Pool = RefCell<Vec<Box<Content>>>;

thread_local! {
    static POOL: Pool = const { RefCell::new(Vec::new()) };
}

/// The content of a message, which goes back to the pool of whichever thread drops it. It is a pointer
/// and no more, since messages are moved often.
#[derive(Clone)]
pub(super) struct Pooled(Option<Box<Content>>);

impl Pooled {
    /// Any content, with buffers of any size.
    #[inline]
    pub(super) fn take() -> Self {
        // The pool is gone while the thread ends.
        let kept = POOL.try_with(|pool| pool.borrow_mut().pop()).ok().flatten();
        Self(Some(kept.unwrap_or_else(first)))
    }
}

impl Deref for Pooled {
    type Target = Content;

    #[inline]
    fn deref(&self) -> &Content {
        self.0.as_deref().unwrap_or_else(|| unreachable!("only drop takes it"))
    }
}

impl DerefMut for Pooled {
    #[inline]
    fn deref_mut(&mut self) -> &mut Content {
        self.0.as_deref_mut().unwrap_or_else(|| unreachable!("only drop takes it"))
    }
}

impl Drop for Pooled {
    #[inline]
    fn drop(&mut self) {
        if let Some(content) = self.0.take().filter(|content| content.largest() <= MAX_BYTES) {
            POOL.try_with(|pool| {
                let mut pool = pool.borrow_mut();
                if pool.len() < MAX_KEPT {
                    pool.push(content);
                }
            })
            .ok();
        }
    }
}

#[cold]
fn first() -> Box<Content> {
    Box::default()
}

/// Makes room for `size` bytes. What was there may be gone.
#[inline]
pub(super) fn ensure(buffer: &mut Box<[u8]>, size: usize) {
    if buffer.len() < size {
        *buffer = larger(size);
    }
}

#[cold]
fn larger(size: usize) -> Box<[u8]> {
    vec![0; size.next_multiple_of(STEP)].into_boxed_slice()
}

/// Frees what this thread keeps.
pub(super) fn trim() {
    let kept = POOL.try_with(|pool| core::mem::take(&mut *pool.borrow_mut()));
    drop(kept);
}
