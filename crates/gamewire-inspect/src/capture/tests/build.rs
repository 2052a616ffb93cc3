//! Builds valid and invalid capture files in either byte order.

/// A byte order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Endian {
    Little,
    Big,
}

pub(crate) const BOTH: [Endian; 2] = [Endian::Little, Endian::Big];

impl Endian {
    pub(crate) fn u16(self, value: u16) -> [u8; 2] {
        match self {
            Self::Little => value.to_le_bytes(),
            Self::Big => value.to_be_bytes(),
        }
    }

    pub(crate) fn u32(self, value: u32) -> [u8; 4] {
        match self {
            Self::Little => value.to_le_bytes(),
            Self::Big => value.to_be_bytes(),
        }
    }
}

pub(crate) const MICROSECONDS: u32 = 0xa1b2_c3d4;
pub(crate) const NANOSECONDS: u32 = 0xa1b2_3c4d;

/// Returns a pcap file header with the usual snap length.
pub(crate) fn pcap_header(endian: Endian, magic: u32, link: u32) -> Vec<u8> {
    let mut file = endian.u32(magic).to_vec();
    file.extend(endian.u16(2));
    file.extend(endian.u16(4));
    for field in [0, 0, 262_144, link] {
        file.extend(endian.u32(field));
    }
    file
}

/// Returns a whole pcap record.
pub(crate) fn record(endian: Endian, seconds: u32, fraction: u32, data: &[u8]) -> Vec<u8> {
    let len = u32::try_from(data.len()).unwrap();
    let mut record = record_header(endian, seconds, fraction, len, len);
    record.extend(data);
    record
}

/// Returns a pcap record header with any lengths.
pub(crate) fn record_header(
    endian: Endian,
    seconds: u32,
    fraction: u32,
    captured: u32,
    original: u32,
) -> Vec<u8> {
    [seconds, fraction, captured, original].iter().flat_map(|field| endian.u32(*field)).collect()
}

/// Returns a pcapng block with a padded body.
pub(crate) fn block(endian: Endian, kind: u32, body: &[u8]) -> Vec<u8> {
    let padded = body.len().next_multiple_of(4);
    let length = u32::try_from(padded + 12).unwrap();
    let mut block = [endian.u32(kind), endian.u32(length)].concat();
    block.extend(body);
    block.resize(8 + padded, 0);
    block.extend(endian.u32(length));
    block
}

/// Returns a section header block.
pub(crate) fn section(endian: Endian) -> Vec<u8> {
    let version = [endian.u16(1), endian.u16(0)].concat();
    block(endian, 0x0a0d_0d0a, &[&endian.u32(0x1a2b_3c4d)[..], &version, &[0xff; 8]].concat())
}

/// Returns an interface description block with options, padded but without an end option.
pub(crate) fn interface(endian: Endian, link: u16, snap_length: u32, options: &[(u16, &[u8])]) -> Vec<u8> {
    let mut body = [&endian.u16(link)[..], &[0, 0], &endian.u32(snap_length)].concat();
    for (code, value) in options {
        body.extend(endian.u16(*code));
        body.extend(endian.u16(u16::try_from(value.len()).unwrap()));
        body.extend(*value);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    block(endian, 1, &body)
}

/// Returns an enhanced packet block.
pub(crate) fn packet(endian: Endian, interface: u32, units: u64, data: &[u8]) -> Vec<u8> {
    let len = u32::try_from(data.len()).unwrap();
    packet_claiming(endian, interface, units, len, data)
}

/// Returns an enhanced packet block with any captured length.
pub(crate) fn packet_claiming(
    endian: Endian,
    interface: u32,
    units: u64,
    captured: u32,
    data: &[u8],
) -> Vec<u8> {
    let high = u32::try_from(units >> 32).unwrap();
    let low = u32::try_from(units & 0xffff_ffff).unwrap();
    let mut body: Vec<u8> =
        [interface, high, low, captured, captured].iter().flat_map(|field| endian.u32(*field)).collect();
    body.extend(data);
    block(endian, 6, &body)
}
