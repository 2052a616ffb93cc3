use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};

use quinn_udp::UdpSocketState;

use crate::address::canonical;
use crate::engine::Sockets;
use crate::layer::{BoundListener, LayerFactory};
use crate::limits::{BACKLOG, RECEIVE_BUFFER};
use crate::socket::SocketRuntime;
use crate::udp::prepare_udp;
use crate::{DriverConfig, Transports};

/// The reason why a driver could not be created.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system cannot bind a UDP socket to the address.
    #[error("cannot bind a UDP socket to {local}: {source}")]
    Bind {
        /// The requested address.
        local: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The system cannot accept streams at the address.
    #[error("cannot listen on TCP address {local}: {source}")]
    Listen {
        /// The requested address.
        local: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The stream did not open in time.
    #[error("cannot connect to {to} over TCP: {source}")]
    Connect {
        /// The requested address.
        to: SocketAddr,
        /// The error of the system; [`io::ErrorKind::TimedOut`] if the deadline passed.
        source: io::Error,
    },
    /// An option of the server has a value that it cannot use.
    #[error("{0}")]
    Option(&'static str),
    /// The system cannot configure a socket.
    #[error("cannot set up a socket: {source}")]
    SetUp {
        /// The error of the system.
        #[from]
        source: io::Error,
    },
}

/// Number of free TCP ports to try, because each of them may be in use for UDP.
const ATTEMPTS: usize = 16;

/// The sockets of a driver before they are registered with its runtime. Each is optional.
#[derive(Default)]
pub(crate) struct StdSockets {
    pub(crate) datagrams: Option<UdpSocket>,
    pub(crate) listener: Option<TcpListener>,
    pub(crate) stream: Option<TcpStream>,
}

impl StdSockets {
    pub(crate) fn bind(local: SocketAddr) -> Result<Self, OpenError> {
        Ok(Self { datagrams: Some(bind_udp(local)?), ..Self::default() })
    }

    /// Binds the sockets of `transports`, all to one port.
    pub(crate) fn listen(local: SocketAddr, transports: Transports) -> Result<Self, OpenError> {
        match transports {
            Transports::Udp => Self::bind(local),
            Transports::Tcp => Ok(Self { listener: Some(bind_tcp(local)?), ..Self::default() }),
            Transports::UdpAndTcp => {
                let listen = |local| -> Result<_, OpenError> {
                    let listener = bind_tcp(local)?;
                    let port = listener.local_addr()?.port();
                    Ok((listener, port))
                };
                let (listener, datagrams) = bind_both(local, listen, bind_udp)?;
                Ok(Self { datagrams: Some(datagrams), listener: Some(listener), stream: None })
            }
        }
    }

    /// Makes the sockets non-blocking and passes them to a runtime.
    pub(crate) fn set_up<R: SocketRuntime>(
        self,
        config: &DriverConfig,
    ) -> Result<Sockets<R::Socket, R::Listener>, OpenError> {
        let mut local = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
        let (listeners, also_local) = (Vec::new(), Vec::new());
        let mut sockets = Sockets { local, datagrams: None, listeners, also_local, stream: None };
        if let Some(stream) = self.stream {
            set_up_stream(&stream)?;
            local = stream.local_addr()?;
            let peer = canonical(stream.peer_addr()?);
            let layer = LayerFactory::of_client(config).open()?;
            sockets.stream = Some((R::stream(stream)?, layer, peer));
        }
        if let Some(listener) = self.listener {
            listener.set_nonblocking(true)?;
            local = listener.local_addr()?;
            sockets.listeners.push(BoundListener {
                socket: R::listener(listener)?,
                local,
                layers: LayerFactory::Plain,
            });
        }
        let also = config.also_listen.iter().map(|local| (*local, LayerFactory::Plain));
        #[cfg(feature = "tls")]
        let also = also.chain(
            config
                .tls_listen
                .iter()
                .map(|(local, acceptor)| (*local, LayerFactory::Accept(acceptor.clone()))),
        );
        for (local, layers) in also {
            let listener = bind_tcp(local)?;
            listener.set_nonblocking(true)?;
            let local = listener.local_addr()?;
            sockets.also_local.push(local);
            sockets.listeners.push(BoundListener { socket: R::listener(listener)?, local, layers });
        }
        if let Some(socket) = self.datagrams {
            let state = set_up_udp(&socket, config)?;
            local = socket.local_addr()?;
            sockets.datagrams = Some(R::socket(socket, state)?);
        }
        Ok(Sockets { local, ..sockets })
    }
}

/// Binds two sockets to one port: `listen` binds the first and returns its port, `bind` the second. If `local` has port 0,
/// tries several ports, because one that is free for the first socket may be in use for the second.
///
/// # Errors
/// The error of `listen`, or the error of `bind` at the last port.
pub fn bind_both<L, S, E>(
    local: SocketAddr,
    listen: impl Fn(SocketAddr) -> Result<(L, u16), E>,
    bind: impl Fn(SocketAddr) -> Result<S, E>,
) -> Result<(L, S), E> {
    let mut attempts = if local.port() == 0 { ATTEMPTS } else { 1 };
    loop {
        let (listener, port) = listen(local)?;
        attempts = attempts.saturating_sub(1);
        let mut same = local;
        same.set_port(port);
        match bind(same) {
            Ok(socket) => return Ok((listener, socket)),
            Err(error) if attempts == 0 => return Err(error),
            Err(_) => {}
        }
    }
}

fn bind_udp(local: SocketAddr) -> Result<UdpSocket, OpenError> {
    UdpSocket::bind(local).map_err(|source| OpenError::Bind { local, source })
}

fn bind_tcp(local: SocketAddr) -> Result<TcpListener, OpenError> {
    let listener = TcpListener::bind(local).map_err(|source| OpenError::Listen { local, source })?;
    // Systems that cannot change the backlog of a listening socket keep the one of the standard library.
    let _ = rustix::net::listen(&listener, BACKLOG);
    Ok(listener)
}

/// Makes a socket non-blocking and sizes its buffers.
fn set_up_udp(socket: &UdpSocket, config: &DriverConfig) -> Result<UdpSocketState, OpenError> {
    let state = prepare_udp(socket)?;
    match config.receive_buffer {
        Some(bytes) => state.set_recv_buffer_size(socket.into(), bytes)?,
        // Ignored, because some systems reject a size above their limit instead of granting less.
        None => drop(state.set_recv_buffer_size(socket.into(), RECEIVE_BUFFER)),
    }
    if let Some(bytes) = config.send_buffer {
        state.set_send_buffer_size(socket.into(), bytes)?;
    }
    Ok(state)
}

/// Makes a stream non-blocking and turns off Nagle's algorithm.
pub(crate) fn set_up_stream(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)
}
