-- Adds groups and fields to Wireshark's tree, by the names of `gamewire inspect --fields`.
--
-- A dissector calls `open`, then the calls nest: every `enter`, `list` and `source` has a `leave`.
-- Positions are in bytes of the current source; `to` is exclusive.

local text = require("text")

local display = {}

-- Maximum nesting of groups. Deeper ones are left out: Wireshark limits the depth of its tree.
local MAX_DEPTH = 64

-- The current place: the item that fields are added to, the fields of its group, and the bytes. Without an
-- item nothing is added.
local protocol, item, fields, tvb, size
-- The version of the protocol, which selects the names of values.
local variant
-- The places to return to, four values each.
local stack, depth = {}, 0

local CONSTRUCTORS = {
  bool = function(abbr, name, doc) return ProtoField.bool(abbr, name, base.NONE, nil, nil, doc) end,
  int = function(abbr, name, doc, values) return ProtoField.int32(abbr, name, base.DEC, values, nil, doc) end,
  uint = function(abbr, name, doc, values) return ProtoField.uint32(abbr, name, base.DEC, values, nil, doc) end,
  hex2 = function(abbr, name, doc) return ProtoField.uint8(abbr, name, base.HEX, nil, nil, doc) end,
  hex4 = function(abbr, name, doc) return ProtoField.uint16(abbr, name, base.HEX, nil, nil, doc) end,
  hex8 = function(abbr, name, doc) return ProtoField.uint32(abbr, name, base.HEX, nil, nil, doc) end,
  int64 = function(abbr, name, doc) return ProtoField.int64(abbr, name, base.DEC, nil, nil, doc) end,
  uint64 = function(abbr, name, doc) return ProtoField.uint64(abbr, name, base.DEC, nil, nil, doc) end,
  float = function(abbr, name, doc) return ProtoField.float(abbr, name, doc) end,
  double = function(abbr, name, doc) return ProtoField.double(abbr, name, doc) end,
  text = function(abbr, name, doc) return ProtoField.string(abbr, name, base.UNICODE, doc) end,
  bytes = function(abbr, name, doc) return ProtoField.bytes(abbr, name, base.NONE, doc) end,
  none = function(abbr, name, doc) return ProtoField.none(abbr, name, doc) end,
}

-- Registers a protocol. `groups` is a list of { name, doc, { { field, type, doc, names of values, names by
-- variant }, .. } }; `warnings` are sentences by name.
function display.protocol(name, title, groups, warnings)
  local self = { proto = Proto(name, title), groups = {}, name = name, warnings = warnings or {} }
  local all = {}
  local function field(abbr, label, kind, doc, values)
    if doc == "" then doc = nil end
    local new = CONSTRUCTORS[kind](abbr, label, doc, values)
    all[#all + 1] = new
    return { item = new, kind = kind }
  end
  for _, group in ipairs(groups) do
    local group_name, doc, list = group[1], group[2], group[3]
    local abbr = name .. "." .. group_name
    local known = self.groups[group_name]
    if not known then
      known = { item = field(abbr, group_name, "none", doc).item, fields = {}, title = group_name }
      self.groups[group_name] = known
    end
    for _, row in ipairs(list) do
      local label = row[1]
      local new = field(abbr .. "." .. label, label, row[2], row[3], row[4])
      for variant, names in pairs(row[5] or {}) do
        new[variant] = field(abbr .. "." .. label, label, row[2], row[3], names).item
      end
      known.fields[label] = new
    end
  end
  self.warning = field(name .. ".warning", "warning", "text", "Name of a warning: unusual data that could be decoded.")
  self.error = field(name .. ".error", "error", "text", "Data that could not be decoded.")
  local kinds, severities = expert.group, expert.severity
  self.warning.expert = ProtoExpert.new(name .. ".warned", "Unusual data", kinds.PROTOCOL, severities.WARN)
  self.error.expert = ProtoExpert.new(name .. ".failed", "Undecodable data", kinds.MALFORMED, severities.ERROR)
  self.proto.fields = all
  self.proto.experts = { self.warning.expert, self.error.expert }
  return self
end

-- Returns whether Wireshark needs any field of a packet.
function display.is_wanted(of, root)
  of.dissector = of.dissector or Dissector.get(of.name)
  return root.visible or root:referenced(of.dissector)
end

-- Starts the tree of a packet of a version. Returns its item, or nil if Wireshark needs none of the fields.
function display.open(of, root, bytes, version)
  protocol, depth, variant = of, 0, version
  item, fields, tvb, size = nil, {}, bytes, bytes:len()
  if display.is_wanted(of, root) then item = root:add(of.proto, bytes()) end
  return item
end

-- Returns whether fields are added at all.
function display.is_open()
  return item ~= nil
end

-- Returns the range of bytes, within what there is.
local function range(from, to)
  if from > size then from = size end
  if to > size then to = size end
  if to < from then to = from end
  return tvb(from, to - from)
end

-- Remembers the current place, to be returned to by `leave`.
local function push()
  depth = depth + 1
  local at = depth * 4
  stack[at], stack[at + 1], stack[at + 2], stack[at + 3] = item, fields, tvb, size
end

-- Ends the innermost group, list or source.
function display.leave()
  if not item then return end
  local at = depth * 4
  item, fields, tvb, size = stack[at], stack[at + 1], stack[at + 2], stack[at + 3]
  depth = depth - 1
end

-- Calls a function without adding anything to the tree.
function display.silently(call, argument)
  local before = item
  item = nil
  local result = call(argument)
  item = before
  return result
end

-- Starts a group.
function display.enter(name, from, to)
  if not item then return end
  push()
  if depth > MAX_DEPTH then return end
  -- A structure in a list has the name of the list.
  if name == "" then name = fields.list end
  local group = protocol.groups[name]
  if group then
    item = item:add(group.item, range(from, to))
    fields = group.fields
  else
    item = item:add(range(from, to), name or "")
    fields = {}
  end
end

-- Starts a list of values, which are added with `element`.
function display.list(name, from, to)
  if not item then return end
  -- A list in a list has the name of the outer one.
  local field = fields[name]
  if name == "" then name = fields.list end
  push()
  if depth > MAX_DEPTH then return end
  item = item:add(range(from, to), name)
  fields = { [""] = field, list = name }
end

-- Starts values of the current group that these bytes do not contain.
function display.baseline(name)
  if not item then return end
  push()
  item = item:add(range(0, 0), name)
  item:set_generated()
end

-- Starts another source of bytes, such as an inflated payload.
function display.source(name, bytes)
  if not item then return end
  push()
  size = #bytes
  -- Wireshark has no empty sources.
  if size > 0 then tvb = ByteArray.new(bytes, true):tvb(name) end
end

-- Starts another source of bytes that Wireshark made.
function display.source_tvb(bytes)
  if not item then return end
  push()
  tvb, size = bytes, bytes:len()
end

-- Appends to the text of the current group.
function display.append(label)
  if item then item:append_text(label) end
end

-- Adds a field.
function display.field(name, from, to, value)
  if not item then return end
  local field = fields[name]
  if not field then return end
  local kind = field.kind
  if kind == "text" then
    value = text.printable(value)
  elseif kind == "bool" then
    value = value ~= false and value ~= 0
  elseif value == true then
    value = 1
  elseif value == false then
    value = 0
  elseif kind == "int64" and type(value) == "number" then
    value = Int64.new(value)
  end
  return item:add(variant and field[variant] or field.item, range(from, to), value)
end

-- Adds a value of a list.
function display.element(from, to, value)
  return display.field("", from, to, value)
end

-- Adds bytes: those at `from`, or `bytes` if they are not aligned.
function display.bytes(name, from, to, bytes)
  if not item then return end
  local field = fields[name]
  -- Bits in one version and numbers in another: Wireshark has one type for each name.
  if field and field.kind ~= "bytes" then field = fields[name .. "_bits"] or field end
  if not field then return end
  local at = range(from, to)
  if bytes then
    if #bytes == 0 then return end
    at = ByteArray.new(bytes, true):tvb(name)()
  end
  return item:add(field.item, at)
end

local function report(kind, from, to, name, sentence)
  if not item then return end
  item:add(kind.item, range(from, to), name):add_proto_expert_info(kind.expert, sentence or name)
end

-- Adds a warning: the data are unusual, but could be decoded.
function display.warning(from, to, name)
  report(protocol.warning, from, to, name, protocol.warnings[name])
end

-- Adds an error: the innermost group cannot be decoded further.
function display.error(from, to, sentence)
  report(protocol.error, from, to, sentence)
end

-- Calls a dissector. As the last resort, a mistake in it is shown as an error of the packet: it must not stop
-- Wireshark.
function display.guarded(of, dissect, bytes, info, root)
  local is_done, result = pcall(dissect, bytes, info, root)
  if is_done then return result end
  local sentence = "error in gamewire.lua: " .. tostring(result)
  root:add(of.error.item, bytes(), "error in gamewire.lua"):add_proto_expert_info(of.error.expert, sentence)
  return bytes:len()
end

return display
