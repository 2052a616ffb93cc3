-- Dialects of Teeworlds, and what a single datagram tells about them.

local definitions = require("definitions/teeworlds")
local display = require("display")
local header = require("teeworlds/header")
local huffman = require("teeworlds/huffman")
local message = require("teeworlds/message")

local dialects = {}

-- The version of the format of a dialect, and whether the fifth byte of an integer is read as in DDNet.
dialects.all = {
  ["tw-0.6"] = { name = "tw-0.6", version = "0.6" },
  ["tw-0.6.5"] = { name = "tw-0.6.5", version = "0.6", has_token = true },
  ["tw-0.6-tken"] = { name = "tw-0.6-tken", version = "0.6", is_ddnet = true, has_tken = true },
  ["tw-0.7"] = { name = "tw-0.7", version = "0.7", has_token = true },
}

-- Dialects in the order in which chunks are tried.
local ORDER = { "tw-0.6.5", "tw-0.7", "tw-0.6-tken", "tw-0.6" }

-- Senders of browsing messages.
local CONNLESS_SENDERS = {
  gie3 = "client", fstd = "client", req2 = "client", cou2 = "client",
  inf3 = "server", dtsf = "server", iext = "server", ["iex+"] = "server", lis2 = "server", siz2 = "server",
}

local PREFIX = "\255\255\255\255"

local function has(flags, bit) return math.floor(flags / bit) % 2 == 1 end

local function connless(data)
  local function letters(at)
    return data:sub(at, at + 3) == PREFIX and #data >= at + 7 and data:sub(at + 4, at + 7) or nil
  end
  if data:sub(1, 6) == PREFIX .. "\255\255" or data:sub(1, 2) == "xe" then
    local found = letters(7)
    return found and "tw-0.6", found
  end
  local found = data:byte(1) == 33 and letters(10)
  return found and "tw-0.7", found
end

-- Returns whether this is the body of a CLOSE without a token. The reason may lack its zero byte.
local function is_plain_close(body)
  local stop = body:find("\0", 1, true)
  return stop == #body or not stop and not body:find("%c")
end

local function control_07(data)
  local flags, _, chunks, a, b, c, d, id = data:byte(1, 8)
  -- The bits of `control` and of those that must be 0.
  if not id or chunks ~= 0 or not has(flags, 4) or flags >= 16 then return nil end
  local left = #data - 8
  local is_none = a == 255 and b == 255 and c == 255 and d == 255
  local sender
  if id == 0 and left == 0 then return { dialect = "tw-0.7" } end
  if id == 4 then return is_plain_close(data:sub(9)) and { dialect = "tw-0.7" } or nil end
  if id == 1 and left >= 4 or id == 5 and left >= 504 then
    sender = "client"
  elseif id == 2 and (left == 0 or left == 4) or id == 5 and left == 4 and not is_none then
    sender = "server"
  else
    return nil
  end
  return { dialect = "tw-0.7", sender = sender, is_handshake = true }
end

-- Returns whether this is the body of a CONNECT of 0.6.5 whose padding is too short: four zeros, a token, zeros.
local function is_short_connect(body)
  return not (body:sub(1, 4) .. body:sub(9)):find("[^%z]")
end

-- Returns whether this is the body of a CLOSE with DDNet's token at the end: after the zero byte of the reason, or alone.
local function is_close_of_tken(body)
  local stop = body:find("\0", 1, true)
  if stop and #body > 4 then return stop == #body - 4 end
  return #body == 4 and body:byte(4) ~= 0
end

local function control_06(data)
  local flags, _, chunks = data:byte(1, 3)
  -- The bit of `control`; those of compression, resend, connless and the unused one are 0.
  if not chunks or chunks ~= 0 or flags >= 32 or not has(flags, 16) or has(flags, 4) then return nil end
  local has_token = has(flags, 8)
  local at = has_token and 8 or 4
  local id = data:byte(at)
  if not id then return nil end
  local left = #data - at
  local by_token = has_token and "tw-0.6.5" or "tw-0.6"
  local dialect, sender
  local is_handshake = id ~= 0 and id ~= 4
  if id == 1 and left >= 512 then
    -- It may have TKEN in front of the token, for a DDNet server.
    dialect = "tw-0.6.5"
  elseif (id == 1 or id == 2) and data:sub(at + 1, at + 4) == "TKEN" then
    dialect = "tw-0.6-tken"
  elseif (id == 1 or id == 2) and left == 0 or id == 2 and left == 4 then
    dialect = by_token
  elseif id == 1 and is_short_connect(data:sub(at + 1)) then
    -- A server of 0.6.5 replies to it as to an empty one.
    dialect = by_token
  elseif id == 3 and left == 4 and not has_token then
    dialect, sender = "tw-0.6-tken", "client"
  elseif id == 3 and left == 0 then
    dialect, sender = by_token, "client"
  elseif id == 0 and left == 4 and not has_token then
    dialect = "tw-0.6-tken"
  elseif id == 0 and left == 0 then
    dialect = by_token
  elseif id == 4 and not has_token and is_close_of_tken(data:sub(at + 1)) then
    dialect = "tw-0.6-tken"
  elseif id == 4 and is_plain_close(data:sub(at + 1)) then
    dialect = by_token
  else
    return nil
  end
  if id == 1 then sender = "client" end
  if id == 2 then sender = "server" end
  return { dialect = dialect, sender = sender, is_handshake = is_handshake }
end

-- Returns whether all chunks of a datagram are known messages of a dialect, and the role that sends them.
local function fits(data, dialect)
  local version = dialect.version
  local read = header.read(version, data)
  if not read or read.is_connless or read.is_control or read.chunks == 0 then return false end
  local flags = data:byte(1)
  if version == "0.7" and flags >= 64 or version == "0.6" and has(flags, 4) then return false end
  if (read.token ~= nil) ~= (dialect.has_token == true) then return false end
  local payload = data:sub(read.size + 1)
  if read.is_compressed then payload = huffman.decompress(payload) end
  if not payload then return false end
  local last = #payload
  if dialect.has_tken then last = last - 4 end
  local at, sender = 1, nil
  for _ = 1, read.chunks do
    local chunk = header.read_chunk(version, payload, at, last)
    local decoded = chunk and message.read(version, payload, chunk.first, chunk.last, dialect.is_ddnet)
    if not decoded or not decoded.definition then return false end
    sender = sender or decoded.sender
    at = chunk.last + 1
  end
  return at == last + 1, sender
end

local function chunks(data)
  for _, name in ipairs(ORDER) do
    local is_match, sender = fits(data, dialects.all[name])
    if is_match then return { dialect = name, sender = sender } end
  end
  return nil
end

-- Returns the dialect of a datagram, the role that sends it, and whether it is a part of a handshake or a
-- browsing packet; or nil.
function dialects.detect(data)
  local first = data:byte(1)
  if not first then return nil end
  local dialect, letters = connless(data)
  if dialect then return { dialect = dialect, sender = CONNLESS_SENDERS[letters], is_connless = true } end
  if has(first, 32) then return nil end
  return control_07(data) or control_06(data) or display.silently(chunks, data)
end

-- Returns whether a datagram may be a part of a handshake or a browsing packet.
function dialects.could_be_handshake(data)
  local flags, _, count = data:byte(1, 3)
  if not flags then return false end
  local is_control = has(flags, 32) or has(flags, 16) or has(flags, 4)
  return is_control and (not count or count == 0 or count == 255) or data:sub(1, 2) == "xe" or flags == 33
end

-- Returns whether a datagram is the ACCEPT of 0.6.
function dialects.is_accept_06(data)
  local flags, _, count, id = data:byte(1, 4)
  return id == 3 and count == 0 and flags >= 16 and flags < 20
end

-- Returns whether a datagram is KEEPALIVE or CLOSE of 0.6 without a token.
function dialects.is_control_without_token(data, guess)
  return guess.dialect == "tw-0.6" and not guess.is_handshake and data:byte(3) == 0
end

return dialects
