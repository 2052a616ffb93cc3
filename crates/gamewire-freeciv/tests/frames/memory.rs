//! Memory use of a splitter.

use gamewire_freeciv::frame::{CompressionLevel, FrameSplitter, FrameWriter};

use super::support::{chunk, short};

#[test]
fn a_claimed_length_reserves_nothing() {
    let stream = [0xff, 0xff, 0x00, 0x0f, 0xff, 0xff, 0x78];
    let info = allocation_counter::measure(|| {
        let mut splitter = FrameSplitter::default();
        assert_eq!(splitter.next(&mut stream.as_slice()), Ok(None));
    });
    assert!(info.bytes_max < 80_000, "{} bytes", info.bytes_max);
}

#[test]
fn once_warm_nothing_is_allocated() {
    let stream = [chunk(&[short(1, &[3; 500]), short(2, &[4; 90])].concat()), short(3, b"x")].concat();
    let mut splitter = FrameSplitter::default();
    let mut run = |size: usize| {
        for mut read in stream.chunks(size) {
            while splitter.next(&mut read).unwrap().is_some() {}
        }
    };
    run(7);
    let info = allocation_counter::measure(|| (0..50).for_each(|_| run(7)));
    assert_eq!(info.count_total, 0);

    let mut writer = FrameWriter::new(CompressionLevel::DEFAULT);
    let mut out = Vec::with_capacity(1 << 16);
    let mut write = || {
        out.clear();
        writer.freeze();
        (0..20).for_each(|_| writer.write(9, &[1; 100], &mut out).unwrap());
        writer.thaw(&mut out);
    };
    write();
    assert_eq!(allocation_counter::measure(|| (0..50).for_each(|_| write())).count_total, 0);
}
