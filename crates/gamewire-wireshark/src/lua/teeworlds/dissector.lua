-- Teeworlds 0.6, 0.6.5, 0.7 and DDNet over UDP.

local conversation = require("conversation")
local definitions = require("definitions/teeworlds")
local dialects = require("teeworlds/dialects")
local display = require("display")
local header = require("teeworlds/header")
local huffman = require("teeworlds/huffman")
local message = require("teeworlds/message")
local snapshots = require("teeworlds/snapshots")
local tracker = require("teeworlds/tracker")

local teeworlds = display.protocol("teeworlds", "Teeworlds", definitions.groups, definitions.warnings)
local proto = teeworlds.proto
local known = conversation.table()

-- Maximum number of messages whose names the info column has.
local MAX_NAMES = 8

local IS_SNAPSHOT = { snap = true, snap_single = true, snap_empty = true }

function proto.init()
  known = conversation.table()
end

-- Returns whether a message has an effect on the state: snapshots, and a new map.
local function has_effect(read)
  return read.is_system and (IS_SNAPSHOT[read.name] or read.id == 2)
end

-- Dissects the message of a chunk. `note` is what the first pass keeps of the chunk.
local function dissect_chunk(of, note, is_new, notes, side, data, chunk)
  local dialect = dialects.all[notes.dialect]
  if is_new and chunk.sequence and not notes.has_no_effect then
    local check = tracker.check(of.state, side, chunk.sequence)
    if check ~= "next" then note.check = check end
  end
  if note.check == "repeated" then
    display.field("repeated", chunk.first - 1, chunk.last, true)
  elseif note.check == "gap" then
    display.warning(chunk.first - 1, chunk.last, "sequence_gap")
  end
  local needs = of.state.client and has_effect or nil
  local read = message.read(dialect.version, data, chunk.first, chunk.last, dialect.is_ddnet, needs)
  if not read then return "damaged message" end
  if not notes.has_no_effect and note.check ~= "repeated" then
    if is_new then tracker.on_message(of.state, side, read) end
    if read.is_system and IS_SNAPSHOT[read.name] then
      local kept = of.state.snapshots
      snapshots.on_message(kept, note, is_new, dialect.version, dialect.is_ddnet, read, data)
    end
  end
  return read.name
end

local function dissect_chunks(of, notes, is_new, side, count, data, last, names)
  local at = 1
  local version = dialects.all[notes.dialect].version
  for index = 1, count do
    display.enter("chunk", at - 1, at - 1)
    local chunk, failed = header.read_chunk(version, data, at, last)
    if not chunk then
      display.error(at - 1, last, failed)
      display.leave()
      return
    end
    local note = notes[index] or {}
    names[#names + 1] = dissect_chunk(of, note, is_new, notes, side, data, chunk)
    if is_new and next(note) then notes[index] = note end
    display.leave()
    at = chunk.last + 1
  end
  if at <= last then
    display.bytes("extra_bytes", at - 1, last)
    display.warning(at - 1, last, "bytes_after_chunks")
  end
end

-- Dissects the payload of a packet: one control message, or chunks.
local function dissect_payload(of, notes, is_new, side, read, data, names)
  local dialect = dialects.all[notes.dialect]
  local last, token = #data, read.token
  if dialect.has_tken then
    last = last - 4
    if last < 0 then return display.error(0, #data, "the payload ends with a token of 4 bytes") end
    local a, b, c, d = data:byte(last + 1, last + 4)
    token = ((a * 256 + b) * 256 + c) * 256 + d
    display.field("tken_token", last, last + 4, token)
  end
  if is_new then
    notes.has_no_effect, notes.is_wrong_token = tracker.on_payload(of.state, side, notes.dialect, read.is_control,
      data:sub(1, last), token, notes.has_no_effect)
  end
  if notes.is_wrong_token then display.warning(0, 0, "wrong_token") end
  if read.is_control then
    names[#names + 1] = message.control(dialect.version, data, 1, last)
  else
    dissect_chunks(of, notes, is_new, side, read.chunks, data, last, names)
  end
end

local function dissect_packet(of, notes, is_new, side, tvb, data, names)
  local version = dialects.all[notes.dialect].version
  local read, failed = header.read(version, data)
  if not read then return display.error(0, #data, failed) end
  if read.is_connless then
    names[#names + 1] = message.connless(version, data, read.size + 1, #data)
    return
  end
  if read.is_control and read.chunks ~= 0 then display.warning(2, 3, "chunks_in_control") end
  local payload = data:sub(read.size + 1)
  if read.is_compressed then
    local inflated = huffman.decompress(payload)
    if not inflated then return display.error(read.size, #data, "cannot decompress the payload") end
    display.source("payload", inflated)
    dissect_payload(of, notes, is_new, side, read, inflated, names)
  else
    if #payload > 0 then display.source_tvb(tvb(read.size):tvb()) else display.source("payload", payload) end
    dissect_payload(of, notes, is_new, side, read, payload, names)
  end
  display.leave()
end

local function summary_of(notes, names)
  local shown = {}
  for index = 1, math.min(#names, MAX_NAMES) do
    shown[index] = names[index]
  end
  local list = table.concat(shown, ", ")
  if #names > MAX_NAMES then list = list .. string.format(" and %d more", #names - MAX_NAMES) end
  return (notes.sender and notes.sender .. ": " or "") .. list
end

local function dissect(tvb, pinfo, root)
  local of = conversation.of(known, "udp", pinfo)
  if not of then return 0 end
  of.state = of.state or tracker.new()
  local data, side, names = tvb:raw(), conversation.side(of, pinfo), {}
  local notes, is_new = conversation.notes(of, pinfo)
  if not notes then return 0 end
  if is_new then notes.dialect, notes.has_no_effect = tracker.resolve(of.state, notes, side, data) end
  -- The state is known, and nothing is displayed.
  if not is_new and notes.summary and not display.is_wanted(teeworlds, root) then
    pinfo.cols.protocol:set("Teeworlds " .. notes.dialect:sub(4))
    pinfo.cols.info:set(notes.summary)
    return tvb:len()
  end
  local item = display.open(teeworlds, root, tvb, notes.dialect and dialects.all[notes.dialect].version)
  display.enter("packet", 0, #data)
  if notes.dialect then
    if item then item:append_text(" (" .. notes.dialect .. ")") end
    if notes.is_late then display.warning(0, #data, "late_start") end
    dissect_packet(of, notes, is_new, side, tvb, data, names)
    if is_new then
      notes.sender = tracker.role(of.state, side)
      notes.summary = summary_of(notes, names)
    end
    pinfo.cols.protocol:set("Teeworlds " .. notes.dialect:sub(4))
    pinfo.cols.info:set(notes.summary)
  else
    display.error(0, #data, "not a packet of Teeworlds")
    pinfo.cols.protocol:set("Teeworlds")
  end
  display.leave()
  return tvb:len()
end

function proto.dissector(tvb, pinfo, root)
  return display.guarded(teeworlds, dissect, tvb, pinfo, root)
end

proto:register_heuristic("udp", function(tvb, pinfo, root)
  if tvb:len() < 3 or tvb:len() > 1400 or not dialects.detect(tvb:raw()) then return false end
  pinfo.conversation = proto
  proto.dissector(tvb, pinfo, root)
  return true
end)

DissectorTable.get("udp.port"):add_for_decode_as(proto)
