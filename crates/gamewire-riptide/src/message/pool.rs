//! A pool of the buffers of dropped messages. Once it is filled, messages need no allocation.

use core::ops::{Deref, DerefMut};
use std::cell::RefCell;

use super::content::Content;

/// Maximum number of pooled contents per thread.
const MAX_POOLED: usize = 256;
/// Maximum buffer size in bytes of a pooled content.
const MAX_BYTES: usize = 4096;

#[allow(clippy::vec_box, reason = "boxes move in and out without a copy")]
type Pool = RefCell<Vec<Box<Content>>>;

thread_local! {
    static POOL: Pool = const { RefCell::new(Vec::new()) };
}

/// Content of a message. It returns to the pool of the thread that drops it. The type is only a pointer, because
/// messages are moved often.
#[derive(Clone)]
pub(super) struct Pooled(Option<Box<Content>>);

impl Pooled {
    /// Returns a pooled or new content, with buffers of any size.
    #[inline]
    pub(super) fn get() -> Self {
        // The pool is not accessible while the thread exits.
        let pooled = POOL.try_with(|pool| pool.borrow_mut().pop()).ok().flatten();
        Self(Some(pooled.unwrap_or_else(new_content)))
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
        if let Some(content) = self.0.take().filter(|content| content.max_buffer_bytes() <= MAX_BYTES) {
            POOL.try_with(|pool| {
                let mut pool = pool.borrow_mut();
                if pool.len() < MAX_POOLED {
                    pool.push(content);
                }
            })
            .ok();
        }
    }
}

#[cold]
fn new_content() -> Box<Content> {
    Box::default()
}

/// Frees the pool of this thread.
pub(super) fn trim() {
    let pooled = POOL.try_with(|pool| core::mem::take(&mut *pool.borrow_mut()));
    drop(pooled);
}
