-- Freeciv over TCP: frames, compressed chunks, and packets with all their fields.

local conversation = require("conversation")
local definitions = require("definitions/freeciv")
local display = require("display")
local frames = require("freeciv/frames")
local packet = require("freeciv/packet")
local session = require("freeciv/session")

local freeciv = display.protocol("freeciv", "Freeciv", definitions.groups, definitions.warnings)
local proto = freeciv.proto
local known = conversation.table()

-- Packets that a client sends before it has joined: the join request and the password.
local EARLY = { [4] = true, [7] = true }
-- Maximum number of bytes of a chunk after decompression.
local MAX_INFLATED = 4194304
-- Maximum number of packets whose names the info column has.
local MAX_NAMES = 12

function proto.init()
  known = conversation.table()
end

-- Inflates the bytes of a chunk: Wireshark 4.4 has renamed the method. Returns a range, or nil.
local function inflate(range)
  local method = rawget(TvbRange, "uncompress_zlib") and range.uncompress_zlib or range.uncompress
  local is_done, inflated = pcall(method, range, "chunk")
  if is_done and inflated and inflated:len() <= MAX_INFLATED then return inflated end
  return nil
end

-- Decides how a packet is decoded, on the first pass: the width of its number and its layout.
local function plan_of(state, to, data, at, length)
  local width = 1
  local number = data:byte(at + 3)
  local is_early = not state.is_joined and (to == "to_client" or EARLY[number])
  if not is_early and length >= 4 then
    width = 2
    number = number * 256 + data:byte(at + 4)
  end
  return width, number, session.layout(state, number, to)
end

-- Dissects the packet at `at` (from 0). `note` has what the first pass found: width, number, layout and
-- baseline. Returns its name, or nil if it cannot be decoded.
local function dissect_packet(of, to, note, is_new, data, at, length)
  local state = of.state
  if is_new then note.width, note.number, note.plan = plan_of(state, to, data, at, length) end
  local start = at + 2 + note.width
  display.enter("frame", at, at + length)
  display.field("length", at, at + 2, length)
  display.field("number", at + 2, start, note.number)
  local name
  local plan = note.plan
  if plan then
    name = plan.packet.name
    local values, key, baseline = packet.decode(plan, data, start + 1, at + length, function(wanted)
      if is_new then return session.baseline(state, to, note.number, wanted) end
      return note.baseline
    end)
    if is_new then
      note.baseline = baseline
      local is_stored = false
      if values then is_stored, note.warning = session.on_packet(state, to, plan, key, values) end
      of.lost[to] = of.lost[to] or not is_stored
    end
    if note.warning then display.warning(at, at + length, note.warning) end
    if not values then name = name .. " (damaged)" end
  else
    display.enter("unknown_packet", start, at + length)
    display.bytes("body", start, at + length)
    display.leave()
    if is_new and state.is_version_known then of.lost[to] = true end
  end
  display.leave()
  return name or string.format("packet %d", note.number)
end

-- Dissects the packets in the inflated bytes of a chunk.
local function dissect_chunk(of, to, notes, is_new, tvb, names)
  local data, at, index = tvb:raw(), 0, 0
  while at < #data do
    local length, header = frames.length(data, at)
    if not length or header or at + length > #data then
      display.error(at, #data, "no packet has this length")
      of.lost[to] = of.lost[to] or is_new
      return
    end
    index = index + 1
    if is_new then notes[index] = {} end
    local note = notes[index]
    if not note or is_new and of.lost[to] then
      notes[index] = nil
      display.bytes("not_decoded", at, #data)
      return
    end
    names[#names + 1] = dissect_packet(of, to, note, is_new, data, at, length)
    at = at + length
  end
end

local function set_columns(pinfo, to, names)
  pinfo.cols.protocol:set("Freeciv")
  local shown = {}
  for index = 1, math.min(#names, MAX_NAMES) do
    shown[index] = names[index]
  end
  local list = table.concat(shown, ", ")
  local more = #names - #shown + (names.more or 0)
  if more > 0 then list = list .. string.format(" and %d more", more) end
  pinfo.cols.info:set((to == "to_server" and "client: " or "server: ") .. list)
end

-- Dissects the frame at `at` of a run.
local function dissect_frame(of, to, pinfo, tvb, data, at, length, header, names)
  local notes, is_new = conversation.notes(of, pinfo)
  if not notes or is_new and of.lost[to] or notes.lost then
    if notes and is_new then notes.lost = true end
    display.bytes("not_decoded", at, at + length)
    return
  end
  if not header then
    if is_new then notes[1] = {} end
    names[#names + 1] = dissect_packet(of, to, notes[1], is_new, data, at, length)
    return
  end
  if not is_new and notes.names and not display.is_open() then
    for _, name in ipairs(notes.names) do
      names[#names + 1] = name
    end
    names.more = (names.more or 0) + notes.more
    return
  end
  local before = #names
  display.enter("chunk", at, at + length)
  local inflated = length > header and inflate(tvb(at + header, length - header)) or nil
  if inflated then
    display.field("inflated", at, at + length, inflated:len())
    local source = inflated:tvb()
    display.source_tvb(source)
    dissect_chunk(of, to, notes, is_new, source, names)
    display.leave()
  else
    display.error(at, at + length, "cannot decompress the chunk")
    of.lost[to] = of.lost[to] or is_new
  end
  display.leave()
  if is_new then
    -- Enough for the info column.
    notes.names, notes.more = {}, math.max(#names - before - MAX_NAMES, 0)
    for index = before + 1, math.min(#names, before + MAX_NAMES) do
      notes.names[#notes.names + 1] = names[index]
    end
  end
end

local function dissect(tvb, pinfo, root)
  local of = conversation.of(known, "tcp", pinfo)
  if not of then return 0 end
  of.state = of.state or session.new()
  of.lost = of.lost or {}
  of.client = of.client or 1
  local to = conversation.side(of, pinfo) == of.client and "to_server" or "to_client"
  local data, at, names = tvb:raw(), 0, {}
  display.open(freeciv, root, tvb)
  display.enter("run", 0, #data)
  while at < #data do
    local length, header = frames.length(data, at)
    if length == false then
      display.error(at, #data, "no frame has this length; the rest of the connection is skipped")
      of.lost[to] = of.lost[to] or not pinfo.visited
      break
    elseif not length or at + length > #data then
      pinfo.desegment_offset = at
      pinfo.desegment_len = length and at + length - #data or DESEGMENT_ONE_MORE_SEGMENT
      break
    end
    dissect_frame(of, to, pinfo, tvb, data, at, length, header, names)
    at = at + length
  end
  display.leave()
  if #names > 0 then set_columns(pinfo, to, names) end
  return tvb:len()
end

function proto.dissector(tvb, pinfo, root)
  return display.guarded(freeciv, dissect, tvb, pinfo, root)
end

-- Returns whether the first bytes of a client are a join request.
local function is_request(data)
  local high, low, number = data:byte(1, 3)
  return number == 4 and high * 256 + low <= #data and data:lower():find("freeciv-", 1, true) ~= nil
end

-- Returns whether the first bytes of a server are its reply to a join request: the packets that it starts
-- with, in a chunk or not. A short chunk must be complete.
local function is_reply(data)
  if data:find("^\0\3\0\0.\29") or data:find("^\0\3\0..\5\0") then return true end
  local length, header = frames.length(data, 0)
  if not header or not data:find("^\120[\1\94\156\218]", header + 1) then return false end
  return header == 6 or length == #data
end

proto:register_heuristic("tcp", function(tvb, pinfo, root)
  local of = conversation.of(known, "tcp", pinfo)
  if not of then return false end
  if not of.client then
    local side = conversation.side(of, pinfo)
    of.tried = of.tried or {}
    if pinfo.visited or of.tried[side] then return false end
    of.tried[side] = true
    local data = tvb:raw()
    if is_request(data) then
      of.client = side
    elseif is_reply(data) then
      of.client = 3 - side
    else
      return false
    end
  end
  pinfo.conversation = proto
  proto.dissector(tvb, pinfo, root)
  return true
end)

DissectorTable.get("tcp.port"):add_for_decode_as(proto)
