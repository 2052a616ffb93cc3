-- Layouts of packets with the capabilities of a connection: which fields are present, and their bits.

local elements = require("freeciv/elements")

local layout = {}

local function has_all(active, names)
  for _, name in ipairs(names or {}) do
    if not active[name] then return false end
  end
  return true
end

local function has_any(active, names)
  for _, name in ipairs(names or {}) do
    if active[name] then return true end
  end
  return false
end

-- Returns the value of the inner dimensions of an array before the first packet.
function layout.zero(field, depth)
  local dim = field.dims and field.dims[depth]
  if not dim then return elements.zero(field) end
  if field.type == "memory" then return string.rep("\0", dim.count == "fixed" and dim.limit or 0) end
  local list = {}
  if dim.count == "fixed" then
    for index = 1, dim.limit do
      list[index] = layout.zero(field, depth + 1)
    end
  end
  return list
end

-- Creates the layout of a packet. `active` is the set of active capabilities.
local function create(packet, active)
  local plan = { packet = packet, keys = {}, steps = {}, bits = 0, zeros = {} }
  for index, field in ipairs(packet.fields) do
    if has_all(active, field.add) and not has_any(active, field.remove) then
      plan.first = plan.first or index
      local is_key = packet.delta and field.key
      local is_scalar = not field.dims
      local is_bool = field.type == "bool8" or field.type == "bool32"
      local step = {
        index = index,
        name = field.name,
        field = field,
        read = elements.reader(field),
        min_bytes = elements.min_bytes(field),
        is_folded = packet.delta and field.bool and is_scalar and not field.key,
        is_bool = is_bool,
        diff = packet.delta and field.diff or nil,
      }
      plan.zeros[index] = step.is_folded and false or layout.zero(field, 1)
      local list = is_key and plan.keys or plan.steps
      list[#list + 1] = step
      if packet.delta and not is_key then
        step.bit = plan.bits
        plan.bits = plan.bits + 1
      end
    end
  end
  plan.bytes = packet.delta and math.max(math.ceil(plan.bits / 8), 1) or 0
  return plan
end

-- Creates the layouts of a definition with a set of active capabilities. They are made when needed.
function layout.all(definition, active)
  return { definition = definition, active = active, plans = {} }
end

-- Returns the layout of a packet that `direction` ("to_client" or "to_server") may carry, or nil.
function layout.find(all, number, direction)
  local packet = all.definition.packets[number]
  if not packet or not packet[direction] then return nil end
  local plan = all.plans[number]
  if not plan then
    plan = create(packet, all.active)
    all.plans[number] = plan
  end
  return plan
end

return layout
