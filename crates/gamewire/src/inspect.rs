//! Captures of game traffic: files in, conversations followed, records filtered and counted, and recordings out.
//!
//! * [`capture`]: pcap and pcapng files. [`net`]: frames to datagrams, and TCP connections to ordered bytes.
//! * [`conversation`] and [`protocol`]: the conversations, each with a follower of its protocol.
//! * [`filter`], [`render`] and [`stats`]: records that are selected, displayed and counted.
//! * [`recording`]: datagrams and streams of a program as pcapng files.
//!
//! ```
//! use gamewire::inspect::capture::Reader;
//! use gamewire::inspect::recording::Recorder;
//!
//! let (client, server) = (([127, 0, 0, 1], 40_000).into(), ([127, 0, 0, 1], 8303).into());
//! let mut file = Vec::new();
//! let mut recorder = Recorder::new(&mut file)?;
//! recorder.datagram(1_700_000_000_000_000_000, client, server, &[0x10, 0, 0, 1])?;
//! drop(recorder);
//!
//! let mut reader = Reader::new(file.as_slice())?;
//! let frame = reader.next().expect("the recorded frame")?;
//! assert_eq!(frame.data.len(), 20 + 8 + 4, "the headers of IPv4 and UDP, and the datagram");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(inline)]
pub use gamewire_inspect::*;
#[doc(inline)]
pub use gamewire_watch::recording;
