-- Values of a run of bits, least significant bit first. Positions are in bits from the start of a string.
-- Every function returns nil if the bits end before the value.

local bits = {}

local byte, floor = string.byte, math.floor

-- Reads up to 32 bits. Returns the number and the position after it.
function bits.number(data, at, count)
  local stop = at + count
  if stop > #data * 8 then return nil end
  if count == 0 then return 0, at end
  local shift = at % 8
  local first = (at - shift) / 8 + 1
  local value, scale = 0, 1
  for position = first, floor((stop - 1) / 8) + 1 do
    value = value + byte(data, position) * scale
    scale = scale * 256
  end
  return floor(value / 2 ^ shift) % 2 ^ count, stop
end

-- Reads a two's complement number of up to 32 bits.
function bits.signed(data, at, count)
  local value, after = bits.number(data, at, count)
  if value and value >= 2 ^ (count - 1) then value = value - 2 ^ count end
  return value, after
end

-- Reads up to 64 bits. Returns the low and the high 32 bits and the position after them.
function bits.halves(data, at, count)
  local low, after = bits.number(data, at, count < 32 and count or 32)
  if not low then return nil end
  if count <= 32 then return low, 0, after end
  local high
  high, after = bits.number(data, after, count - 32)
  if not high then return nil end
  return low, high, after
end

-- Reads a number in groups of 7 bits, low group first. Returns the low and the high 32 bits, the position
-- after it and its number of groups; nil also if it has more than 64 bits.
function bits.variable(data, at)
  local low, high = 0, 0
  for group = 0, 9 do
    local part = bits.number(data, at, 8)
    if not part then return nil end
    at = at + 8
    local digits = part % 128
    local shift = group * 7
    if group == 9 and digits > 1 then return nil end
    if shift < 28 then
      low = low + digits * 2 ^ shift
    elseif shift == 28 then
      low = low + digits % 16 * 2 ^ 28
      high = floor(digits / 16)
    else
      high = high + digits * 2 ^ (shift - 32)
    end
    if part < 128 then return low, high, at, group + 1 end
  end
  return nil
end

-- Returns `count` bits from `at` on as bytes, the last one padded with zeros.
function bits.bytes(data, at, count)
  local shift = at % 8
  if shift == 0 and count % 8 == 0 then return data:sub(at / 8 + 1, (at + count) / 8) end
  local parts = {}
  local stop = at + count
  while at < stop do
    local width = stop - at < 8 and stop - at or 8
    parts[#parts + 1] = string.char(floor((bits.number(data, at, width))))
    at = at + 8
  end
  return table.concat(parts)
end

return bits
