//! What messages that are no more held, for those to come: once there is enough of it, no message
//! costs an allocation.

use core::ops::{Deref, DerefMut};
use std::cell::RefCell;

/// How many of a kind a thread keeps.
const MAX_KEPT: usize = 256;
/// What has larger buffers is not kept, in bytes.
const MAX_BYTES: usize = 4096;
/// Buffers have multiples of this many bytes: those of both formats are the same then.
const STEP: usize = 256;

/// What a thread keeps of one kind.
pub(super) type Pool<T> = RefCell<Vec<Box<T>>>;

/// The contents of a message.
pub(super) trait Contents: Clone + Default + 'static {
    /// Lets `look` have what this thread keeps of them. That is gone while the thread ends.
    fn with_pool<R>(look: impl FnOnce(&Pool<Self>) -> R) -> Option<R>;

    /// The size of its largest buffer, in bytes.
    fn largest(&self) -> usize;
}

/// Contents that go back to the pool of whichever thread drops them. It is a pointer and no more,
/// since messages are moved often.
#[derive(Clone)]
pub(super) struct Pooled<T: Contents>(Option<Box<T>>);

impl<T: Contents> Pooled<T> {
    /// Any contents, with buffers of any size.
    #[inline]
    pub(super) fn take() -> Self {
        let kept = T::with_pool(|pool| pool.borrow_mut().pop()).flatten();
        Self(Some(kept.unwrap_or_else(first)))
    }
}

impl<T: Contents> Deref for Pooled<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or_else(|| unreachable!("only drop takes it"))
    }
}

impl<T: Contents> DerefMut for Pooled<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_deref_mut().unwrap_or_else(|| unreachable!("only drop takes it"))
    }
}

impl<T: Contents> Drop for Pooled<T> {
    #[inline]
    fn drop(&mut self) {
        if let Some(contents) = self.0.take().filter(|contents| contents.largest() <= MAX_BYTES) {
            T::with_pool(|pool| {
                let mut pool = pool.borrow_mut();
                if pool.len() < MAX_KEPT {
                    pool.push(contents);
                }
            });
        }
    }
}

#[cold]
fn first<T: Contents>() -> Box<T> {
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

/// Frees what this thread keeps of a kind.
pub(super) fn trim<T: Contents>() {
    let kept = T::with_pool(|pool| core::mem::take(&mut *pool.borrow_mut()));
    drop(kept);
}
