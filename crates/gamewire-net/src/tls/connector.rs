use core::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rustls::crypto::ring::default_provider;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};

use super::files::{certificates, read};
use super::{HandshakeError, TlsError};

/// The configuration of a client for TLS: the name of the server, and the certificates that the client trusts. Clones share
/// their [`last_error`](Self::last_error).
#[derive(Clone)]
pub struct TlsConnector {
    pub(super) config: Arc<ClientConfig>,
    pub(super) name: ServerName<'static>,
    last_error: Arc<Mutex<Option<HandshakeError>>>,
}

impl TlsConnector {
    /// Trusts the root certificates of the system. `name` is the DNS name or the IP address that the certificate of the
    /// server must have.
    ///
    /// # Errors
    /// [`TlsError::ServerName`], or [`TlsError::NoRoots`] if the system has no root certificates.
    pub fn with_system_roots(name: &str) -> Result<Self, TlsError> {
        let loaded = rustls_native_certs::load_native_certs();
        let mut roots = RootCertStore::empty();
        let (added, _) = roots.add_parsable_certificates(loaded.certs);
        if added == 0 {
            let reason = loaded.errors.first().map_or_else(|| "none installed".into(), ToString::to_string);
            return Err(TlsError::NoRoots { reason });
        }
        Self::with(name, roots)
    }

    /// Trusts only the certificates in a PEM file: of authorities, or a self-signed certificate of the server.
    /// `name` is the DNS name or the IP address that the certificate of the server must have.
    ///
    /// # Errors
    /// A [`TlsError`] if the file cannot be read or used, or [`TlsError::ServerName`].
    pub fn with_roots_of(file: &Path, name: &str) -> Result<Self, TlsError> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates(file, &read(file)?)? {
            roots.add(certificate).map_err(|error| TlsError::certificate(file, &error))?;
        }
        Self::with(name, roots)
    }

    /// Returns the fault that ended the TLS of a stream last, such as a certificate that this client does not trust. A machine
    /// only learns that its stream is closed.
    pub fn last_error(&self) -> Option<HandshakeError> {
        self.last_error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_error(&self, error: &rustls::Error) {
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = Some(HandshakeError::of(error));
    }

    fn with(name: &str, roots: RootCertStore) -> Result<Self, TlsError> {
        let invalid = || TlsError::ServerName { name: name.into() };
        let name = ServerName::try_from(name).map_err(|_| invalid())?.to_owned();
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| TlsError::NoRoots { reason: error.to_string() })?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { config: Arc::new(config), name, last_error: Arc::default() })
    }
}

impl fmt::Debug for TlsConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TlsConnector").field("name", &self.name).finish_non_exhaustive()
    }
}
