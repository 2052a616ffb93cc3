//! The Huffman code and the packed integers of Teeworlds, for tests against other programs.
//!
//! `codec compress` or `codec decompress` reads lines with a length and that many bytes as hexadecimal digits, such as
//! `3 00ff41`. For each it writes a line of the same form. `codec compress-extra` writes the extra byte of the older
//! games. `codec pack` reads lines with an integer and writes its bytes. Invalid data end the program.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufWriter, Write as _};

use gamewire::teeworlds::raw::huffman::{TrailingByte, compress, decompress};
use gamewire::teeworlds::raw::pack::pack_int;
use gamewire::wire::Writer;

/// Exceeds the payload of any datagram, compressed or not.
const ROOM: usize = 4096;

fn main() -> Result<(), Box<dyn Error>> {
    let code = std::env::args().nth(1).unwrap_or_default();
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = match code.as_str() {
            "compress" => compressed(&bytes(&line)?, TrailingByte::Exact)?,
            "compress-extra" => compressed(&bytes(&line)?, TrailingByte::ExtraByte)?,
            "decompress" => decompressed(&bytes(&line)?)?,
            "pack" => packed(line.parse()?)?,
            _ => return Err("usage: codec compress|compress-extra|decompress|pack".into()),
        };
        writeln!(out, "{} {}", answer.len(), digits(&answer))?;
    }
    out.flush()?;
    Ok(())
}

fn packed(integer: i32) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut output = [0; 5];
    let mut writer = Writer::new(&mut output);
    pack_int(integer, &mut writer)?;
    Ok(writer.written().to_vec())
}

fn compressed(input: &[u8], ending: TrailingByte) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut output = vec![0; ROOM];
    let length = compress(input, &mut output, ending).ok_or("too long when compressed")?;
    output.truncate(length);
    Ok(output)
}

fn decompressed(input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut output = vec![0; ROOM];
    let length = decompress(input, &mut output)?;
    output.truncate(length);
    Ok(output)
}

/// Parses the bytes of a line.
fn bytes(line: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let (length, digits) = line.split_once(' ').ok_or("a line without a length")?;
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    if pairs.len() != length.parse::<usize>()? || !rest.is_empty() {
        return Err("a line of another length than it says".into());
    }
    pairs.iter().map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?)).collect()
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
