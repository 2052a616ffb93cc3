use std::io;
#[cfg(not(unix))]
use std::net::UdpSocket;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::task::{Wake, Waker};

/// The receiving end of a driver's wakers: a socket that is readable after a wake, so that one call of `poll` waits for
/// it and for the other sockets.
pub(crate) struct WakeReceiver {
    socket: Socket,
    waker: Waker,
}

#[cfg(unix)]
type Socket = UnixStream;
/// A UDP socket that is connected to itself, because not every system can poll anything else.
#[cfg(not(unix))]
type Socket = UdpSocket;

/// The sending end.
struct WakeSender(Socket);

impl Wake for WakeSender {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // If the buffer is full, a wake is pending. If the receiver is gone, no driver waits.
        let _ = send(&self.0);
    }
}

impl WakeReceiver {
    pub(crate) fn open() -> io::Result<Self> {
        let (sender, socket) = pair()?;
        for end in [&sender, &socket] {
            end.set_nonblocking(true)?;
        }
        Ok(Self { socket, waker: Waker::from(Arc::new(WakeSender(sender))) })
    }

    pub(crate) const fn waker(&self) -> &Waker {
        &self.waker
    }

    pub(crate) const fn socket(&self) -> &Socket {
        &self.socket
    }

    /// Takes all wakes, so that the socket is no longer readable.
    pub(crate) fn clear(&self) {
        while receive(&self.socket).is_ok_and(|count| count > 0) {}
    }
}

#[cfg(unix)]
fn pair() -> io::Result<(UnixStream, UnixStream)> {
    UnixStream::pair()
}

#[cfg(unix)]
fn send(mut socket: &UnixStream) -> io::Result<usize> {
    io::Write::write(&mut socket, &[0])
}

#[cfg(unix)]
fn receive(mut socket: &UnixStream) -> io::Result<usize> {
    io::Read::read(&mut socket, &mut [0; 64])
}

#[cfg(not(unix))]
fn pair() -> io::Result<(UdpSocket, UdpSocket)> {
    let socket = UdpSocket::bind((std::net::Ipv4Addr::LOCALHOST, 0))?;
    socket.connect(socket.local_addr()?)?;
    Ok((socket.try_clone()?, socket))
}

#[cfg(not(unix))]
fn send(socket: &UdpSocket) -> io::Result<usize> {
    socket.send(&[0])
}

#[cfg(not(unix))]
fn receive(socket: &UdpSocket) -> io::Result<usize> {
    socket.recv(&mut [0; 64])
}
