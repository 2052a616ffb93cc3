-- Snapshots: their deltas are applied on the first pass; every pass shows the items.

local definitions = require("definitions/teeworlds")
local delta = require("teeworlds/delta")
local display = require("display")
local fields = require("teeworlds/fields")
local storage = require("teeworlds/storage")

local snapshots = {}

-- Types from here on are declared by a UUID in an item of type 0.
local FIRST_EXTENDED_TYPE = 16384
local MAX_DECLARED = 64

-- Returns the UUID in the four integers of an item.
local function uuid_of(ints)
  if not ints or #ints ~= 4 then return nil end
  local bytes = {}
  for _, int in ipairs(ints) do
    local value = int % 4294967296
    for shift = 3, 0, -1 do
      bytes[#bytes + 1] = string.char(math.floor(value / 256 ^ shift) % 256)
    end
  end
  return fields.uuid(table.concat(bytes))
end

-- Remembers the types that a snapshot declares: the declaration may be gone when an item changes.
local function declare(kept, updates, snapshot)
  for _, update in ipairs(updates) do
    local uuid = update.kind == 0 and uuid_of(snapshot.items[update.key])
    if uuid and (kept.declared[update.id] or kept.declared_count < MAX_DECLARED) then
      if not kept.declared[update.id] then kept.declared_count = kept.declared_count + 1 end
      kept.declared[update.id] = uuid
    end
  end
end

-- Applies a delta, on the first pass. `note` keeps what the display needs: the items and the UUIDs of their
-- types, or what is wrong.
local function apply(kept, note, values, updates)
  local base_tick = values.tick - values.delta
  local base = storage.base(kept, base_tick)
  if not base then
    note.is_without_base = true
    return
  end
  local snapshot = delta.apply(updates, base)
  if not snapshot then
    note.failed = "an item has another size than in the base, or the snapshot is too large"
    return
  end
  declare(kept, updates, snapshot)
  note.items = {}
  for index, update in ipairs(updates) do
    note.items[index] = snapshot.items[update.key]
    if update.kind >= FIRST_EXTENDED_TYPE then
      note.uuids = note.uuids or {}
      note.uuids[update.kind] = uuid_of(snapshot.items[update.kind]) or kept.declared[update.kind]
    end
  end
  if delta.checksum(snapshot) ~= values.crc then
    note.failed = "the items do not match the checksum"
    return
  end
  storage.keep(kept, values.tick, snapshot, base_tick)
end

local function show_ints(name, ints, spans, update)
  display.list(name, update.from, update.to)
  for index, int in ipairs(ints) do
    local span = spans[index] or { update.from, update.to }
    display.element(span[1], span[2], int)
  end
  display.leave()
end

local function show_object(object, update, ints, is_padded)
  local is_read, failed = fields.of_item(object.fields, ints, update.spans, is_padded)
  if not is_read then display.error(update.from, update.to, "cannot decode " .. failed) end
end

local function show_extended(uuid, update, ints)
  display.field("uuid", update.from, update.to, uuid)
  local object = definitions.extended.objects[uuid]
  if not object then
    display.warning(update.from, update.to, "unknown_item")
    return show_ints("ints", ints, update.spans, update)
  end
  show_object(object, update, ints, true)
  if #ints > object.size then
    local further, spans = {}, {}
    for index = object.size + 1, #ints do
      further[#further + 1], spans[#spans + 1] = ints[index], update.spans[index]
    end
    show_ints("further", further, spans, update)
  end
end

-- Returns the name of an item.
local function name_of(version, update, uuid)
  local object
  if update.kind == 0 then return "type_declaration" end
  if uuid then
    object = definitions.extended.objects[uuid]
  else
    object = definitions.versions[version].objects[update.kind]
  end
  return object and object.name or "unknown_item"
end

local function show_item(version, update, ints, uuid)
  local from, to = update.from, update.to
  display.enter(name_of(version, update, uuid), from, to)
  display.field("item_type", from, to, update.kind)
  display.field("item_id", from, to, update.id)
  local object = definitions.versions[version].objects[update.kind]
  if update.kind == 0 then
    local declared = uuid_of(ints)
    if declared then
      display.field("uuid", from, to, declared)
    else
      show_ints("ints", ints, update.spans, update)
    end
  elseif uuid then
    show_extended(uuid, update, ints)
  elseif object and object.size == #ints then
    show_object(object, update, ints, false)
  else
    local warning = "unknown_item"
    if object then
      warning = "item_size"
    elseif update.kind >= FIRST_EXTENDED_TYPE then
      warning = "undeclared_item"
    end
    display.warning(from, to, warning)
    show_ints("ints", ints, update.spans, update)
  end
  display.leave()
end

local function show_difference(version, update)
  local from, to = update.from, update.to
  display.enter("difference", from, to)
  local object = definitions.versions[version].objects[update.kind]
  if object then display.field("object", from, to, object.name) end
  display.field("item_type", from, to, update.kind)
  display.field("item_id", from, to, update.id)
  show_ints("ints", update.ints, update.spans, update)
  display.leave()
end

local function show(version, note, updates, from, to)
  if note.is_without_base then
    display.warning(from, to, "missing_base")
    for _, update in ipairs(updates) do
      show_difference(version, update)
    end
    return
  end
  if note.items then
    if #updates.deleted > 0 then
      display.list("deleted", from, to)
      for _, key in ipairs(updates.deleted) do
        display.element(from, to, key)
      end
      display.leave()
    end
    for index, update in ipairs(updates) do
      show_item(version, update, note.items[index], note.uuids and note.uuids[update.kind])
    end
  end
  if note.failed then display.error(from, to, note.failed) end
end

-- Reads a delta at `first` to `last`, and shows it.
local function on_delta(kept, note, is_new, version, is_ddnet, values, data, first, last)
  display.enter("snapshot", first - 1, last)
  local updates, expected = delta.read(data, first, last, is_ddnet, definitions.versions[version].sizes)
  if updates then
    if is_new then apply(kept, note, values, updates) end
    if updates.is_followed then display.warning(last, last, "extra_bytes") end
    if display.is_open() then show(version, note, updates, first - 1, last) end
  else
    display.error(first - 1, last, "expected " .. expected)
  end
  display.leave()
end

-- Follows a snapshot message in `data`. `note` is what the first pass keeps for the display.
function snapshots.on_message(kept, note, is_new, version, is_ddnet, read, data)
  local name, values = read.name, read.values
  if name == "snap_empty" then
    if is_new then
      local base = storage.base(kept, values.tick - values.delta)
      note.is_without_base = not base
      if base then storage.keep(kept, values.tick, base, values.tick - values.delta) end
    end
    if note.is_without_base then display.warning(0, 0, "missing_base") end
  elseif name == "snap_single" then
    local first = values.data_at
    on_delta(kept, note, is_new, version, is_ddnet, values, data, first, first + #values.data - 1)
  elseif name == "snap" then
    if is_new then note.whole = storage.add_part(kept, values, values.data) end
    if note.whole then
      display.source("snapshot_parts", note.whole)
      on_delta(kept, note, is_new, version, is_ddnet, values, note.whole, 1, #note.whole)
      display.leave()
    elseif note.whole == false then
      display.error(0, 0, "the part does not match the others")
    end
  end
end

return snapshots
