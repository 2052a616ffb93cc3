use core::fmt;
use core::hash::{Hash as _, Hasher as _};
use std::hash::DefaultHasher;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;

use super::TlsError;
use super::files::{certificates, read};

/// The certificate of a server, which can be replaced while the server runs. Clones share it.
#[derive(Clone)]
pub struct TlsAcceptor {
    files: Arc<Files>,
    current: Arc<Mutex<Current>>,
}

#[derive(Debug)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

struct Current {
    config: Arc<ServerConfig>,
    /// Hash of the files that were read last.
    seen: u64,
}

impl TlsAcceptor {
    /// Reads a certificate with its chain, the server's own first, and its key. Both files are PEM.
    ///
    /// # Errors
    /// A [`TlsError`] if a file cannot be read, or the key does not belong to the certificate.
    pub fn load(certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Result<Self, TlsError> {
        let files = Files { certificate: certificate.into(), key: key.into() };
        let contents = files.read()?;
        let config = files.config(&contents)?;
        let current = Current { config: Arc::new(config), seen: contents.hash() };
        Ok(Self { files: Arc::new(files), current: Arc::new(Mutex::new(current)) })
    }

    /// Reads the files again, and uses them for new streams if they have changed. Returns whether they have. Call it at an
    /// interval of seconds or more, because it reads both files.
    ///
    /// # Errors
    /// A [`TlsError`] if a file cannot be read, or the key does not belong to the certificate, as when only one file has
    /// been replaced yet. The old certificate stays in use, and files with this fault are not reported again.
    pub fn reload(&self) -> Result<bool, TlsError> {
        let contents = self.files.read()?;
        let seen = contents.hash();
        if core::mem::replace(&mut self.lock().seen, seen) == seen {
            return Ok(false);
        }
        let config = Arc::new(self.files.config(&contents)?);
        self.lock().config = config;
        Ok(true)
    }

    pub(super) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.lock().config)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for TlsAcceptor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TlsAcceptor").field(&self.files).finish()
    }
}

struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Contents {
    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.certificate, &self.key).hash(&mut hasher);
        hasher.finish()
    }
}

impl Files {
    fn read(&self) -> Result<Contents, TlsError> {
        Ok(Contents { certificate: read(&self.certificate)?, key: read(&self.key)? })
    }

    fn config(&self, contents: &Contents) -> Result<ServerConfig, TlsError> {
        let chain = certificates(&self.certificate, &contents.certificate)?;
        let key =
            PrivateKeyDer::from_pem_slice(&contents.key).map_err(|error| TlsError::pem(&self.key, &error))?;
        ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| TlsError::certificate(&self.certificate, &error))
    }
}
