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
    #[pymodule_export]
    use crate::teeworlds::{TeeworldsPlayer, query_info};

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::log::install();
        Ok(())
    }
}
