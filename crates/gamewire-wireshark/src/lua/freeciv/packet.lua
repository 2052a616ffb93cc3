-- Packets of Freeciv: the fields that changed since the last packet with the same key, its baseline.
--
-- Values are never changed in place: a decoded packet has a new list, so that older ones stay valid for
-- displaying older frames.

local display = require("display")
local elements = require("freeciv/elements")
local layout = require("freeciv/layout")

local packet = {}

local byte, floor = string.byte, math.floor

-- Returns whether a bit of a bitvector at `at` is set.
local function is_set(data, at, bit)
  local shift = bit % 8
  local value = byte(data, at + (bit - shift) / 8)
  return floor(value / 2 ^ shift) % 2 == 1
end

-- Returns the number of elements of a dimension and the position after it, or nil and what was expected.
local function count_of(dim, values, data, at, last)
  if dim.count == "fixed" then return dim.limit, at end
  if dim.count == "own" then
    if at + 1 > last then return nil, "the length of an array" end
    local high, low = byte(data, at, at + 1)
    return high * 256 + low, at + 2
  end
  local count = values[dim.count]
  if count == true then count = 1 end
  if not count or count < 0 or count > dim.limit then return nil, "a count within the declared size" end
  return count, at
end

-- Reads the elements of a dimension. Returns the list and the position after it.
local function read_list(step, depth, values, data, at, last)
  local dims = step.field.dims
  local count, after = count_of(dims[depth], values, data, at, last)
  if not count then return nil, after end
  at = after
  local is_innermost = depth == #dims
  if is_innermost and count * step.min_bytes > last + 1 - at then return nil, "all elements of an array" end
  local list = {}
  for index = 1, count do
    local value
    if is_innermost then
      value, after = step.read(data, at, last, step.field)
      if value ~= nil then elements.show("", step.field, at - 1, after - 1, value) end
    else
      display.list("", at - 1, at - 1)
      value, after = read_list(step, depth + 1, values, data, at, last)
      display.leave()
    end
    if value == nil then return nil, after end
    list[index], at = value, after
  end
  return list, at
end

-- Reads pairs of an index and an element up to the end mark.
local function read_changes(step, values, data, at, last)
  local field = step.field
  local dim = field.dims[1]
  local count, after = count_of(dim, values, data, at, last)
  if not count then return nil, after end
  at = after
  local is_wide = step.diff == "end-length" and dim.limit > 255
  local stop = step.diff == "end-length" and count or 255
  local old, list = values[step.index] or {}, {}
  for index = 1, count do
    local value = old[index]
    if value == nil then value = elements.zero(field) end
    list[index] = value
  end
  while true do
    local start = at
    if at + (is_wide and 1 or 0) > last then return nil, "the index of an element, or the end mark" end
    local index = byte(data, at)
    at = at + 1
    if is_wide then
      index = index * 256 + byte(data, at)
      at = at + 1
    end
    if index == stop then return list, at end
    if index >= count then return nil, "an index below the number of elements" end
    local value
    value, after = step.read(data, at, last, field)
    if value == nil then return nil, after end
    local item = display.element(start - 1, after - 1, value)
    if item then item:prepend_text(string.format("[%d] ", index)) end
    list[index + 1], at = value, after
  end
end

-- Reads a field. Returns its value and the position after it.
local function read_field(step, values, data, at, last)
  local field, value, after = step.field, nil, nil
  if not field.dims then
    value, after = step.read(data, at, last, field)
    if value ~= nil then elements.show(step.name, field, at - 1, after - 1, value) end
  elseif field.type == "memory" then
    local count
    count, after = count_of(field.dims[1], values, data, at, last)
    if not count then return nil, after end
    if after + count > last + 1 then return nil, "more bytes" end
    value = data:sub(after, after + count - 1)
    display.bytes(step.name, after - 1, after + count - 1)
    after = after + count
  else
    display.list(step.name, at - 1, at - 1)
    if step.diff then
      value, after = read_changes(step, values, data, at, last)
    else
      value, after = read_list(step, 1, values, data, at, last)
    end
    display.leave()
  end
  return value, after
end

-- Resizes an array that was not sent to its new count.
local function fit(step, values)
  local dim = step.field.dims[1]
  local old = values[step.index]
  if type(dim.count) ~= "number" then return true end
  local count = count_of(dim, values)
  if not count then return false end
  if #old == count then return true end
  if type(old) == "string" then
    values[step.index] = (old .. string.rep("\0", count)):sub(1, count)
    return true
  end
  local list = {}
  for index = 1, count do
    local value = old[index]
    if value == nil then value = layout.zero(step.field, 2) end
    list[index] = value
  end
  values[step.index] = list
  return true
end

local function show_bits(plan, data, at)
  display.bytes("bits", at - 1, at - 1 + plan.bytes)
  display.list("set", at - 1, at - 1 + plan.bytes)
  for bit = 0, plan.bits - 1 do
    if is_set(data, at, bit) then
      local from = at - 1 + floor(bit / 8)
      display.element(from, from + 1, bit)
    end
  end
  display.leave()
end

local function show_value(step, value, depth)
  local field = step.field
  local name = depth == 1 and step.name or ""
  if field.dims and field.type ~= "memory" and depth <= #field.dims then
    display.list(name, 0, 0)
    for _, element in ipairs(value) do
      show_value(step, element, depth + 1)
    end
    display.leave()
  else
    elements.show(name, field, 0, 0, value)
  end
end

-- Adds the fields that were not sent, with their values from the baseline.
local function show_baseline(plan, values, sent)
  local is_started = false
  for _, step in ipairs(plan.steps) do
    if not step.is_folded and not sent[step.bit] then
      if not is_started then display.baseline("as_before") end
      is_started = true
      show_value(step, values[step.index], 1)
    end
  end
  if is_started then display.leave() end
end

local function read_plain(plan, data, at, last)
  local values = {}
  for _, step in ipairs(plan.steps) do
    local value, after = read_field(step, values, data, at, last)
    if value == nil then return nil, step.name .. ": expected " .. after end
    values[step.index], at = value, after
  end
  if at <= last then return nil, "expected the end of the packet" end
  return values
end

-- Reads the keys. Returns the key of the baseline and the position after it.
local function read_keys(plan, values, data, at, last)
  local parts = {}
  for index, step in ipairs(plan.keys) do
    local value, after = step.read(data, at, last, step.field)
    if value == nil then return nil, step.name .. ": expected " .. after end
    elements.show(step.name, step.field, at - 1, after - 1, value)
    values[step.index] = value
    parts[index] = string.format("%d", value == true and 1 or value or 0)
    at = after
  end
  return table.concat(parts, " "), at
end

local function read_delta(plan, data, at, last, baseline_of)
  if at + plan.bytes > last + 1 then return nil, "expected the bits of the fields" end
  local bits = at
  for bit = plan.bits, plan.bytes * 8 - 1 do
    if is_set(data, bits, bit) then return nil, "expected no bit after those of the fields" end
  end
  local keys = {}
  local key, after = read_keys(plan, keys, data, at + plan.bytes, last)
  if not key then return nil, after end
  at = after
  local baseline = baseline_of(key)
  local values = {}
  for index, value in pairs(baseline or plan.zeros) do
    values[index] = value
  end
  for index, value in pairs(keys) do
    values[index] = value
  end
  local sent = {}
  for _, step in ipairs(plan.steps) do
    local bit = step.bit
    local is_sent = is_set(data, bits, bit)
    if step.is_folded then
      values[step.index] = is_sent
      local from = bits - 1 + floor(bit / 8)
      display.field(step.name, from, from + 1, is_sent)
    elseif is_sent then
      sent[bit] = true
      local value
      value, after = read_field(step, values, data, at, last)
      if value == nil then return nil, step.name .. ": expected " .. after end
      values[step.index], at = value, after
    elseif step.field.dims and not fit(step, values) then
      return nil, step.name .. ": expected a count within the declared size"
    end
  end
  if at <= last then return nil, "expected the end of the packet" end
  if baseline and display.is_open() then show_baseline(plan, values, sent) end
  return values, key, baseline
end

-- Decodes the body of a packet at `at` to `last` (from 1), and adds it to the tree. `baseline_of` returns the
-- values of the baseline with a key, or nil. Returns the values, the key and the baseline; or nil and an
-- error.
function packet.decode(plan, data, at, last, baseline_of)
  local is_delta = plan.packet.delta
  if is_delta and at + plan.bytes <= last + 1 then show_bits(plan, data, at) end
  display.enter(plan.packet.name, at - 1, last)
  local values, key, baseline
  if is_delta then
    values, key, baseline = read_delta(plan, data, at, last, baseline_of)
  else
    values, key = read_plain(plan, data, at, last)
  end
  if not values then display.error(at - 1, last, key) end
  display.leave()
  return values, key, baseline
end

return packet
