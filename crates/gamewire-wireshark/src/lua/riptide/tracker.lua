-- State of a Riptide conversation: roles, sequence numbers, heartbeats. Changes on the first pass only.

local packet = require("riptide/packet")

local tracker = {}

-- Number of heartbeats that a reply may match.
local MAX_HEARTBEATS = 8

function tracker.new()
  return { sides = { { reliable = {}, notify = {} }, { reliable = {}, notify = {} } }, heartbeats = {}, next = 0 }
end

-- Returns the role that sends such packets, and whether only this role does.
function tracker.role_hint(version, data)
  local header = packet.header(version, data)
  if header == "Connect" and #data == 1 then return "client", false end
  if header == "Connect" or header == "Heartbeat" and #data >= 4 or header == "Disconnect" and #data == 1 then
    return "client", true
  end
  if header == "Heartbeat" or header == "Disconnect" or header == "Reject" or header == "ClientConnected"
    or header == "ClientDisconnected" then
    return "server", true
  end
  if header == "Welcome" then return "server", false end
  return nil
end

-- Returns the role of `side`, which sends `data`.
function tracker.sender(state, version, side, data)
  if not state.is_certain then
    local role, is_certain = tracker.role_hint(version, data)
    if role then
      local client = role == "client" and side or 3 - side
      if is_certain then
        state.client, state.is_certain = client, true
      else
        state.client = state.client or client
      end
    end
  end
  return (state.client or 1) == side and "client" or "server"
end

-- Returns the signed distance from `from` to `to`, both 16 bits.
local function distance(from, to)
  local difference = (to - from) % 65536
  return difference >= 32768 and difference - 65536 or difference
end

-- Checks and records a sequence number. Returns "new", "duplicate" or "gap".
local function check(sequence, id)
  local newest = sequence.newest
  if not newest then
    sequence.newest, sequence.seen = id, { [id] = true }
    return "new"
  end
  local ahead = distance(newest, id)
  if ahead <= 0 then
    if ahead < -64 or sequence.seen[id] then return "duplicate" end
    sequence.seen[id] = true
    return "new"
  end
  -- Only the 64 numbers before the newest are kept.
  for step = 1, ahead < 65 and ahead or 65 do
    sequence.seen[(newest + step - 65) % 65536] = nil
  end
  if ahead > 64 then sequence.seen = {} end
  sequence.newest = id
  sequence.seen[id] = true
  if ahead <= 64 then sequence.seen[newest] = true end
  return ahead == 1 and "new" or "gap"
end

local function note_sequence(state, notes, sequence, id)
  local result = check(sequence, id)
  if result == "duplicate" then notes.is_repeated = true end
  if result == "gap" then notes[#notes + 1] = "sequence_gap" end
end

-- Notes that an acknowledged id is newer than all captured ones. Returns whether it is.
local function note_ack(state, notes, sequence, id)
  if id == 0 then return false end
  local is_unsent
  if sequence.newest then
    is_unsent = distance(sequence.newest, id) > 0
  else
    is_unsent = state.is_from_start
  end
  if is_unsent then notes[#notes + 1] = "ack_unsent" end
  return is_unsent
end

local function note_reply(state, notes, ping_id, time)
  local latest
  for _, request in pairs(state.heartbeats) do
    if request.ping_id == ping_id and (not latest or request.time > latest) then latest = request.time end
  end
  if latest then
    notes.round_trip = time - latest
  elseif next(state.heartbeats) then
    notes[#notes + 1] = "unsolicited_reply"
  end
end

-- Forgets the sequence numbers of a side, of which some packets were not captured.
function tracker.skip(state, side)
  state.sides[side] = { reliable = {}, notify = {} }
  state.is_from_start = false
end

-- Updates the state by a decoded packet, and adds to `notes` what depends on earlier packets. `time` is in
-- microseconds.
function tracker.on_packet(state, notes, read, side, sender, time)
  if read.failed or read.is_legacy_stop then return end
  local values, own, peer = read.values, state.sides[side], state.sides[3 - side]
  local name = read.name
  if name == "connect" then
    if state.client_id then
      state.client_id = nil
      state.sides = { { reliable = {}, notify = {} }, { reliable = {}, notify = {} } }
      state.heartbeats = {}
    end
    state.is_from_start = true
  elseif name == "ack" then
    if not note_ack(state, notes, peer.reliable, values.last_received_seq_id) and values.for_seq_id then
      note_ack(state, notes, peer.reliable, values.for_seq_id)
    end
  elseif name == "heartbeat" then
    state.heartbeats[state.next] = { ping_id = values.ping_id, time = time }
    state.next = (state.next + 1) % MAX_HEARTBEATS
  elseif name == "heartbeat_reply" then
    note_reply(state, notes, values.ping_id, time)
  elseif name == "notify" then
    note_sequence(state, notes, own.notify, values.seq_id)
    note_ack(state, notes, peer.notify, values.last_received_seq_id)
  else
    if name == "welcome" then
      if sender == "server" then
        state.client_id = values.client_id
      elseif state.client_id and state.client_id ~= values.client_id then
        notes[#notes + 1] = "other_client_id"
      end
    end
    if values.seq_id then note_sequence(state, notes, own.reliable, values.seq_id) end
  end
end

return tracker
