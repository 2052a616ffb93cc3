-- Detects whether a conversation is Riptide: no packet has a magic number, so exchanges are the evidence.

local packet = require("riptide/packet")
local tracker = require("riptide/tracker")
local definitions = require("definitions/riptide")

local detect = {}

-- Ids of the first reliable message: 1, and 2 in the Python port.
local function is_first_id(id) return id == 1 or id == 2 end

local function decode(version, data, sender)
  local read = packet.decode(version, data, sender)
  return read and not read.failed and read or nil
end

-- Returns whether this is a Welcome of the exact length, with one of the first ids and a valid client id.
local function is_welcome(version, data)
  local read = decode(version, data, "server")
  return read and read.name == "welcome" and is_first_id(read.values.seq_id) and read.values.client_id ~= 0
    and packet.is_padding(read)
end

-- Returns whether this is a heartbeat of the exact length, from a client without a round-trip time.
local function is_first_heartbeat(version, data)
  local read = decode(version, data, "client")
  return read and read.name == "heartbeat" and read.values.rtt == -1 and packet.is_padding(read)
end

-- Returns the format that a single packet proves, or nil.
local function proven(data)
  for _, is_proof in ipairs({ is_welcome, is_first_heartbeat }) do
    for _, version in ipairs(definitions.versions) do
      if is_proof(version, data) then return version end
    end
  end
  return nil
end

-- Handles a reply. One alone may match by chance.
local function on_reply(state, matches)
  local had_reply = state.has_reply
  state.has_reply = had_reply or matches
  if not matches then return nil end
  return had_reply and "proof" or "possible"
end

local function is_rejection(version, read)
  local reason = version.reject_reasons[read.values.reason + 1]
  return reason and (reason == "Custom" or packet.is_padding(read))
end

-- Returns "proof", "possible" or nil. `state` is the evidence for this format so far.
local function consider(state, version, side, data)
  local last = state.last
  state.last = nil
  if #data > version.max_size then return nil end
  if proven(data) == version then return "proof" end
  local read = decode(version, data, tracker.role_hint(version, data) or "client")
  if not read then return nil end
  local own, peer = state.sides[side], state.sides[3 - side]
  local name, values = read.name, read.values
  if name == "connect" then
    state.last = { kind = "request", side = side }
    return "possible"
  elseif name == "pending" then
    if read.left > 0 or not last or last.kind ~= "request" or last.side == side then return nil end
    state.last = last
    return "possible"
  elseif name == "reject" then
    if not is_rejection(version, read) or not last or last.side == side then return nil end
    -- 2.1 sends it three times.
    if last.kind == "request" and version.header_bits < 8 then
      state.last = { kind = "rejection", side = last.side }
      return "possible"
    end
    return "proof"
  elseif name == "heartbeat" then
    if not packet.is_padding(read) then return nil end
    own.heartbeat = values.ping_id
    return "possible"
  elseif name == "heartbeat_reply" then
    if not packet.is_padding(read) then return nil end
    local matches = peer.heartbeat == values.ping_id
    peer.heartbeat = nil
    state.has_reply = state.has_reply and matches
    return on_reply(state, matches)
  elseif name == "ack" then
    -- Senders of 2.1.0 to 2.1.2 append an id that the flag denies.
    local is_long = not values.for_seq_id and read.left > 16 and read.left < 24
    if not packet.is_padding(read) and not is_long then return nil end
    local newest = peer.reliable
    local matches = newest ~= nil and (values.last_received_seq_id == newest or values.for_seq_id == newest)
    return on_reply(state, matches)
  elseif name == "reliable" or packet.is_padding(read)
    and (name == "welcome" or name == "client_connected" or name == "client_disconnected") then
    own.reliable = values.seq_id
    return "possible"
  end
  return nil
end

function detect.new()
  local state = {}
  for index in ipairs(definitions.versions) do
    state[index] = { sides = { {}, {} }, has_reply = false }
  end
  return state
end

-- Considers the packets of a part of a conversation: those that `packets_of` finds in it for a format.
-- Returns the format if it is proven, and whether the part may be Riptide at all.
function detect.consider(state, side, packets_of)
  local is_possible = false
  local found
  for index, version in ipairs(definitions.versions) do
    for _, data in ipairs(packets_of(version) or {}) do
      local result = consider(state[index], version, side, data)
      if result == "proof" then found = found or version end
      is_possible = is_possible or result ~= nil
    end
  end
  return found, is_possible
end

return detect
