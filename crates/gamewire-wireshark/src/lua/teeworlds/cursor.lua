-- A cursor over the fields of a message: variable-length integers, text and bytes. Positions are from 1.

local cursor = {}

local byte, find, sub = string.byte, string.find, string.sub

-- The bytes, the position of the next one, the last position, and the number of values of the fifth byte of
-- an integer.
local data, at, last, fifth = "", 1, 0, 128

-- Moves the cursor to other bytes. `is_ddnet` selects how the fifth byte of an integer is read.
function cursor.open(bytes, from, to, is_ddnet)
  data, at, last, fifth = bytes, from, to, is_ddnet and 16 or 128
end

-- Returns the bytes and the place of the cursor.
function cursor.place()
  return data, at, last
end

-- Returns the position of the next byte.
function cursor.at()
  return at
end

function cursor.is_empty()
  return at > last
end

-- Moves the cursor to the end. Returns what is skipped.
function cursor.rest()
  local rest = sub(data, at, last)
  at = last + 1
  return rest
end

-- Reads an integer of 32 bits. Returns nil if the data end before it does.
function cursor.int()
  if at > last then return nil end
  local first = byte(data, at)
  at = at + 1
  local is_long = first >= 128
  if is_long then first = first - 128 end
  local is_negative = first >= 64
  local value = is_negative and first - 64 or first
  if is_long then
    local scale = 64
    for count = 2, 5 do
      if at > last then return nil end
      local group = byte(data, at)
      at = at + 1
      if count == 5 then
        value = value + group % fifth * scale
      elseif group < 128 then
        value = value + group * scale
        break
      else
        value = value + (group - 128) * scale
        scale = scale * 128
      end
    end
    value = value % 4294967296
    if value >= 2147483648 then value = value - 4294967296 end
  end
  if is_negative then return -value - 1 end
  return value
end

-- Reads a text up to a zero byte; at the end of the data it is empty. Returns nil without the zero byte.
function cursor.text()
  if at > last then return "" end
  local stop = find(data, "\0", at, true)
  if not stop or stop > last then return nil end
  local text = sub(data, at, stop - 1)
  at = stop + 1
  return text
end

-- Reads `count` bytes. Returns nil if there are fewer.
function cursor.bytes(count)
  if count < 0 or at + count > last + 1 then return nil end
  local bytes = sub(data, at, at + count - 1)
  at = at + count
  return bytes
end

-- Reads an unsigned big-endian number of `count` bytes.
function cursor.unsigned(count)
  local bytes = cursor.bytes(count)
  if not bytes then return nil end
  local value = 0
  for index = 1, count do
    value = value * 256 + byte(bytes, index)
  end
  return value
end

return cursor
