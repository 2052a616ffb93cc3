-- Frames of Freeciv: a packet with its length, or a chunk of compressed packets.

local frames = {}

local COMPRESSION_BORDER = 16385
local JUMBO = 65535
local MAX_PACKET = 16384
local MAX_CHUNK = 1048576

-- Returns the length of the frame at `at` (from 0) and the length of its header if it is a chunk; nil if the
-- data end before its length does; false if no frame has this length.
function frames.length(data, at)
  local a, b, c, d, e, f = data:byte(at + 1, at + 6)
  if not b then return nil end
  local length = a * 256 + b
  if length == JUMBO then
    if not f then return nil end
    length = ((c * 256 + d) * 256 + e) * 256 + f
    if length < 6 or length > MAX_CHUNK then return false end
    return length, 6
  end
  if length >= COMPRESSION_BORDER then
    length = length - COMPRESSION_BORDER
    if length < 2 then return false end
    return length, 2
  end
  if length < 3 or length > MAX_PACKET then return false end
  return length
end

return frames
