//! Tests of valid, damaged and hostile capture files.

mod build;
mod damage;
mod hostile;
mod mutation;
mod pcap_files;
mod pcapng_files;
mod trickle;
mod walk;
