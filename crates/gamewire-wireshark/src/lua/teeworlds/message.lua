-- Messages: of chunks, of control packets and of browsing packets.

local cursor = require("teeworlds/cursor")
local definitions = require("definitions/teeworlds")
local display = require("display")
local fields = require("teeworlds/fields")

local message = {}

-- Adds the bytes after the last field. Returns whether there are any.
local function show_rest(name)
  if cursor.is_empty() then return false end
  local from = cursor.at() - 1
  cursor.rest()
  display.bytes(name, from, cursor.at() - 1)
  return true
end

-- Reads the fields of a message and what follows them. Returns the values, or nil after an error.
local function read_body(known, rest_warning)
  local values, failed = fields.of_message(known.fields)
  if not values then
    display.error(cursor.at() - 1, cursor.at() - 1, "cannot decode " .. failed)
  elseif rest_warning then
    local from = cursor.at() - 1
    if show_rest("extra_bytes") then display.warning(from, cursor.at() - 1, rest_warning) end
  end
  return values
end

-- Decodes the message of a chunk in `data` from `first` to `last`, and adds it to the tree. Returns a table
-- with name, is_system, id, sender if only one role sends it, definition and values; or nil. Messages without
-- an effect on the state, for which `needs` returns false, have no values if nothing is displayed.
function message.read(version, data, first, last, is_ddnet, needs)
  cursor.open(data, first, last, is_ddnet)
  local packed = cursor.int()
  if not packed then
    display.error(first - 1, last, "a message needs an id")
    return nil
  end
  local read = { is_system = packed % 2 == 1, id = math.floor(packed / 2) }
  local set = definitions.versions[version]
  local known, uuid
  if read.id == 0 then
    uuid = cursor.bytes(16)
    if not uuid then
      display.error(first - 1, last, "a message needs the 16 bytes of its UUID")
      return nil
    end
    uuid = fields.uuid(uuid)
    known = (read.is_system and definitions.extended.system or definitions.extended.game)[uuid]
  else
    known = (read.is_system and set.system or set.game)[read.id]
  end
  local after_id = cursor.at() - 1
  read.name = known and known.name or "unknown_message"
  display.enter(read.name, first - 1, last)
  display.field("system", first - 1, after_id, read.is_system)
  if uuid then
    display.field("uuid", first - 1, after_id, uuid)
  else
    display.field("message_id", first - 1, after_id, read.id)
  end
  if known then
    read.definition, read.sender = known, known.sender
    if not display.is_open() and needs and not needs(read) then return read end
    read.values = read_body(known, "extra_bytes")
  else
    local from = cursor.at() - 1
    cursor.rest()
    display.bytes("body", from, cursor.at() - 1)
    display.warning(first - 1, after_id, "unknown_message")
  end
  display.leave()
  if known and not read.values then return nil end
  return read
end

-- Decodes a control message and adds it to the tree. Returns its name.
function message.control(version, data, first, last)
  cursor.open(data, first, last, false)
  local id = cursor.unsigned(1)
  if not id then
    display.error(first - 1, last, "a control packet needs an id")
    return "empty control packet"
  end
  local known = definitions.versions[version].control[id]
  local name = known and known.name or "unknown_control"
  display.enter(name, first - 1, last)
  display.field("control_id", first - 1, first, id)
  if known then
    if read_body(known) then show_rest("padding") end
  else
    display.warning(first - 1, first, "unknown_message")
    show_rest("body")
  end
  display.leave()
  return name
end

-- Decodes a browsing message and adds it to the tree. Returns its name.
function message.connless(version, data, first, last)
  cursor.open(data, first, last, false)
  local prefix, letters = cursor.bytes(4), cursor.bytes(4)
  if not letters or prefix ~= "\255\255\255\255" then
    display.error(first - 1, last, "a connless packet starts with four bytes ff and four letters")
    return "connless packet"
  end
  local known = definitions.versions[version].connless[letters]
  local name = known and known.name or "unknown_connless"
  local after_letters = cursor.at() - 1
  display.enter(name, first - 1, last)
  display.field("letters", first - 1, after_letters, letters)
  if known then
    read_body(known, "extra_bytes")
  else
    local from = cursor.at() - 1
    cursor.rest()
    display.bytes("body", from, cursor.at() - 1)
    display.warning(first - 1, after_letters, "unknown_message")
  end
  display.leave()
  return name
end

return message
