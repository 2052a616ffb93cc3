-- Snapshots of a connection by tick, and the parts of the next one.

local delta = require("teeworlds/delta")

local storage = {}

local MAX_SNAPSHOTS = 150
local MAX_PARTS = 64
local PART_BYTES = 900
-- Parts of an older snapshot are ignored, unless it is so old that ticks have restarted.
local KEPT_TICKS = 150

function storage.new()
  return { ticks = {}, order = {}, declared = {}, declared_count = 0, parts = {}, received = 0 }
end

-- Returns the base of a delta, or nil: that of tick -1 is empty.
function storage.base(self, tick)
  if tick == -1 then return delta.EMPTY end
  return self.ticks[tick]
end

-- Keeps a snapshot, and drops those before its base.
function storage.keep(self, tick, snapshot, base)
  if self.ticks[tick] then
    for index, kept in ipairs(self.order) do
      if kept == tick then
        table.remove(self.order, index)
        break
      end
    end
  end
  self.ticks[tick] = snapshot
  self.order[#self.order + 1] = tick
  while #self.order > MAX_SNAPSHOTS or self.order[1] and self.order[1] < base do
    self.ticks[table.remove(self.order, 1)] = nil
  end
end

-- Adds a part. Returns the data of all parts once the last one arrives; nil before that; false if the part
-- is wrong.
function storage.add_part(self, values, data)
  local tick, count, part = values.tick, values.num_parts, values.part
  if count < 1 or count > MAX_PARTS or part < 0 or part >= count then return false end
  local behind = (self.tick or tick) - tick
  if self.received > 0 and behind >= 1 and behind <= KEPT_TICKS then return nil end
  local is_last = part + 1 == count
  if #data > PART_BYTES or not is_last and #data < PART_BYTES then return false end
  if self.received == 0 or self.tick ~= tick then
    self.tick, self.num_parts, self.received, self.parts = tick, count, 0, {}
  elseif self.num_parts ~= count then
    return false
  end
  if not self.parts[part + 1] then self.received = self.received + 1 end
  self.parts[part + 1] = data
  if self.received < count then return nil end
  local whole = table.concat(self.parts)
  self.received, self.parts = 0, {}
  return whole
end

return storage
