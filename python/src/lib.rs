//! The native module of the Python package `gamewire`.
#![deny(unsafe_code)]
use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
