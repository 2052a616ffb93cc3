-- State of a Freeciv connection: version, capabilities, baselines. Changes on the first pass only.

local definitions = require("definitions/freeciv")
local layout = require("freeciv/layout")

local session = {}

-- Maximum number of baselines of one direction.
local MAX_BASELINES = 200000
-- Packets of the handshake, which all versions share.
local HANDSHAKE = { [0] = true, [1] = true, [4] = true, [5] = true }
-- Number of the player that a connection without one has.
local NO_PLAYER = 160

local function direction()
  return { baselines = {}, count = 0 }
end

-- Creates the state of a new connection.
function session.new()
  local definition = definitions.protocols[1]
  return {
    definition = definition,
    layouts = layout.all(definition, {}),
    to_client = direction(),
    to_server = direction(),
    player = NO_PLAYER,
    is_observer = false,
  }
end

local function words(list)
  local set = {}
  for word in list:gmatch("[^,%s]+") do
    set[word:gsub("^%+", "")] = true
  end
  return set
end

-- Returns the definition of the version that a capability string names; that of the user is for all versions.
local function definition_of(capability)
  if definitions.is_given then return definitions.protocols[1] end
  for _, definition in ipairs(definitions.protocols) do
    if capability:lower():find(definition.name, 1, true) then return definition end
  end
  return nil
end

-- Returns the layout of a packet, or nil if it is not known. Before the version is, only the handshake is.
function session.layout(state, number, to)
  if not state.is_version_known and not HANDSHAKE[number] then return nil end
  return layout.find(state.layouts, number, to)
end

-- Uses the definition of the version that a capability string names.
local function select_version(state, capability)
  local definition = definition_of(capability)
  state.is_version_known = definition ~= nil
  state.definition = definition or state.definition
end

-- Returns the baseline of a packet.
function session.baseline(state, to, number, key)
  local of = state[to].baselines[number]
  return of and of[key]
end

-- Stores the baseline of a packet, and drops those that it cancels. Returns whether there was room.
local function store(state, to, plan, key, values)
  local own = state[to]
  local packet = plan.packet
  if packet.delta then
    local of = own.baselines[packet.number]
    if not of then
      of = {}
      own.baselines[packet.number] = of
    end
    if not of[key] then own.count = own.count + 1 end
    if own.count > MAX_BASELINES then return false end
    of[key] = values
  end
  local first = plan.first and values[plan.first]
  if first == true then first = 1 end
  for _, number in ipairs(packet.cancels or {}) do
    local of = own.baselines[number]
    -- A packet without keys has one baseline.
    local cancelled = of and of[""] and "" or type(first) == "number" and string.format("%d", first)
    if of and of[cancelled] then
      of[cancelled] = nil
      own.count = own.count - 1
    end
  end
  return true
end

-- Drops the baselines of all packets that describe the game.
local function forget_game(state)
  for _, to in ipairs({ "to_client", "to_server" }) do
    local own = state[to]
    for number, of in pairs(own.baselines) do
      local packet = state.definition.packets[number]
      if packet and packet.game_info then
        for _ in pairs(of) do
          own.count = own.count - 1
        end
        own.baselines[number] = nil
      end
    end
  end
end

-- Returns the value of a field by name.
local function value_of(plan, values, name)
  for index, field in ipairs(plan.packet.fields) do
    if field.name == name then return values[index] end
  end
  return nil
end

-- Handles a join request. Returns the name of a warning, or nil.
local function on_request(state, capability)
  state.client = words(capability)
  select_version(state, capability)
  state.layouts = layout.all(state.definition, {})
  return not state.is_version_known and "unknown_version" or nil
end

-- Handles the reply to a join request. Returns the name of a warning, or nil.
local function on_reply(state, plan, values)
  state.connection = value_of(plan, values, "conn_id")
  if value_of(plan, values, "you_can_join") ~= true then return nil end
  local capability = value_of(plan, values, "capability") or ""
  state.is_joined = true
  local warning
  if not state.client then
    warning = definition_of(capability) and "assumed_capabilities" or "unknown_version"
  end
  -- A client may offer several versions; the server names its own.
  if not state.client or definition_of(capability) then select_version(state, capability) end
  local server = words(capability)
  local client = state.client or server
  local active = {}
  for _, name in ipairs(state.definition.capabilities) do
    active[name] = client[name] and server[name]
  end
  state.layouts = layout.all(state.definition, active)
  return warning
end

local function on_connection_info(state, plan, values)
  local id = value_of(plan, values, "id")
  if not state.connection or id ~= state.connection then return end
  local player = value_of(plan, values, "player_num")
  local is_observer = value_of(plan, values, "observer") == true
  local has_changed = player ~= state.player or is_observer ~= state.is_observer
  state.player, state.is_observer = player, is_observer
  if has_changed and (player ~= NO_PLAYER or is_observer) then forget_game(state) end
end

-- Updates the state by a decoded packet. Returns whether there was room for its baseline, and the name of a
-- warning or nil.
function session.on_packet(state, to, plan, key, values)
  local is_stored = store(state, to, plan, key, values)
  local name = plan.packet.name
  if to == "to_server" and name == "server_join_req" then
    return is_stored, on_request(state, value_of(plan, values, "capability") or "")
  elseif to == "to_client" and name == "server_join_reply" then
    return is_stored, on_reply(state, plan, values)
  elseif to == "to_client" and name == "conn_info" then
    on_connection_info(state, plan, values)
  end
  return is_stored
end

return session
