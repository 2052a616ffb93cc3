use std::io;
use std::net::UdpSocket;

use quinn_udp::UdpSocketState;

/// Makes a socket non-blocking and returns its state. The metadata of received datagrams is only their sender and
/// length.
///
/// # Errors
/// The system cannot configure the socket.
pub fn prepare_udp(socket: &UdpSocket) -> io::Result<UdpSocketState> {
    let state = UdpSocketState::new(socket.into())?;
    disable_metadata(socket);
    Ok(state)
}

/// Turns off metadata that quinn-udp requests for each datagram: the time of arrival, the destination and the type of
/// service. No machine needs it, and the system takes a tenth longer to return it.
#[cfg(target_os = "linux")]
fn disable_metadata(socket: &UdpSocket) {
    use nix::sys::socket::setsockopt;
    use nix::sys::socket::sockopt::{
        IpRecvTos, Ipv4PacketInfo, Ipv6RecvPacketInfo, Ipv6RecvTClass, ReceiveTimestampns,
    };

    // Failures are ignored, because they only cost time. Options of IPv6 fail on IPv4 sockets.
    let _ = setsockopt(socket, ReceiveTimestampns, &false);
    let _ = setsockopt(socket, Ipv4PacketInfo, &false);
    let _ = setsockopt(socket, IpRecvTos, &false);
    let _ = setsockopt(socket, Ipv6RecvPacketInfo, &false);
    let _ = setsockopt(socket, Ipv6RecvTClass, &false);
}

#[cfg(not(target_os = "linux"))]
fn disable_metadata(_: &UdpSocket) {}
