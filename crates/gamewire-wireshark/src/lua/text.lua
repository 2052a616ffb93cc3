-- Text from a peer, which may be any bytes.

local text = {}

local REPLACEMENT = "\239\191\189"

-- Returns the number of bytes of the character at `at`, and whether it is valid UTF-8. Of an invalid one, these
-- are the bytes up to the first wrong one.
local function character(bytes, at)
  local a, b, c, d = bytes:byte(at, at + 3)
  local function is_between(byte, low, high) return byte and byte >= low and byte <= high end
  if a < 0x80 then return 1, true end
  if a < 0xc2 or a > 0xf4 then return 1, false end
  local low = a == 0xe0 and 0xa0 or a == 0xf0 and 0x90 or 0x80
  local high = a == 0xed and 0x9f or a == 0xf4 and 0x8f or 0xbf
  if not is_between(b, low, high) then return 1, false end
  if a < 0xe0 then return 2, true end
  if not is_between(c, 0x80, 0xbf) then return 2, false end
  if a < 0xf0 then return 3, true end
  if not is_between(d, 0x80, 0xbf) then return 3, false end
  return 4, true
end

-- Returns the text as UTF-8 without NUL, which ends a string in Wireshark. Invalid bytes become U+FFFD.
function text.printable(bytes)
  if not bytes:find("[\0\128-\255]") then return bytes end
  local parts, at = {}, 1
  while at <= #bytes do
    local length, is_valid = character(bytes, at)
    if not is_valid then
      parts[#parts + 1] = REPLACEMENT
    elseif bytes:byte(at) == 0 then
      parts[#parts + 1] = "\\0"
    else
      parts[#parts + 1] = bytes:sub(at, at + length - 1)
    end
    at = at + length
  end
  return table.concat(parts)
end

return text
