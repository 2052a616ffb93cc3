-- Fields of messages and objects, by their shapes in `definitions/teeworlds`.
--
-- A shape is a name, or a table with the name as `type` and parameters. Values come from a source: the
-- cursor over a message, or the integers of an item.

local cursor = require("teeworlds/cursor")
local display = require("display")

local fields = {}

-- Returns the next integer and the bytes that it has, from 0; nil at the end.
local function next_of_message()
  local from = cursor.at() - 1
  local value = cursor.int()
  return value, from, cursor.at() - 1
end

local next_int = next_of_message

-- Formats the 16 bytes of a UUID.
function fields.uuid(bytes)
  local digits = bytes:gsub(".", function(letter) return string.format("%02x", letter:byte()) end)
  return string.format("%s-%s-%s-%s-%s", digits:sub(1, 8), digits:sub(9, 12), digits:sub(13, 16),
    digits:sub(17, 20), digits:sub(21))
end

local function address(bytes)
  local parts = { bytes:byte(1, 18) }
  local port = parts[17] * 256 + parts[18]
  if bytes:sub(1, 12) == "\0\0\0\0\0\0\0\0\0\0\255\255" then
    return string.format("%d.%d.%d.%d:%d", parts[13], parts[14], parts[15], parts[16], port)
  end
  local groups = {}
  for index = 1, 8 do
    groups[index] = string.format("%x", parts[index * 2 - 1] * 256 + parts[index * 2])
  end
  return string.format("[%s]:%d", table.concat(groups, ":"), port)
end

-- Returns the value of a decimal text, as far as it is one.
local function decimal(text)
  local sign, digits = text:match("^(%-?)(%d*)")
  local value = math.min(tonumber(digits) or 0, 4294967295)
  if sign == "-" then return math.max(-value, -2147483648) end
  return math.min(value, 2147483647)
end

-- Decodes a text in four bytes of each of several integers.
local function int_text(ints)
  local letters = {}
  for _, int in ipairs(ints) do
    local value = int % 4294967296
    for shift = 3, 0, -1 do
      local letter = (math.floor(value / 256 ^ shift) % 256 + 128) % 256
      if letter == 0 or #letters >= #ints * 4 - 1 then return table.concat(letters) end
      letters[#letters + 1] = string.char(letter)
    end
  end
  return table.concat(letters)
end

local function show(name, from, value)
  display.field(name, from - 1, cursor.at() - 1, value)
  return value
end

local function show_bytes(name, from)
  display.bytes(name, from - 1, cursor.at() - 1)
end

local function show_flags(name, names, from, to, value)
  local item = display.field(name, from, to, value % 4294967296)
  if not item then return end
  local set = {}
  for bit, flag in ipairs(names) do
    if math.floor(value / 2 ^ (bit - 1)) % 2 == 1 then set[#set + 1] = flag end
  end
  if #set > 0 then item:append_text(" (" .. table.concat(set, ", ") .. ")") end
end

local read_all, read

-- Readers return the value, or nil if it cannot be read. `values` collects the values of a message by name.
local READERS
READERS = {
  int = function(name)
    local value, from, to, is_padding = next_int()
    if value and not is_padding then display.field(name, from, to, value) end
    return value
  end,
  bool = function(name)
    local value, from, to = next_int()
    if not value then return nil end
    display.field(name, from, to, value)
    return (value == 0 or value == 1) and value or nil
  end,
  flags = function(name, shape)
    local value, from, to, is_padding = next_int()
    if value and not is_padding then show_flags(name, shape.names, from, to, value) end
    return value
  end,
  scaled = function(name, shape)
    local index = 0
    while not cursor.is_empty() do
      index = index + 1
      local value, from, to = next_int()
      if not value then return nil end
      display.field(shape.names[index] or "further", from, to, value / shape.scale)
    end
    return index
  end,
  text = function(name)
    local from = cursor.at()
    local text = cursor.text()
    return text and show(name, from, text)
  end,
  text_to_end = function(name)
    local from = cursor.at()
    local text = cursor.text()
    if text then return show(name, from, text) end
    text = show(name, from, cursor.rest())
    display.warning(from - 1, cursor.at() - 1, "unterminated_string")
    return text
  end,
  int_text = function(name, shape)
    local ints, first, last = {}, nil, nil
    for index = 1, shape.count do
      local value, from, to = next_int()
      if not value then return nil end
      first, last = first or from, to
      ints[index] = value
    end
    local text = int_text(ints)
    display.field(name, first, last, text)
    return text
  end,
  decimal_text = function(name)
    local from = cursor.at()
    local text = cursor.text()
    return text and show(name, from, decimal(text))
  end,
  rest = function(name)
    local from = cursor.at()
    local rest = cursor.rest()
    show_bytes(name, from)
    return rest
  end,
  padding = function(name)
    if cursor.is_empty() then return "" end
    return READERS.rest("padding")
  end,
  sized_bytes = function(name, _, values)
    local size = cursor.int()
    if not size then return nil end
    local from = cursor.at()
    values[name .. "_at"] = from
    local bytes = cursor.bytes(size)
    if bytes then show_bytes(name, from) end
    return bytes
  end,
  bytes = function(name, shape)
    local from = cursor.at()
    local bytes = cursor.bytes(shape.count)
    if bytes then show_bytes(name, from) end
    return bytes
  end,
  unsigned = function(name, shape)
    local from = cursor.at()
    local value = cursor.unsigned(shape.count)
    return value and show(name, from, value)
  end,
  token = function(name)
    local from = cursor.at()
    local value = cursor.unsigned(4)
    return value and show(name, from, value)
  end,
  uuid = function(name)
    local from = cursor.at()
    local bytes = cursor.bytes(16)
    return bytes and show(name, from, fields.uuid(bytes))
  end,
  address = function(name)
    local from = cursor.at()
    local bytes = cursor.bytes(18)
    return bytes and show(name, from, address(bytes))
  end,
  inline = function(_, shape, values) return read_all(shape.fields, values) and true or nil end,
  group = function(name, shape)
    display.enter(name, cursor.at() - 1, cursor.at() - 1)
    local is_read = read_all(shape.fields, {})
    display.leave()
    return is_read and true or nil
  end,
  sized_input = function(_, shape, values)
    local size, from, to = next_int()
    if not size then return nil end
    display.field("input_size", from, to, size)
    local count = math.floor(size / 4)
    if count < shape.count or count > 128 or not read_all(shape.fields, values) then return nil end
    for _ = shape.count + 1, count do
      local value
      value, from, to = next_int()
      if not value then return nil end
      display.field("further", from, to, value)
    end
    return size
  end,
  greeting = function()
    if cursor.is_empty() then return "" end
    local data, from, last = cursor.place()
    local left = last + 1 - from
    local is_tken = data:sub(from, from + 3) == "TKEN" and left >= 4
    if left == 4 and not is_tken then return READERS.token("token") end
    if left < 512 and not is_tken then return READERS.rest("padding") end
    local lead = cursor.bytes(4)
    if is_tken then show("magic", from, lead) end
    if left < 512 then return READERS.padding() end
    READERS.token("token")
    return READERS.padding()
  end,
  array = function(name, shape)
    display.list(name, cursor.at() - 1, cursor.at() - 1)
    local is_read = true
    for _ = 1, shape.count do
      is_read = read("", shape.of, {}) ~= nil
      if not is_read then break end
    end
    display.leave()
    return is_read and true or nil
  end,
  list = function(name, shape)
    display.list(name, cursor.at() - 1, cursor.at() - 1)
    local is_read = true
    while is_read and not cursor.is_empty() do
      is_read = read("", shape.of, {}) ~= nil
    end
    display.leave()
    return is_read and true or nil
  end,
  optional = function(name, shape, values)
    if cursor.is_empty() then return false end
    return read(name, shape.of, values)
  end,
}

read = function(name, shape, values)
  if type(shape) == "string" then return READERS[shape](name, shape, values) end
  return READERS[shape.type](name, shape, values)
end

-- Reads fields in order. Returns true, or nil and the name of the field that cannot be read.
read_all = function(list, values)
  for _, field in ipairs(list) do
    local name = field[1]
    local value = read(name, field[2], values)
    if value == nil then return nil, name end
    values[name] = value
  end
  return true
end

-- Reads the fields of a message at the cursor. Returns the values by name; nil and the name of the field
-- that cannot be read.
function fields.of_message(list)
  next_int = next_of_message
  local values = {}
  local is_read, failed = read_all(list, values)
  return is_read and values, failed
end

-- Reads the fields of an object from the integers of an item; `spans` has the bytes of each, from 0. Missing
-- integers are 0 if `is_padded`.
function fields.of_item(list, ints, spans, is_padded)
  local index = 0
  next_int = function()
    index = index + 1
    local value = ints[index]
    local span = spans[index] or spans[#spans] or { 0, 0 }
    if value then return value, span[1], span[2], false end
    if is_padded then return 0, span[1], span[2], true end
    return nil
  end
  local is_read, failed = read_all(list, {})
  next_int = next_of_message
  return is_read, failed
end

return fields
