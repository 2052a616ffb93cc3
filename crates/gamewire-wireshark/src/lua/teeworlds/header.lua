-- Headers of packets and chunks. 0.6 and 0.7 have the same fields in different bits.

local display = require("display")

local header = {}

local floor = math.floor

-- Maximum number of bytes of a datagram.
local MAX_DATAGRAM = 1400

-- Bits of the first byte, and the number of bits of a chunk's size in its second byte.
local FORMATS = {
  ["0.6"] = { compression = 128, resend = 64, connless = 32, control = 16, token = 8, unused = 4, low_bits = 4 },
  ["0.7"] = { compression = 16, resend = 8, connless = 32, control = 4, low_bits = 6 },
}

local function has(flags, bit) return floor(flags / bit) % 2 == 1 end

local function number(data, at, count)
  local value = 0
  for index = at, at + count - 1 do
    value = value * 256 + data:byte(index)
  end
  return value
end

local function connless_06(data)
  if #data < 6 then return nil, "the packet ends in its header" end
  if data:sub(1, 2) == "xe" then
    display.field("extra_token", 2, 4, number(data, 3, 2))
    display.bytes("reserved", 4, 6)
  elseif data:sub(1, 6) ~= "\255\255\255\255\255\255" then
    display.warning(0, 6, "unused_bits")
  end
  return { is_connless = true, size = 6 }
end

local function connless_07(data, flags)
  local version = flags % 4
  display.field("version", 0, 1, version)
  if version ~= 1 then return nil, "a connless packet has version 1" end
  if #data < 9 then return nil, "the packet ends in its header" end
  display.field("token", 1, 5, number(data, 2, 4))
  display.field("response_token", 5, 9, number(data, 6, 4))
  return { is_connless = true, size = 9 }
end

-- Reads and shows the header of a packet. Returns it, or nil and an error. `size` is its number of bytes.
function header.read(version, data)
  local format = FORMATS[version]
  local is_seven = version == "0.7"
  if #data > MAX_DATAGRAM then return nil, "a packet has at most 1400 bytes" end
  local flags, ack, chunks = data:byte(1, 3)
  if not flags or not chunks and not is_seven then return nil, "the packet ends in its header" end
  local is_connless = has(flags, format.connless)
  display.field("connless", 0, 1, is_connless)
  if is_seven and flags >= 64 then display.warning(0, 1, "unused_bits") end
  if is_connless then return (is_seven and connless_07 or connless_06)(data, flags) end
  if is_seven and #data < 7 then return nil, "the packet ends in its header" end
  local read = {
    is_compressed = has(flags, format.compression),
    is_control = has(flags, format.control),
    chunks = chunks,
    size = is_seven and 7 or 3,
  }
  display.field("compression", 0, 1, read.is_compressed)
  display.field("resend", 0, 1, has(flags, format.resend))
  display.field("control", 0, 1, read.is_control)
  local has_token = is_seven or has(flags, format.token)
  if not is_seven then display.field("token_flag", 0, 1, has_token) end
  display.field("ack", 0, 2, flags % 4 * 256 + ack)
  display.field("chunks", 2, 3, chunks)
  if not is_seven and has(flags, format.unused) then display.warning(0, 1, "unused_bits") end
  if has_token then
    if #data < 7 then return nil, "the packet ends in its token" end
    read.size = 7
    read.token = number(data, 4, 4)
    display.field("token", 3, 7, read.token)
  end
  return read
end

-- Reads and shows the header of the chunk at `at` (from 1). Returns it, or nil and an error. `first` and
-- `last` are the positions of its message.
function header.read_chunk(version, data, at, last)
  local low = 2 ^ FORMATS[version].low_bits
  if at + 1 > last then return nil, "the packet ends in the header of a chunk" end
  local a, b, c = data:byte(at, at + 2)
  local is_vital = has(a, 64)
  local size = a % 64 * low + b % low
  display.field("chunk_resend", at - 1, at, has(a, 128))
  display.field("vital", at - 1, at, is_vital)
  display.field("size", at - 1, at + 1, size)
  local chunk = { first = at + 2 }
  local high = b - b % low
  if is_vital then
    if at + 2 > last then return nil, "the packet ends in the header of a chunk" end
    chunk.first = at + 3
    -- 0.6 sends two bits twice; a reader takes either.
    local twice = high * 4 % 256
    local extra = 0
    for bit = 6, 7 do
      if has(twice, 2 ^ bit) and not has(c, 2 ^ bit) then extra = extra + 2 ^ bit end
    end
    chunk.sequence = high * 4 - twice + c + extra
    display.field("sequence", at, at + 2, chunk.sequence)
    if low == 16 and twice ~= c - c % 64 then display.warning(at, at + 2, "sequence_bits") end
  elseif high ~= 0 then
    display.warning(at, at + 1, "unused_bits")
  end
  chunk.last = chunk.first + size - 1
  if chunk.last > last then return nil, "the packet ends in a chunk" end
  return chunk
end

return header
