-- Messages of an application, by the layouts of its messages file.

local bits = require("bits")
local definitions = require("definitions/riptide")
local display = require("display")

local layout = {}

local COMPONENTS = { "x", "y", "z", "w" }

-- Cursor over the values of a message.
local data, at, version

local function show(name, from, value)
  local first, last = math.floor(from / 8), math.ceil(at / 8)
  display.field(name, first, last, value)
end

local function number(count)
  local value, after = bits.number(data, at, count)
  at = after or at
  return value
end

local function signed(count)
  local value, after = bits.signed(data, at, count)
  at = after or at
  return value
end

local function wide(count)
  local low, high, after = bits.halves(data, at, count)
  if not low then return nil end
  at = after
  return low, high
end

local function variable()
  if not version.has_bits then return nil end
  local low, high, after = bits.variable(data, at)
  if not low then return nil end
  at = after
  return low, high
end

-- Converts the bits of a float of `width` bits, given as two halves, by way of Wireshark.
local function float(low, high, width)
  local bytes = {}
  for index = 1, width / 8 do
    local half = index <= 4 and low or high
    bytes[index] = string.char(math.floor(half / 256 ^ ((index - 1) % 4)) % 256)
  end
  local range = ByteArray.new(table.concat(bytes), true):tvb("float")()
  return range:le_float()
end

local function unzigzag(low, high)
  local value = UInt64.new(low, high)
  local half = value:rshift(1)
  if low % 2 == 1 then half = half:bxor(UInt64.max()) end
  return Int64.new(half:lower(), half:higher())
end

local SCALARS = {
  bool = function()
    if version.has_bits then
      local bit = number(1)
      return bit and bit == 1
    end
    local byte = number(8)
    return byte and byte == 1
  end,
  byte = function() return number(8) end,
  sbyte = function() return signed(8) end,
  short = function() return signed(16) end,
  ushort = function() return number(16) end,
  int = function() return signed(32) end,
  uint = function() return number(32) end,
  long = function()
    local low, high = wide(64)
    return low and Int64.new(low, high)
  end,
  ulong = function()
    local low, high = wide(64)
    return low and UInt64.new(low, high)
  end,
  float = function()
    local low = wide(32)
    return low and float(low, 0, 32)
  end,
  double = function()
    local low, high = wide(64)
    return low and float(low, high, 64)
  end,
  var_long = function()
    local low, high = variable()
    return low and unzigzag(low, high)
  end,
  var_ulong = function()
    local low, high = variable()
    return low and UInt64.new(low, high)
  end,
  bits = function(count)
    if not version.has_bits then return nil end
    local low, high = wide(count)
    return low and UInt64.new(low, high)
  end,
}

-- Reads the length of a list or text.
local function length()
  if version.has_bits then
    local low, high = variable()
    return low and low + high * 2 ^ 32
  end
  local first = number(8)
  if not first or first < 128 then return first end
  local second = number(8)
  return second and (first - 128) * 256 + second
end

local fields

-- Reads one value. Returns whether it could be read.
local function value(field, name)
  local start = at
  local kind = field.type
  if kind == "string" then
    local count = length()
    if not count or at + count * 8 > #data * 8 then return false end
    local bytes = bits.bytes(data, at, count * 8)
    at = at + count * 8
    show(name, start, bytes)
    return true
  elseif kind == "vector" then
    display.enter(field.group, math.floor(start / 8), math.ceil(start / 8))
    local is_read = true
    for index = 1, field.size do
      local from = at
      local component = SCALARS.float()
      if not component then
        is_read = false
        break
      end
      show(COMPONENTS[index], from, component)
    end
    display.leave()
    return is_read
  elseif kind == "struct" then
    display.enter(field.group, math.floor(start / 8), math.ceil(start / 8))
    local is_read = fields(field.fields)
    display.leave()
    return is_read
  end
  local read = SCALARS[kind](field.size)
  if read == nil then return false end
  show(name, start, read)
  return true
end

-- Reads a list of bools, eight of which share a byte in 2.0.
local function bools(name, start, count)
  local width = version.has_bits and count or math.ceil(count / 8) * 8
  if at + width > #data * 8 then return false end
  display.list(name, math.floor(start / 8), math.ceil((at + width) / 8))
  for index = 0, count - 1 do
    local from = math.floor((at + index) / 8)
    display.element(from, from + 1, bits.number(data, at + index, 1) == 1)
  end
  display.leave()
  at = at + width
  return true
end

local function list(field, name)
  local start, count = at, field.count
  if count == 0 then count = length() end
  -- Every value takes at least one bit.
  if not count or count > #data * 8 - at then return false end
  if field.type == "byte" then
    if at + count * 8 > #data * 8 then return false end
    local bytes = bits.bytes(data, at, count * 8)
    local is_aligned = at % 8 == 0
    local first = math.floor(at / 8)
    at = at + count * 8
    display.bytes(name, first, math.ceil(at / 8), not is_aligned and bytes or nil)
    return true
  elseif field.type == "bool" then
    return bools(name, start, count)
  end
  display.list(name, math.floor(start / 8), math.ceil(at / 8))
  local is_read = true
  for _ = 1, count do
    is_read = value(field, "")
    if not is_read then break end
  end
  display.leave()
  return is_read
end

fields = function(of)
  for _, field in ipairs(of) do
    local is_read
    if field.count then is_read = list(field, field.name) else is_read = value(field, field.name) end
    if not is_read then
      display.error(math.floor(at / 8), math.ceil(at / 8), "cannot decode " .. field.name)
      return false
    end
  end
  return true
end

-- Returns the kind of message that a packet holds.
local function kind_of(read)
  local name = read.name
  if name == "reliable" or name == "unreliable" then return read.values.id end
  if name == "notify" or name == "connect" or name == "reject" then return name end
  return name == "disconnect" and "kick" or nil
end

-- Adds the message in the payload of a packet, if there is a layout. Returns the name of the message.
function layout.show(read, sender, format)
  local kind = kind_of(read)
  local messages = definitions.messages[sender]
  local known = kind and (messages.ids[kind] or messages.kinds[kind])
  if not known or type(kind) == "string" and kind ~= "notify" and read.left == 0 then return nil end
  data, at, version = read.data, read.at, format
  display.enter(known.name, math.floor(at / 8), #data)
  if fields(known.fields) then
    local left = #data * 8 - at
    if left >= 8 or left > 0 and bits.number(data, at, left) ~= 0 then
      local is_aligned = at % 8 == 0
      local first = math.floor(at / 8)
      display.bytes("extra_bytes", first, #data, not is_aligned and bits.bytes(data, at, left) or nil)
      display.warning(first, #data, left >= 8 and "extra_bytes" or "padding_bits")
    end
  end
  display.leave()
  return known.name
end

return layout
