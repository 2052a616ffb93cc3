//! Reads a line of chat of Teeworlds 0.7 and replies to it, on bytes alone.

use gamewire::teeworlds::Text;
use gamewire::teeworlds::raw::huffman::{TrailingByte, compress_if_smaller};
use gamewire::teeworlds::raw::v07::Message;
use gamewire::teeworlds::raw::v07::game::{ClSay, Game, SvChat};
use gamewire::teeworlds::raw::v07::value::ChatMode;
use gamewire::wire::{CodecError, Reader, Writer};

fn main() -> Result<(), CodecError> {
    // A chunk of 0.7 as a server sends it. Decoding allocates nothing and borrows the text from the packet.
    let chunk = b"\x06\x01\x40\x40hello from a capture\0";
    match Message::decode(Reader::new(chunk), Default::default(), &mut ())? {
        Message::Game(Game::SvChat(SvChat { client_id, text, .. })) => println!("{client_id}: {text}"),
        other => println!("{other:?}"),
    }
    // The other direction: write into a buffer, and compress only if a game would.
    let say = ClSay { mode: ChatMode::ALL, target: -1, text: Text::new("hello back") };
    let (mut chunk, mut smaller) = ([0; 64], [0; 64]);
    let mut to = Writer::new(&mut chunk);
    Message::Game(Game::ClSay(say)).encode(&mut to)?;
    println!("{:02x?}", to.written());
    println!("{:?}", compress_if_smaller(to.written(), &mut smaller, TrailingByte::ExtraByte));
    Ok(())
}
