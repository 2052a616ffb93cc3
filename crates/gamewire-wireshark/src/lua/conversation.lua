-- Conversations of a capture: which packets belong together, and what the first pass found out about them.
--
-- Wireshark dissects the packets in order once (the first pass), and single packets again whenever they
-- are displayed. State changes on the first pass only. What a packet needs later is kept under its frame.

local conversation = {}

-- Creates the table of a protocol's conversations.
function conversation.table()
  return { udp = {}, tcp = {} }
end

-- Returns the conversation of a packet; creates it on the first pass.
function conversation.of(known, transport, pinfo)
  local source, target = pinfo.src_port, pinfo.dst_port
  local from, to = tostring(pinfo.src), tostring(pinfo.dst)
  local key
  if source < target or source == target and from < to then
    key = string.format("%d %d %s %s", source, target, from, to)
  else
    key = string.format("%d %d %s %s", target, source, to, from)
  end
  local found = known[transport][key]
  if not found and not pinfo.visited then
    -- The first side is the sender of the first packet.
    found = { transport = transport, port = source, address = from, same_ports = source == target, frames = {} }
    known[transport][key] = found
  end
  return found
end

-- Returns which side sends the packet: 1 if it is the sender of the first packet, otherwise 2.
function conversation.side(of, pinfo)
  if of.same_ports then return tostring(pinfo.src) == of.address and 1 or 2 end
  return pinfo.src_port == of.port and 1 or 2
end

-- Returns what the next call of `notes` returns, or nil if it is new.
function conversation.next_notes(of, pinfo)
  local notes = of.frames[pinfo.number]
  return notes and notes[(tonumber(pinfo.private["gamewire.part"]) or 0) + 1]
end

-- Returns the notes of a part of a frame, and whether they are new, to be filled in. A frame has several
-- parts if several messages of a stream end in it. Returns nil if the first pass did not see the part.
function conversation.notes(of, pinfo)
  local part = (tonumber(pinfo.private["gamewire.part"]) or 0) + 1
  pinfo.private["gamewire.part"] = string.format("%d", part)
  local notes = of.frames[pinfo.number]
  if not notes then
    if pinfo.visited then return nil, false end
    notes = {}
    of.frames[pinfo.number] = notes
  end
  if notes[part] or pinfo.visited then return notes[part], false end
  notes[part] = {}
  return notes[part], true
end

return conversation
