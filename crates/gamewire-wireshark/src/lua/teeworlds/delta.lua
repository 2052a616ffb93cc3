-- Differences between snapshots: which items are gone, and the integers of those that changed.

local cursor = require("teeworlds/cursor")
local display = require("display")

local delta = {}

local MAX_ITEMS = 1024
local MAX_BYTES = 65536
local MAX_TYPE = 32767
-- An item with more than this has no place in a snapshot.
local MAX_INTS = 16384

local function wrap(value)
  value = value % 4294967296
  return value >= 2147483648 and value - 4294967296 or value
end

local function number(min, max)
  local value = cursor.int()
  if not value or value < min or value > max then return nil end
  return value
end

local function read_update(sizes)
  local from = cursor.at() - 1
  local kind, id = number(0, MAX_TYPE), nil
  if kind then id = number(0, 65535) end
  if not id then return nil, "the type and the id of an item" end
  local size = sizes[kind]
  if not size then
    size = number(0, MAX_INTS)
    if not size then return nil, "the size of an item" end
  end
  local update = { kind = kind, id = id, key = kind * 65536 + id, from = from, to = cursor.at() - 1 }
  local ints, spans = {}, {}
  local has_spans = display.is_open()
  for index = 1, size do
    local start = cursor.at() - 1
    local value = cursor.int()
    if not value then return nil, "the integers of an item" end
    ints[index] = value
    if has_spans then spans[index] = { start, cursor.at() - 1 } end
  end
  update.ints, update.spans = ints, spans
  return update
end

-- Reads a delta from `first` to `last`. `sizes` has the number of integers of the objects whose size is not
-- sent. Returns a list of updates with `deleted`, a list of keys; or nil and what was expected.
function delta.read(data, first, last, is_ddnet, sizes)
  if last + 1 - first > MAX_BYTES then return nil, "at most 64 KiB" end
  cursor.open(data, first, last, is_ddnet)
  local deleted = number(0, MAX_ITEMS)
  local updated = deleted and number(0, MAX_ITEMS)
  if not updated or not cursor.int() then return nil, "the numbers of items, 0 to 1024" end
  local updates = { deleted = {} }
  for index = 1, deleted do
    local key = number(0, 2147483647)
    if not key then return nil, "a key of 0 or more" end
    updates.deleted[index] = key
  end
  for index = 1, updated do
    local update, expected = read_update(sizes)
    if not update then return nil, expected end
    updates[index] = update
  end
  updates.is_followed = not cursor.is_empty()
  return updates
end

local function sum_of(item)
  local sum = 0
  for index = 1, #item do
    sum = sum + item[index]
  end
  return sum
end

-- The snapshot without items.
delta.EMPTY = { items = {}, count = 0, ints = 0, sum = 0 }

-- Applies a delta to a snapshot. Returns the new one, or nil. A snapshot has its items, tables of integers by
-- key, their number, the number of all integers and their sum. Items are shared, and never changed in place.
function delta.apply(updates, base)
  local old_items, items = base.items, {}
  local count, ints, sum = base.count, base.ints, base.sum
  for key, item in pairs(old_items) do
    items[key] = item
  end
  for _, key in ipairs(updates.deleted) do
    local item = items[key]
    if item then
      items[key] = nil
      count, ints, sum = count - 1, ints - #item, sum - sum_of(item)
    end
  end
  for _, update in ipairs(updates) do
    local key, differences = update.key, update.ints
    local old, known = old_items[key], items[key]
    local size = #differences
    if old and #old ~= size or known and #known ~= size then return nil end
    if known then
      sum = sum - sum_of(known)
    else
      count, ints = count + 1, ints + size
      if count > MAX_ITEMS or ints * 4 > MAX_BYTES then return nil end
    end
    local item = differences
    if old then
      item = {}
      for index = 1, size do
        local value = old[index] + differences[index]
        if value < -2147483648 or value > 2147483647 then value = wrap(value) end
        item[index] = value
      end
    end
    items[key] = item
    sum = sum + sum_of(item)
  end
  return { items = items, count = count, ints = ints, sum = sum }
end

-- Returns the checksum of a snapshot.
function delta.checksum(snapshot)
  return wrap(snapshot.sum)
end

return delta
