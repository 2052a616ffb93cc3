//! Converts 0.7 maps for 0.6 clients, which cannot read tile layers of version 4 and envelopes of version 3.

use gamewire_tee::map::{DataFile, from_07};

/// Converts a map to the 0.6 format. Returns `None` if the map has that format already, or is not a valid map.
pub(super) fn for_0_6(map: &[u8]) -> Option<Vec<u8>> {
    from_07(&DataFile::parse(map).ok()?).ok()??.to_bytes().ok()
}

#[cfg(test)]
mod tests {
    use gamewire_tee::map::Item;

    use super::*;

    const ENVELOPE: u16 = 3;
    const LAYER: u16 = 5;
    const ENVELOPE_POINTS: u16 = 6;

    fn layer(version: i32) -> Vec<i32> {
        vec![0, 2, 0, version, 3, 2, 1, 255, 255, 255, 255, -1, 0, -1, 0, 7, 8, 9]
    }

    fn seven() -> DataFile {
        let mut file = DataFile::new();
        let items = [
            (0, vec![1]),
            (ENVELOPE, vec![3, 4, 0, 2]),
            (LAYER, layer(4)),
            (ENVELOPE_POINTS, (0..44).collect::<Vec<i32>>()),
        ];
        for (type_id, ints) in items {
            file.push_item(Item { type_id, id: 0, ints });
        }
        // One tile that occurs five times, and another tile.
        file.push_blob(&[9, 1, 4, 0, 7, 0, 0, 0]).unwrap();
        file.push_blob(b"name").unwrap();
        file
    }

    #[test]
    fn layers_and_envelopes_of_0_7_become_those_of_0_6() {
        let written = for_0_6(&seven().to_bytes().unwrap()).unwrap();
        let file = DataFile::parse(&written).unwrap();
        let tiles = [[[9, 1, 0, 0]; 5].concat(), vec![7, 0, 0, 0]].concat();
        assert_eq!(file.blob_bytes(0, 100).unwrap(), tiles);
        assert_eq!(file.blob_bytes(1, 100).unwrap(), b"name");
        assert_eq!(file.items()[1].ints, [2, 4, 0, 2]);
        assert_eq!(file.items()[2].ints, layer(3));
        assert_eq!(file.items()[3].ints, [0, 1, 2, 3, 4, 5, 22, 23, 24, 25, 26, 27]);
        assert_eq!(for_0_6(&written), None, "it has the format of 0.6");
        let size = i32::try_from(written.len()).unwrap();
        assert_eq!(written[8..12], (size - 16).to_le_bytes());
    }

    #[test]
    fn p1_a_map_that_lies_is_left_as_it_is() {
        let good = seven().to_bytes().unwrap();
        assert!((0..good.len()).all(|length| for_0_6(&good[..length]).is_none()));
        for at in 0..good.len() {
            for value in [0, 0x7f, 0xff] {
                let mut bad = good.clone();
                bad[at] = value;
                let _ = for_0_6(&bad);
            }
        }
        let mut short = seven();
        short.set_blob(0, &[9, 1, 4, 0]).unwrap();
        assert_eq!(for_0_6(&short.to_bytes().unwrap()), None);
        let mut huge = seven();
        let ints = huge.item_mut(2).unwrap();
        (ints[4], ints[5]) = (i32::MAX, i32::MAX);
        assert_eq!(for_0_6(&huge.to_bytes().unwrap()), None);
    }
}
