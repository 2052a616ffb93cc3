//! The native module of the Python package `gamewire`: classes over the machines and drivers of the crate `gamewire`.
//!
//! It holds no logic of a protocol. What it converts are calls, errors, descriptions and arrays.

mod convert;
mod error;
mod freeciv;
mod inspect;
mod log;
mod riptide;
mod shared;
mod waiting;

/// The module `gamewire._native`.
#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::error::{ClosedError, Error};
    #[pymodule_export]
    use crate::freeciv::{FreecivPlayer, LocalServer};
    #[pymodule_export]
    use crate::inspect::{Capture, Packet, explain, write_tables};
    #[pymodule_export]
    use crate::riptide::{RiptideClient, RiptideMessage, RiptideServer};

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::log::install();
        Ok(())
    }
}
