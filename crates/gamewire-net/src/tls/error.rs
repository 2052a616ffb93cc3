use std::io;
use std::path::{Path, PathBuf};

use rustls::pki_types::pem;

/// The reason why certificates or keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is not PEM.
    #[error("cannot read {path}: {reason}")]
    Pem {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The file contains no certificate.
    #[error("cannot use {path}: expected a certificate in PEM, `-----BEGIN CERTIFICATE-----`")]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// The certificate is invalid, or the key does not belong to it.
    #[error("cannot use the certificate {path}: {reason}")]
    Certificate {
        /// The file of the certificate.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// A certificate cannot be issued for the name of the server.
    #[error("invalid server name {name:?}: expected a DNS name or an IP address")]
    ServerName {
        /// The name.
        name: String,
    },
    /// The system has no root certificates.
    #[error("cannot find the root certificates of this system: {reason}")]
    NoRoots {
        /// The fault.
        reason: String,
    },
}

impl TlsError {
    pub(super) fn pem(path: &Path, error: &pem::Error) -> Self {
        Self::Pem { path: path.into(), reason: error.to_string() }
    }

    pub(super) fn certificate(path: &Path, error: &rustls::Error) -> Self {
        Self::Certificate { path: path.into(), reason: error.to_string() }
    }
}

/// The reason why the TLS of a stream failed at a client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// The certificate of the server is not valid for its name, or the client does not trust it.
    #[error("invalid certificate of the server: {reason}")]
    Certificate {
        /// The fault.
        reason: String,
    },
    /// The server does not speak TLS, or not as this client does.
    #[error("TLS failed: {reason}")]
    Protocol {
        /// The fault.
        reason: String,
    },
}

impl HandshakeError {
    pub(super) fn of(error: &rustls::Error) -> Self {
        match error {
            rustls::Error::InvalidCertificate(fault) => {
                let fault = fault.to_string();
                // The usual fault of a self-signed certificate, which has no text.
                let reason = if fault.contains("CaUsedAsEndEntity") {
                    "it is the certificate of an authority (CA:TRUE), and a server needs CA:FALSE".into()
                } else {
                    fault
                };
                Self::Certificate { reason }
            }
            error => Self::Protocol { reason: error.to_string() },
        }
    }
}
