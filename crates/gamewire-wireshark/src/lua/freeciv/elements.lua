-- Elements of Freeciv's fields, by their type on the wire. Numbers are big-endian.
--
-- A reader takes the bytes, the position of the element (from 1), the last position of the packet and the
-- field. It returns the value and the position after it, or nil and what was expected.

local display = require("display")

local elements = {}

local byte, find, sub, floor = string.byte, string.find, string.sub, math.floor

local function unsigned(bytes, data, at, last)
  local after = at + bytes
  if after > last + 1 then return nil, "more bytes" end
  local a, b, c, d = byte(data, at, after - 1)
  if bytes == 1 then return a, after end
  if bytes == 2 then return a * 256 + b, after end
  return a * 16777216 + b * 65536 + c * 256 + d, after
end

local function signed(bytes, data, at, last)
  local value, after = unsigned(bytes, data, at, last)
  if not value then return nil, after end
  local limit = 256 ^ bytes
  if value >= limit / 2 then value = value - limit end
  return value, after
end

local function boolean(bytes, data, at, last)
  local value, after = unsigned(bytes, data, at, last)
  if not value then return nil, after end
  if value > 1 then return nil, "0 or 1" end
  return value == 1, after
end

local function reader(read, bytes)
  return function(data, at, last) return read(bytes, data, at, last) end
end

local NUMBERS = {
  uint8 = { read = reader(unsigned, 1), size = 1 },
  uint16 = { read = reader(unsigned, 2), size = 2 },
  uint32 = { read = reader(unsigned, 4), size = 4 },
  sint8 = { read = reader(signed, 1), size = 1 },
  sint16 = { read = reader(signed, 2), size = 2 },
  sint32 = { read = reader(signed, 4), size = 4 },
  bool8 = { read = reader(boolean, 1), size = 1 },
  bool32 = { read = reader(boolean, 4), size = 4 },
}

-- Reads `count` structures one after another into a flat list.
local function structures(data, at, last, parts, count)
  local values = {}
  for _ = 1, count do
    for _, part in ipairs(parts) do
      local value, after = NUMBERS[part[2]].read(data, at, last)
      if value == nil then return nil, after end
      values[#values + 1] = value
      at = after
    end
  end
  return values, at
end

local READERS = {
  ufloat = NUMBERS.uint32.read,
  sfloat = NUMBERS.sint32.read,
  bits = function(data, at, last, field)
    local after = at + field.size
    if after > last + 1 then return nil, "more bytes" end
    return sub(data, at, after - 1), after
  end,
  text = function(data, at, last, field)
    local stop = find(data, "\0", at, true)
    if not stop or stop > last or stop - at >= field.size then return nil, "a NUL at the end of a text" end
    return sub(data, at, stop - 1), stop + 1
  end,
  parts = function(data, at, last, field) return structures(data, at, last, field.parts, 1) end,
  counted = function(data, at, last, field)
    local count, after = NUMBERS.uint8.read(data, at, last)
    if not count then return nil, after end
    return structures(data, after, last, field.parts, count)
  end,
  -- Bytes up to an end mark, which is omitted after `size` bytes.
  ended = function(data, at, last, field)
    local values = {}
    while #values < field.size do
      local value, after = NUMBERS.uint8.read(data, at, last)
      if not value then return nil, after end
      at = after
      if value == field.mark then break end
      values[#values + 1] = value
    end
    return values, at
  end,
  -- A 16-bit number of bits, then the bits, as a text of 0 and 1.
  bit_text = function(data, at, last, field)
    local count, after = NUMBERS.uint16.read(data, at, last)
    if not count then return nil, after end
    if count >= field.size then return nil, "a number of bits within its field" end
    local stop = after + floor((count + 7) / 8)
    if stop > last + 1 then return nil, "more bytes" end
    local bits = {}
    for index = 0, count - 1 do
      local bit = floor(byte(data, after + floor(index / 8)) / 2 ^ (index % 8)) % 2
      bits[#bits + 1] = bit == 1 and "1" or "0"
    end
    return table.concat(bits), stop
  end,
}
for name, number in pairs(NUMBERS) do
  READERS[name] = number.read
end

local MIN_BYTES = { ufloat = 4, sfloat = 4, text = 1, counted = 1, ended = 1, bit_text = 2 }
for name, number in pairs(NUMBERS) do
  MIN_BYTES[name] = number.size
end

local function size_of(parts)
  local size = 0
  for _, part in ipairs(parts) do
    size = size + NUMBERS[part[2]].size
  end
  return size
end

-- Returns the reader of a field's elements.
function elements.reader(field)
  return READERS[field.type]
end

-- Returns the minimum number of bytes of an element.
function elements.min_bytes(field)
  if field.type == "bits" then return field.size end
  if field.type == "parts" then return size_of(field.parts) end
  return MIN_BYTES[field.type]
end

-- Returns the value of an element before the first packet.
function elements.zero(field)
  local kind = field.type
  if kind == "bool8" or kind == "bool32" then return false end
  if kind == "text" or kind == "bit_text" then return "" end
  if kind == "bits" then return string.rep("\0", field.size) end
  if kind == "counted" or kind == "ended" then return {} end
  if kind == "parts" then
    local values = {}
    for index, part in ipairs(field.parts) do
      values[index] = elements.zero({ type = part[2] })
    end
    return values
  end
  return 0
end

local function show_structure(name, parts, values, first, at, is_here)
  local stop = is_here and at + size_of(parts) or at
  display.enter(name, at, stop)
  for index, part in ipairs(parts) do
    local after = is_here and at + NUMBERS[part[2]].size or at
    display.field(part[1], at, after, values[first + index])
    at = after
  end
  display.leave()
  return stop
end

-- Adds the value of an element. It has no bytes in the current source if `from` is `to`.
function elements.show(name, field, from, to, value)
  local kind = field.type
  if kind == "parts" then
    show_structure(name, field.parts, value, 0, from, from < to)
  elseif kind == "counted" then
    local is_here = from < to
    display.list(name, from, to)
    local at = is_here and from + 1 or from
    local count = #field.parts
    for first = 0, #value - count, count do
      if count == 1 then
        local after = is_here and at + NUMBERS[field.parts[1][2]].size or at
        display.element(at, after, value[first + 1])
        at = after
      else
        at = show_structure("", field.parts, value, first, at, is_here)
      end
    end
    display.leave()
  elseif kind == "ended" then
    local size = from < to and 1 or 0
    display.list(name, from, to)
    for index = 1, #value do
      display.element(from + (index - 1) * size, from + index * size, value[index])
    end
    display.leave()
  elseif kind == "ufloat" or kind == "sfloat" then
    display.field(name, from, to, value / field.factor)
  elseif kind == "bits" or kind == "memory" then
    display.bytes(name, from, to, from == to and value or nil)
  else
    display.field(name, from, to, value)
  end
end

return elements
