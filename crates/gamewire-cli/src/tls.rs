//! TLS of `serve riptide --wss` and `riptide-2.1+wss://`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use gamewire_inspect::render::Escaped;
use gamewire_net::DriverConfig;
use gamewire_net::tls::{HandshakeError, TlsAcceptor, TlsConnector, TlsError};

use crate::exit_status::{Failure, io_message, warn};
use crate::url::HostPort;
use crate::user_file::name_of;

/// The certificate of a server, which is read again when its files change.
#[derive(Debug)]
pub(crate) struct Certificate {
    acceptor: TlsAcceptor,
    path: PathBuf,
    /// The last warning. Empty if the files could be used.
    warning: String,
}

impl Certificate {
    /// Reads the certificate and its key from PEM files.
    pub(crate) fn load(certificate: &Path, key: &Path) -> Result<Self, Failure> {
        let acceptor = TlsAcceptor::load(certificate, key).map_err(failure)?;
        Ok(Self { acceptor, path: certificate.into(), warning: String::new() })
    }

    /// Returns the file of the certificate.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the configuration with a listener at `local`.
    pub(crate) fn listen(&self, local: SocketAddr, mut config: DriverConfig) -> DriverConfig {
        config.tls_listen.push((local, self.acceptor.clone()));
        config
    }

    /// Reads the files again. Returns whether the certificate has changed. Warns once about files that cannot be used.
    pub(crate) fn reload(&mut self) -> bool {
        match self.acceptor.reload() {
            Ok(is_new) => {
                if is_new {
                    self.warning.clear();
                }
                is_new
            }
            Err(error) => {
                let warning = describe(&error);
                if warning != self.warning {
                    warn(format_args!("{warning}; the old certificate stays in use"));
                    self.warning = warning;
                }
                false
            }
        }
    }
}

/// The certificates that a client trusts.
#[derive(Debug)]
pub(crate) struct ServerTrust(TlsConnector);

impl ServerTrust {
    /// Trusts the certificates in the file `ca`, or else the system's, for a server at `host`.
    pub(crate) fn load(ca: Option<&Path>, host: &HostPort) -> Result<Self, Failure> {
        let name = host.server_name();
        let connector = match ca {
            Some(ca) => TlsConnector::with_roots_of(ca, &name),
            None => TlsConnector::with_system_roots(&name),
        };
        connector.map(Self).map_err(failure)
    }

    /// Returns the configuration with TLS for the stream of a client.
    pub(crate) fn connect(&self, config: DriverConfig) -> DriverConfig {
        DriverConfig { tls_connect: Some(self.0.clone()), ..config }
    }

    /// Returns the reason why the client ended the TLS with `server`, if it did.
    pub(crate) fn refusal(&self, server: &str) -> Option<String> {
        let error = self.0.last_error()?;
        let advice = match error {
            HandshakeError::Certificate { .. } => {
                "for a private authority or a self-signed certificate use --ca FILE, and the name in the certificate"
            }
            HandshakeError::Protocol { .. } => "is it the address of --wss?",
        };
        let error = error.to_string();
        Some(format!("cannot connect to {server}: {}; {advice}", Escaped(error.as_bytes())))
    }
}

fn failure(error: TlsError) -> Failure {
    let text = describe(&error);
    match error {
        TlsError::Read { .. } => Failure::Failed(text),
        _ => Failure::Usage(text),
    }
}

/// Describes an error, and what to do.
fn describe(error: &TlsError) -> String {
    let advice = match error {
        TlsError::Read { path, source } => {
            return format!("cannot read {}: {}", name_of(path), io_message(source));
        }
        TlsError::Pem { .. } => "use a PEM file, which has lines -----BEGIN and -----END",
        TlsError::NoCertificate { .. } => "the key is for --key-file",
        TlsError::Certificate { .. } => "the certificate must be current, and --key-file its key",
        TlsError::ServerName { .. } => "write such a name in the URL",
        TlsError::NoRoots { .. } => "install ca-certificates, or use --ca FILE",
    };
    let error = error.to_string();
    format!("{}; {advice}", Escaped(error.as_bytes()))
}
