-- Decompression of Teeworlds' payloads: a fixed Huffman code, least significant bit first.
--
-- The decoder takes a byte at a time: `steps` caches, for a node of the tree and a byte, the decoded text and
-- the next node.

local definitions = require("definitions/teeworlds")

local huffman = {}

-- Maximum number of bytes of a payload.
local MAX_PAYLOAD = 1397
local END = 256

local floor, char = math.floor, string.char

-- Nodes by number: { child 0, child 1 }, or { symbol = number }. The root is 1.
local nodes = { {} }

for symbol = 0, END do
  local code, length = definitions.codes[symbol * 2 + 1], definitions.codes[symbol * 2 + 2]
  local node = nodes[1]
  for _ = 1, length do
    local bit = code % 2 + 1
    code = floor(code / 2)
    if not node[bit] then
      nodes[#nodes + 1] = {}
      node[bit] = #nodes
    end
    node = nodes[node[bit]]
  end
  node.symbol = symbol
end

-- Decodes the bits of a byte from a node on. Returns the text and the next node, or nil after the end symbol.
local function step(node, byte)
  local text = {}
  for _ = 1, 8 do
    node = nodes[node][byte % 2 + 1]
    byte = floor(byte / 2)
    local symbol = nodes[node].symbol
    if symbol == END then return table.concat(text), nil end
    if symbol then
      text[#text + 1] = char(symbol)
      node = 1
    end
  end
  return table.concat(text), node
end

local texts, nexts = {}, {}

-- Returns the decompressed payload, or nil if it has no end or is too long.
function huffman.decompress(payload)
  local node, parts, size = 1, {}, 0
  for at = 1, #payload do
    local key = node * 256 + payload:byte(at)
    local text, following = texts[key], nexts[key]
    if not text then
      text, following = step(node, key % 256)
      texts[key], nexts[key] = text, following
    end
    parts[at] = text
    size = size + #text
    if size > MAX_PAYLOAD then return nil end
    if not following then return table.concat(parts) end
    node = following
  end
  return nil
end

return huffman
