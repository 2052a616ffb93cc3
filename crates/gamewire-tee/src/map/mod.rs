//! Maps of Teeworlds 0.6, 0.7 and DDNet.
//!
//! A map is a [`DataFile`]: items of integers, and blobs that items refer to. [`MapReader`] reads the items as typed
//! values. [`DataFile::to_bytes`] writes a file; the bytes of an unchanged file stay the same.

mod convert;
mod data_file;
mod envelope;
mod error;
mod image;
mod info;
mod item;
mod layer;
mod layer_data;
mod physics;
mod quads;
mod read;
mod reader;
mod sounds;
mod tiles;
mod typed;
mod write;
mod writer;

pub use convert::{from_07, to_07};
pub use data_file::{Blob, BlobForm, DataFile, DataVersion, Item, crc, sha256};
pub use envelope::{BezierTangents, Envelope, EnvelopePoint};
pub use error::{MapError, MapErrorKind};
pub use image::{Image, Sound};
pub use info::{MapInfo, MapTunings};
pub use item::{ItemType, item_type};
pub use layer::{Clip, Group, Layer, LayerContent, TileLayer};
pub use layer_data::TileFlags;
pub use physics::grid_layers;
pub use quads::{Quad, QuadLayer};
pub use reader::MapReader;
pub use sounds::{SoundLayer, SoundShape, SoundSource};
pub use tiles::{FileTile, expand_tiles, pack_tiles};
pub use writer::PhysicsMap;
