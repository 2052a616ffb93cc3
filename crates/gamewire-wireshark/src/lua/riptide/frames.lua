-- Frames of Riptide on TCP: a length, then a packet.

local frames = {}

-- Returns the length of the packet after the prefix at `at` (from 0), or nil if the data end before it does,
-- or false if no packet has this length.
function frames.length(version, data, at)
  local a, b, c, d = data:byte(at + 1, at + version.frame_prefix)
  local length
  if version.frame_prefix == 2 then
    if not b then return nil end
    length = a + b * 256
  else
    if not d then return nil end
    length = a + b * 256 + c * 65536 + d * 16777216
  end
  if length < 1 or length > version.max_size then return false end
  return length
end

-- Returns the packets of data that consist of complete frames only, otherwise nil.
function frames.packets(version, data)
  local packets, at = {}, 0
  while at < #data do
    local length = frames.length(version, data, at)
    local start = at + version.frame_prefix
    if not length or start + length > #data then return nil end
    packets[#packets + 1] = data:sub(start + 1, start + length)
    at = start + length
  end
  return packets
end

return frames
