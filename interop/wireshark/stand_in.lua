-- A stand-in for Wireshark: enough of its interface to run the dissector in another version of Lua.
--
-- lua5.4 stand_in.lua gamewire.lua < packets
--
-- A packet is a line: "udp" or "tcp", two ports and the payload in hexadecimal. Prints a line for each field.

local function class(index)
  return { __index = index }
end

local function constant(_, name) return name end
base = setmetatable({}, { __index = constant })
expert = { group = base, severity = base }
DESEGMENT_ONE_MORE_SEGMENT = 0x0fffffff

local function number(value)
  -- Fails if the value is not a whole number.
  return string.format("%d", value)
end

local SHOWN = {
  int32 = number, uint32 = number, uint16 = number, uint8 = number, bool = tostring, string = tostring,
  double = function(value) return string.format("%.9g", value) end,
  float = function(value) return string.format("%.6g", value) end,
  int64 = number, uint64 = tostring,
}
ProtoField = setmetatable({}, {
  __index = function(_, kind)
    return function(abbr) return { abbr = abbr, kind = kind } end
  end,
})
ProtoExpert = { new = function(abbr) return { abbr = abbr } end }

Int64 = { new = function(low, high) return low + (high or 0) * 4294967296 end }

local Item = {}
function Item:add(field, range, value)
  if field.abbr and field.kind ~= "none" then
    local show = SHOWN[field.kind]
    local shown = show and show(value) or range:hex()
    print(field.abbr .. " " .. shown:gsub("[%c]", "?"))
  end
  return setmetatable({}, class(Item))
end
function Item:append_text(text) assert(type(text) == "string") end
function Item:prepend_text(text) assert(type(text) == "string") end
function Item:set_generated() end
function Item:add_proto_expert_info(info, text) print("expert " .. info.abbr .. " " .. text) end
function Item:referenced() return true end

local Range, Tvb = {}, {}
local function tvb_of(bytes)
  return setmetatable({ bytes = bytes }, {
    __index = Tvb,
    __call = function(self, from, length)
      from = from or 0
      length = length or #self.bytes - from
      assert(from >= 0 and length >= 0 and from + length <= #self.bytes, "range out of bounds")
      return setmetatable({ bytes = self.bytes:sub(from + 1, from + length) }, class(Range))
    end,
  })
end
function Tvb:len() return #self.bytes end
function Tvb:raw() return self.bytes end
function Range:len() return #self.bytes end
function Range:tvb() return tvb_of(self.bytes) end
function Range:hex()
  return (self.bytes:gsub(".", function(letter) return string.format("%02x", letter:byte()) end))
end
function Range:uncompress() return nil end
TvbRange = Range
ByteArray = {
  new = function(bytes, is_raw)
    assert(is_raw == true)
    return { tvb = function() return tvb_of(bytes) end }
  end,
}

local heuristics = { udp = {}, tcp = {} }
function Proto(name)
  return { register_heuristic = function(_, transport, call) table.insert(heuristics[transport], call) end, name = name }
end
DissectorTable = { get = function() return { add_for_decode_as = function() end } end }
Dissector = { get = function(name) return name end }

dofile(arg[1])

local conversations = {}
local rests = {}
local frame = 0

-- Calls the dissector of the conversation, or tries the heuristic ones.
local function dissect(transport, source, target, bytes)
  local info = {
    visited = false, number = frame, src = "10.0.0.1", dst = "10.0.0.2", src_port = source, dst_port = target,
    port_type = transport == "tcp" and 2 or 3, rel_ts = frame / 1000, private = {},
    cols = { protocol = { set = function() end }, info = { set = function() end } },
  }
  local tree = setmetatable({ visible = true }, class(Item))
  local key = math.min(source, target) .. " " .. math.max(source, target)
  if conversations[key] then
    conversations[key].dissector(tvb_of(bytes), info, tree)
    return info
  end
  for _, call in ipairs(heuristics[transport]) do
    if call(tvb_of(bytes), info, tree) then
      conversations[key] = info.conversation
      return info
    end
  end
  return info
end

for line in io.lines() do
  frame = frame + 1
  local transport, source, target, hex = line:match("(%w+) (%d+) (%d+) (%x*)")
  local bytes = hex:gsub("..", function(pair) return string.char(tonumber(pair, 16)) end)
  source, target = math.floor(tonumber(source)), math.floor(tonumber(target))
  print("frame " .. frame)
  if transport == "tcp" then
    local direction = source .. " " .. target
    bytes = (rests[direction] or "") .. bytes
    local info = dissect("tcp", source, target, bytes)
    rests[direction] = info.desegment_len and bytes:sub(info.desegment_offset + 1) or nil
  else
    dissect("udp", source, target, bytes)
  end
end
