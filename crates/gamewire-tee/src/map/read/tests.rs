use super::super::data_file::{crc, sha256};
use super::*;

/// Returns a file with two types of items and two blobs.
fn sample(version: DataVersion) -> DataFile {
    let mut file = DataFile { version, ..DataFile::new() };
    let item = |type_id, id, ints: &[i32]| Item { type_id, id, ints: ints.to_vec() };
    file.push_item(item(5, 0, &[1, 2, 3]));
    file.push_item(item(0, 0, &[1]));
    file.push_item(item(5, 1, &[]));
    file.push_blob(b"first").unwrap();
    file.push_blob(&[7; 1000]).unwrap();
    file
}

#[test]
fn a_file_of_each_version_comes_back_byte_for_byte() {
    for version in [DataVersion::V3, DataVersion::V4, DataVersion::V4Crude] {
        for is_foreign in [false, true] {
            let file = DataFile { is_foreign, ..sample(version) };
            let bytes = file.to_bytes().unwrap();
            let read = DataFile::parse(&bytes).unwrap();
            assert_eq!(read, file);
            assert_eq!(read.to_bytes().unwrap(), bytes);
            assert_eq!(read.blob_bytes(1, 1000).unwrap(), [7; 1000]);
            let order: Vec<_> = read.items().iter().map(|item| (item.type_id, item.id)).collect();
            assert_eq!(order, [(0, 0), (5, 0), (5, 1)]);
        }
    }
}

#[test]
fn p1_a_truncated_or_longer_file_is_rejected() {
    let bytes = sample(DataVersion::V4).to_bytes().unwrap();
    assert!((0..bytes.len()).all(|length| DataFile::parse(&bytes[..length]).is_err()));
    let longer = [bytes.as_slice(), &[0]].concat();
    let error = DataFile::parse(&longer).unwrap_err();
    assert_eq!(error.at, 20);
    assert!(error.to_string().starts_with("byte 20: expected sum of the sizes in the header"), "{error}");
}

#[test]
fn p1_a_changed_number_is_rejected_or_harmless() {
    let bytes = sample(DataVersion::V4).to_bytes().unwrap();
    let mut rejected = 0;
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut bad = bytes.clone();
            bad[at] = value;
            match DataFile::parse(&bad) {
                Ok(file) => {
                    assert_eq!(file.to_bytes().unwrap(), bad, "byte {at}: what is accepted comes back");
                    let _ = file.blob_bytes(0, 1 << 20);
                    let _ = file.blob_bytes(1, 1 << 20);
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(rejected > 400, "{rejected}");
}

#[test]
fn p1_a_bomb_is_rejected_before_it_is_decompressed() {
    let mut file = sample(DataVersion::V4);
    file.blobs[1].form = BlobForm::Compressed { size: 200 << 20 };
    let read = DataFile::parse(&file.to_bytes().unwrap()).unwrap();
    let error = read.blob_bytes(1, 1 << 30).unwrap_err();
    assert_eq!(error, MapError::new(1, MapErrorKind::Blob { expected: 200 << 20 }));
    assert_eq!(read.blob_bytes(1, 1000).unwrap_err().kind, MapErrorKind::TooLarge { max: 1000 });
    file.blobs[1].form = BlobForm::Compressed { size: 999 };
    assert!(file.blob_bytes(1, 1 << 20).is_err(), "more bytes than claimed");
    file.blobs[1].form = BlobForm::Compressed { size: u32::MAX >> 1 };
    assert!(DataFile::parse(&file.to_bytes().unwrap()).is_err());
}

#[test]
fn p1_items_that_overlap_are_rejected_with_their_index() {
    let file = sample(DataVersion::V4);
    let mut bytes = file.to_bytes().unwrap();
    // The offset of the second item: after the header and two types.
    let at = HEADER + 2 * 12 + 4;
    bytes[at] = 0;
    assert_eq!(DataFile::parse(&bytes).unwrap_err(), MapError::new(1, MapErrorKind::Item));
}

#[test]
fn a_changed_blob_is_written_and_the_others_stay() {
    let mut file = sample(DataVersion::V4);
    let other = file.blobs()[1].clone();
    file.set_blob(0, b"second").unwrap();
    let read = DataFile::parse(&file.to_bytes().unwrap()).unwrap();
    assert_eq!(read.blob_bytes(0, 100).unwrap(), b"second");
    assert_eq!(read.blobs()[1], other);
}

#[test]
fn checksums_are_those_of_the_whole_file() {
    assert_eq!(crc(b"123456789"), 0xcbf4_3926);
    assert_eq!(sha256(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
}
