-- State of a Teeworlds conversation: dialect, roles, tokens, sequence numbers. Changes on the first pass only.

local dialects = require("teeworlds/dialects")
local storage = require("teeworlds/storage")

local tracker = {}

local NAME_06 = "tw-0.6"
local NAME_07 = "tw-0.7"
local NAME_TKEN = "tw-0.6-tken"
local SEQUENCES = 1024
-- Number of consecutive datagrams that must fit a dialect before it is certain.
local MATCHES_TO_LOCK = 16
-- Number of issued tokens of a role that no packet has carried yet.
local MAX_OFFERED = 4

local function no_tokens() return { used = nil, offered = {} } end

function tracker.new()
  local tokens = { client = no_tokens(), server = no_tokens() }
  return { fitted = 0, tokens = tokens, sequences = {}, snapshots = storage.new() }
end

-- A connection starts. The tokens stay, because a reply to a repeated offer issues one more, and the client may
-- use an earlier one.
local function restart(state)
  state.sequences, state.snapshots, state.offer = {}, storage.new(), nil
end

-- Returns whether a handshake applies. In a certain dialect, another one needs an offer and its reply.
local function confirm(state, side, dialect, is_offer)
  local is_seven = dialect == NAME_07
  if not state.is_locked or is_seven and state.dialect == NAME_07 then return true end
  if is_offer then
    state.offer = { side = side, is_seven = is_seven }
    return false
  end
  local offer = state.offer
  local is_answer = offer ~= nil and offer.side ~= side and offer.is_seven == is_seven
  if is_answer then restart(state) end
  return is_answer
end

-- Returns the dialect of a datagram, and whether it must not change the state; nil if it is not Teeworlds.
-- Adds warnings to `notes`.
function tracker.resolve(state, notes, side, data)
  if state.is_locked and state.client and not dialects.could_be_handshake(data) then return state.dialect, false end
  local guess = dialects.detect(data)
  if not guess then return state.dialect, false end
  local client
  if guess.sender then client = guess.sender == "client" and side or 3 - side end
  if guess.is_connless then
    state.dialect = state.dialect or guess.dialect
    state.client = state.client or client
    return guess.dialect, false
  end
  if state.is_locked and state.dialect == NAME_TKEN and dialects.is_control_without_token(data, guess) then
    -- It may be the reply to an offer: a full server closes without a token.
    return guess.dialect, state.offer ~= nil and state.offer.side ~= side
  end
  if not state.dialect and not guess.is_handshake then notes.is_late = true end
  if guess.is_handshake then
    local is_offer = guess.sender == "client" and not dialects.is_accept_06(data)
    if not confirm(state, side, guess.dialect, is_offer) then return guess.dialect, true end
    if is_offer and guess.dialect ~= NAME_07 then restart(state) end
    state.dialect = guess.dialect
    state.is_locked = not is_offer or guess.dialect == NAME_07
  elseif not state.is_locked then
    state.fitted = state.dialect == guess.dialect and state.fitted + 1 or 0
    state.is_locked = state.fitted >= MATCHES_TO_LOCK
    state.dialect = guess.dialect
  end
  state.client = client or state.client
  return state.dialect, false
end

-- Returns the role of a side, or nil if it is not known.
function tracker.role(state, side)
  if not state.client then return nil end
  return state.client == side and "client" or "server"
end

local function has_value(list, wanted)
  for _, value in ipairs(list) do
    if value == wanted then return true end
  end
  return false
end

-- Returns whether a token is the one that its receiver issued.
local function accepts(tokens, token)
  if tokens.used ~= token and has_value(tokens.offered, token) then
    tokens.used, tokens.offered = token, {}
  end
  return tokens.used == nil and #tokens.offered == 0 or tokens.used == token
end

-- Stores an issued token. One of an unconfirmed reply counts only while none is in use.
local function offer(tokens, token, is_confirmed)
  if has_value(tokens.offered, token) or tokens.used and not is_confirmed then return end
  table.insert(tokens.offered, 1, token)
  tokens.offered[MAX_OFFERED + 1] = nil
end

-- Returns the token that a control message issues, or nil.
local function issued(dialect, content, token)
  local id, a, b, c, d = content:byte(1, 5)
  local is_exchange = dialect == NAME_07 and (id == 1 or id == 5) and d
  if is_exchange or dialect == "tw-0.6.5" and id == 2 and #content == 5 then
    return ((a * 256 + b) * 256 + c) * 256 + d
  end
  if dialect == NAME_TKEN and id == 2 then return token end
  return nil
end

-- Checks the token of a packet and applies what its control message does. Returns whether the packet has no
-- effect, and whether its token is wrong.
function tracker.on_payload(state, side, dialect, is_control, content, token, has_no_effect)
  local role = tracker.role(state, side)
  local is_accepted = true
  if role then
    local tokens = state.tokens[role == "client" and "server" or "client"]
    if token then
      is_accepted = accepts(tokens, token)
    else
      -- A session with tokens drops packets without one.
      is_accepted = state.dialect == NAME_06 or tokens.used == nil
    end
  end
  if is_accepted and not has_no_effect and is_control then
    local id = content:byte(1)
    if id == 1 and dialect == NAME_07 then
      restart(state)
    elseif id == 4 then
      state.sequences = {}
    end
  end
  local new = is_control and issued(dialect, content, token) or nil
  local is_wrong = false
  if not has_no_effect and not new then
    has_no_effect = not is_accepted
    is_wrong = has_no_effect
  end
  if role and new and state.dialect == dialect then
    offer(state.tokens[role], new, not has_no_effect)
    -- Except in 0.7, both directions carry the server's token.
    if dialect ~= NAME_07 then
      offer(state.tokens[role == "client" and "server" or "client"], new, not has_no_effect)
    end
  end
  return has_no_effect, is_wrong
end

-- Checks and records a sequence number. Returns "next", "repeated" or "gap".
function tracker.check(state, side, sequence)
  local last = state.sequences[side]
  local ahead = last and (sequence - last) % SEQUENCES or 1
  if ahead == 0 or ahead >= 512 then return "repeated" end
  state.sequences[side] = sequence
  return ahead == 1 and "next" or "gap"
end

-- Updates the state by a message.
function tracker.on_message(state, side, read)
  if not state.client and read.sender then state.client = read.sender == "client" and side or 3 - side end
  -- Ticks restart with a map.
  if read.is_system and read.id == 2 and tracker.role(state, side) == "server" then
    state.snapshots = storage.new()
  end
end

return tracker
