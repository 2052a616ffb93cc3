-- Riptide 2.0 and 2.1 over UDP and TCP.

local bits = require("bits")
local conversation = require("conversation")
local definitions = require("definitions/riptide")
local detect = require("riptide/detect")
local display = require("display")
local frames = require("riptide/frames")
local layout = require("riptide/layout")
local packet = require("riptide/packet")
local tracker = require("riptide/tracker")

local riptide = display.protocol("riptide", "Riptide Networking", definitions.groups, definitions.warnings)
local proto = riptide.proto
local known = conversation.table()

-- Maximum number of packets that are kept until a conversation is detected, and of packets that are
-- considered for that.
local MAX_KEPT = 16
local MAX_CONSIDERED = 256

function proto.init()
  known = conversation.table()
end

-- Microseconds since the first packet of the capture, without the nanoseconds.
local function micros(pinfo)
  return math.floor(pinfo.rel_ts * 1000000 + 0.0005)
end

-- Updates the state by a packet, and keeps what its display needs.
local function follow(of, notes, side, data, time)
  of.state = of.state or tracker.new()
  notes.version = of.version
  notes.sender = tracker.sender(of.state, of.version, side, data)
  local read = packet.decode(of.version, data, notes.sender)
  if read then tracker.on_packet(of.state, notes, read, side, notes.sender, time) end
end

local function warn(name, from, to)
  display.warning(from, to, name)
end

local function show_rest(read)
  local first, last = math.floor(read.at / 8), #read.data
  if read.left == 0 then return end
  if read.rest ~= "trailing" then
    display.bytes(read.rest, first, last, read.at % 8 ~= 0 and bits.bytes(read.data, read.at, read.left) or nil)
    return
  end
  if packet.is_padding(read) then return end
  display.bytes("trailing", first, last, read.at % 8 ~= 0 and bits.bytes(read.data, read.at, read.left) or nil)
  local is_long_ack = read.name == "ack" and not read.values.for_seq_id and read.left >= 16
    and read.values.has_for_seq_id ~= nil
  if is_long_ack then
    warn("long_ack", first, last)
  else
    warn(read.left >= 8 and "extra_bytes" or "padding_bits", first, last)
  end
end

local function show_message(notes, read)
  local version, data = notes.version, read.data
  display.enter(read.name, 0, #data)
  display.field("header", 0, 1, read.number)
  if #data > version.max_size then warn("too_long", 0, #data) end
  if read.header == "unknown" then warn("unknown_header", 0, 1) end
  for _, field in ipairs(read.fields) do
    local from, to = math.floor(field[2] / 8), math.ceil(field[3] / 8)
    display.field(field[1], from, to, field[4])
    if field[5] then warn(field[5], from, to) end
  end
  local summary = read.name
  if read.failed then
    display.error(math.floor(read.at / 8), #data, "the packet ends before its field " .. read.failed)
  else
    show_rest(read)
    if read.is_legacy_stop then
      warn("legacy_stop", 0, 2)
    else
      local message = layout.show(read, notes.sender, version)
      if message then summary = summary .. " " .. message end
    end
  end
  display.leave()
  return summary
end

-- Adds a packet to the tree. Returns what the info column says about it.
local function show(notes, data)
  local summary = "empty packet"
  display.enter("packet", 0, #data)
  local read = packet.decode(notes.version, data, notes.sender)
  if read then
    summary = show_message(notes, read)
    local has_data = read.rest ~= "trailing" and not read.failed and read.name ~= "unknown_header"
    if has_data and read.left > 0 then display.field("user_bits", 0, 0, read.left) end
    if notes.round_trip then display.field("round_trip", 0, 0, notes.round_trip / 1000) end
    if notes.is_repeated then
      display.field("repeated", 0, #data, true)
      summary = summary .. " (repeated)"
    end
    for _, name in ipairs(notes) do warn(name, 0, #data) end
  else
    display.error(0, #data, "a packet needs a header")
  end
  display.leave()
  return summary
end

local function label(version) return version.has_bits and "Riptide 2.1" or "Riptide 2.0" end

local function set_columns(pinfo, notes, summary)
  pinfo.cols.protocol:set(label(notes.version))
  local arrow = notes.sender == "client" and "client: " or "server: "
  pinfo.cols.info:set(arrow .. summary)
end

local function dissect_datagram(tvb, pinfo, root)
  local of = conversation.of(known, "udp", pinfo)
  if not of then return 0 end
  of.version = of.version or definitions.versions[1]
  local data = tvb:raw()
  local notes, is_new = conversation.notes(of, pinfo)
  if is_new then follow(of, notes, conversation.side(of, pinfo), data, micros(pinfo)) end
  if not notes or not notes.version then return 0 end
  display.open(riptide, root, tvb, notes.version.name)
  display.append(" (" .. notes.version.name .. ")")
  set_columns(pinfo, notes, show(notes, data))
  return tvb:len()
end

-- Shows bytes of a stream if the start of the next frame is not known. Returns whether it is not.
local function skip_unknown(of, pinfo, side, data)
  local is_lost
  if pinfo.visited then
    local notes = conversation.next_notes(of, pinfo)
    is_lost = notes ~= nil and notes.is_lost
  else
    of.lost = of.lost or {}
    is_lost = of.lost[side] and not frames.packets(of.version, data)
    of.lost[side] = is_lost
  end
  if not is_lost then return false end
  local notes = conversation.notes(of, pinfo)
  notes.is_lost = true
  display.enter("run", 0, #data)
  display.bytes("bytes", 0, #data)
  warn("stream_out_of_sync", 0, #data)
  display.leave()
  return true
end

-- Dissects the frames in a part of a stream; asks for the rest of the last one.
local function dissect_run(tvb, pinfo, root)
  local of = conversation.of(known, "tcp", pinfo)
  if not of then return 0 end
  local version = of.version or definitions.versions[1]
  of.version = version
  local data, at = tvb:raw(), 0
  local summaries = {}
  display.open(riptide, root, tvb, version.name)
  display.append(" (" .. version.name .. ")")
  local side = conversation.side(of, pinfo)
  if skip_unknown(of, pinfo, side, data) then
    pinfo.cols.protocol:set(label(version))
    return tvb:len()
  end
  while at < #data do
    local length = frames.length(version, data, at)
    local start = at + version.frame_prefix
    if length == false then
      display.enter("frame", at, #data)
      display.error(at, #data, "no packet has this length; the rest of the segment is skipped")
      display.leave()
      if not pinfo.visited then
        of.lost[side] = true
        if of.state then tracker.skip(of.state, side) end
      end
      break
    elseif not length or start + length > #data then
      pinfo.desegment_offset = at
      pinfo.desegment_len = length and start + length - #data or DESEGMENT_ONE_MORE_SEGMENT
      break
    end
    local bytes = data:sub(start + 1, start + length)
    local notes, is_new = conversation.notes(of, pinfo)
    if is_new then follow(of, notes, side, bytes, micros(pinfo)) end
    display.enter("frame", at, start + length)
    display.field("length", at, start, length)
    display.source_tvb(tvb(start, length):tvb())
    if notes and notes.version then
      summaries[#summaries + 1] = show(notes, bytes)
      if #summaries < 8 then set_columns(pinfo, notes, table.concat(summaries, ", ")) end
    end
    display.leave()
    display.leave()
    at = start + length
  end
  return tvb:len()
end

function proto.dissector(tvb, pinfo, root)
  local is_stream = pinfo.port_type == 2
  return display.guarded(riptide, is_stream and dissect_run or dissect_datagram, tvb, pinfo, root)
end

-- Looks for evidence in a packet of an unknown conversation. Keeps what may be Riptide: if a later packet
-- proves it, the kept ones are followed first.
local function detect_in(transport, tvb, pinfo, root, packets_of)
  local of = conversation.of(known, transport, pinfo)
  if not of then return false end
  if of.version then
    -- A packet from before the detection, displayed after it.
    pinfo.conversation = proto
    proto.dissector(tvb, pinfo, root)
    return true
  end
  of.considered = (of.considered or 0) + 1
  if pinfo.visited or of.considered > MAX_CONSIDERED then return false end
  of.detector = of.detector or detect.new()
  of.kept = of.kept or {}
  local side, data = conversation.side(of, pinfo), tvb:raw()
  local version, is_possible = detect.consider(of.detector, side, function(format) return packets_of(format, data) end)
  if not version then
    if is_possible and #of.kept < MAX_KEPT then
      of.kept[#of.kept + 1] = { frame = pinfo.number, side = side, data = data, time = micros(pinfo) }
    end
    return false
  end
  of.version = version
  for _, earlier in ipairs(of.kept) do
    local parts = {}
    of.frames[earlier.frame] = parts
    for _, bytes in ipairs(packets_of(version, earlier.data) or {}) do
      local notes = {}
      parts[#parts + 1] = notes
      follow(of, notes, earlier.side, bytes, earlier.time)
    end
  end
  of.kept, of.detector = nil, nil
  pinfo.conversation = proto
  proto.dissector(tvb, pinfo, root)
  return true
end

proto:register_heuristic("udp", function(tvb, pinfo, root)
  return detect_in("udp", tvb, pinfo, root, function(_, data) return { data } end)
end)

proto:register_heuristic("tcp", function(tvb, pinfo, root)
  return detect_in("tcp", tvb, pinfo, root, frames.packets)
end)

DissectorTable.get("udp.port"):add_for_decode_as(proto)
DissectorTable.get("tcp.port"):add_for_decode_as(proto)
