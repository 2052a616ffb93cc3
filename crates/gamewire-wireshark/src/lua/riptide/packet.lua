-- Packets of Riptide: a header and its fields, as `definitions/riptide` lists them.

local bits = require("bits")

local packet = {}

-- Readers of header fields: each returns the value and the position after it, or nil; then perhaps a warning.
local READERS = {
  Byte = function(data, at) return bits.number(data, at, 8) end,
  Ushort = function(data, at) return bits.number(data, at, 16) end,
  Short = function(data, at) return bits.signed(data, at, 16) end,
  Bits8 = function(data, at) return bits.number(data, at, 8) end,
  Bits16 = function(data, at) return bits.number(data, at, 16) end,
  RejectReason = function(data, at) return bits.number(data, at, 8) end,
  DisconnectReason = function(data, at) return bits.number(data, at, 8) end,
  MessageId = function(data, at, version)
    if not version.has_bits then return bits.number(data, at, 16) end
    local low, high, after, groups = bits.variable(data, at)
    if not low then return nil end
    local id = low % 65536
    if high > 0 or low ~= id then return id, after, "large_id" end
    local needed = id < 128 and 1 or id < 16384 and 2 or 3
    return id, after, groups > needed and "overlong_number" or nil
  end,
}

-- Reason of a server of 2.1.0 to 2.2.0 that stops.
local LEGACY_STOP = 80

-- Reads an ack, whose last id is optional.
local function read_ack(self, version)
  for _, field in ipairs(version.packets.ack) do
    local name, at = field[1], self.at
    if name == "trailing" then return end
    local value, after
    if name == "has_for_seq_id" then
      if version.has_bits then
        value, after = bits.number(self.data, at, 1)
        self.has_id = value == 1
      end
    elseif name ~= "for_seq_id" or self.has_id then
      value, after = READERS[field[2]](self.data, at, version)
    end
    if after then
      self.fields[#self.fields + 1] = { name, at, after, value }
      self.values[name], self.at = value, after
    elseif name ~= "has_for_seq_id" and name ~= "for_seq_id" or self.has_id then
      self.failed = name
      return
    end
  end
end

local function read_fields(self, version)
  for _, field in ipairs(version.packets[self.name]) do
    local read = READERS[field[2]]
    -- The last field is the rest of the packet.
    if not read then
      self.rest = field[1]
      return
    end
    local at = self.at
    local value, after, warning = read(self.data, at, version)
    if not after then
      self.failed = field[1]
      return
    end
    self.fields[#self.fields + 1] = { field[1], at, after, value, warning }
    self.values[field[1]], self.at = value, after
  end
end

-- Returns the name of the header of a packet and its number, or nil if it has none.
function packet.header(version, data)
  local number = bits.number(data, 0, version.header_bits)
  if not number then return nil end
  return version.headers[number + 1] or "unknown", number
end

-- Decodes a packet that `sender` ("client" or "server") sends. Returns nil if it has no header. Otherwise:
-- header, number, name; fields as a list of { name, from, to, value, warning }, in bits; values by name; `at`, where
-- the rest of the packet starts; `failed`, the field that could not be read.
function packet.decode(version, data, sender)
  local header, number = packet.header(version, data)
  if not header then return nil end
  local self = {
    data = data,
    header = header,
    number = number,
    name = version.names[header][sender],
    fields = {},
    values = {},
    at = version.header_bits,
    rest = "trailing",
  }
  if self.name == "ack" then
    self.has_id = header == "AckExtra"
    read_ack(self, version)
  else
    read_fields(self, version)
  end
  self.left = #data * 8 - self.at
  self.is_legacy_stop = self.name == "disconnect" and version.has_bits and self.values.reason == LEGACY_STOP
  return self
end

-- Returns whether the bits after the fields are padding: less than a byte, all zero.
function packet.is_padding(self)
  return self.left < 8 and (self.left == 0 or bits.number(self.data, self.at, self.left) == 0)
end

return packet
