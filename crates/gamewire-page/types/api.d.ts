// Generated from definitions/json/page.toml by `cargo xtask generate`.

/** A packet in the list. A mark is left out if it does not apply. */
export interface Row {
  /** from 1, within the source */
  number: number;
  /** seconds since the first packet */
  time: number;
  conversation: number;
  sender: "client" | "server";
  dialect: string;
  /** in bytes */
  length: number;
  /** content as one line */
  summary: string;
  /** it could not be decoded wholly */
  error?: boolean;
  /** it is unusual, but real programs accept it */
  warning?: boolean;
  /** the link of this program lost it */
  lost?: boolean;
  /** it has a message that was sent before */
  resent?: boolean;
  /** its sender asks for a resend */
  asks?: boolean;
}

/** Rows starting at a packet. */
export interface RowsFrom {
  rows: Array<{ number: number; time: number; conversation: number; sender: "client" | "server"; dialect: string; length: number; summary: string; error?: boolean; warning?: boolean; lost?: boolean; resent?: boolean; asks?: boolean; }>;
  /** number of the packet after these */
  next: number;
  /** there are no rows after these */
  is_end: boolean;
}

/** The last rows before a packet. */
export interface RowsBefore {
  rows: Array<{ number: number; time: number; conversation: number; sender: "client" | "server"; dialect: string; length: number; summary: string; error?: boolean; warning?: boolean; lost?: boolean; resent?: boolean; asks?: boolean; }>;
  /** there are no rows before these */
  is_start: boolean;
}

/** The server-sent event with new packets. */
export interface Packets {
  rows: Array<{ number: number; time: number; conversation: number; sender: "client" | "server"; dialect: string; length: number; summary: string; error?: boolean; warning?: boolean; lost?: boolean; resent?: boolean; asks?: boolean; }>;
  /** packets before the rows that arrived too fast to be rows */
  skipped: number;
  /** packets before those, which were not compared with the filter */
  unseen: number;
  /** number of the packet after these */
  next: number;
}

/** The new packets of a source, and its state if it was requested. */
export interface News {
  /** number of the first packet of the next request */
  next: number;
  packets: { rows: Array<{ number: number; time: number; conversation: number; sender: "client" | "server"; dialect: string; length: number; summary: string; error?: boolean; warning?: boolean; lost?: boolean; resent?: boolean; asks?: boolean; }>; skipped: number; unseen: number; next: number; } | null;
  status: { time: number; source: number | null; sources: Array<{ number: number; name: string; is_live: boolean; first: number; next: number; dropped: number; notices: Array<string>; }>; totals: { packets: number; bytes: number; errors: number; warnings: number; lost: number; resent: number; unrecognized: number; missed: number; not_printed: number; unlisted: number; } | null; conversations: Array<{ number: number; protocol: string; dialect: string; transport: "udp" | "tcp"; client: string; server: string; proxy_client: number | null; side: "client" | "server" | null; name: string | null; state: string; is_over: boolean; to_server: { packets: number; bytes: number; lost: number; resent: number; }; to_client: { packets: number; bytes: number; lost: number; resent: number; }; errors: number; warnings: number; round_trip_ms: number | null; first: number; last: number; has_map: boolean; }>; program: { link: { to_server: string; to_client: string; }; } | null; fleet: { is_connected: boolean; state: string; proxies: Array<{ name: string; instance: string; listen: string; to: string; page: string | null; sequence: number; packets: number; bytes: number; errors: number; records_dropped: number; is_gone: boolean; conversations: Array<{ number: number; name: string | null; dialect: string; state: string; client: string; is_over: boolean; packets: number; round_trip_ms: number | null; }>; }>; } | null; } | null;
}

/** The outcome of a search in the rows. */
export interface Found {
  /** of the packet with the text */
  number: number | null;
  /** where another request continues */
  next: number;
  /** all rows in this direction were searched */
  is_end: boolean;
}

/** The figures of a source in the last two minutes, one sample a second. */
export interface History {
  /** the first figures are those of all conversations, with the number 0 */
  samples: Array<{ time: number; figures: Array<{ number: number; up: number; down: number; lost: number; resent: number; round_trip_ms: number | null; }>; }>;
}

/** A conversation. */
export interface Conversation {
  /** from 1, within the source */
  number: number;
  protocol: string;
  dialect: string;
  transport: "udp" | "tcp";
  /** its address */
  client: string;
  /** its address */
  server: string;
  /** number of the peer in this program */
  proxy_client: number | null;
  /** the side of this proxy */
  side: "client" | "server" | null;
  /** of the player */
  name: string | null;
  state: string;
  is_over: boolean;
  to_server: { packets: number; bytes: number; lost: number; resent: number; };
  to_client: { packets: number; bytes: number; lost: number; resent: number; };
  errors: number;
  warnings: number;
  round_trip_ms: number | null;
  /** time of the first packet in seconds since 1970 */
  first: number;
  /** time of the last packet */
  last: number;
  /** a map of a Freeciv game is known */
  has_map: boolean;
}

/** A source of packets: live traffic or a file. */
export interface Source {
  number: number;
  name: string;
  is_live: boolean;
  /** number of the first packet that is kept */
  first: number;
  /** number of the packet after the last one */
  next: number;
  /** packets that are no longer kept */
  dropped: number;
  notices: Array<string>;
}

/** The counters of a source. */
export interface Totals {
  packets: number;
  bytes: number;
  errors: number;
  warnings: number;
  /** by the link of this program */
  lost: number;
  resent: number;
  /** packets of an unknown protocol */
  unrecognized: number;
  /** packets that were not followed in time */
  missed: number;
  /** packets that the program recorded and did not print */
  not_printed: number;
  /** datagrams that were lost before their conversation was known */
  unlisted: number;
}

/** The server-sent event with the state of the page. */
export interface Status {
  /** in seconds since 1970 */
  time: number;
  /** number of the source of the counters and conversations */
  source: number | null;
  sources: Array<{ number: number; name: string; is_live: boolean; first: number; next: number; dropped: number; notices: Array<string>; }>;
  totals: { packets: number; bytes: number; errors: number; warnings: number; lost: number; resent: number; unrecognized: number; missed: number; not_printed: number; unlisted: number; } | null;
  conversations: Array<{ number: number; protocol: string; dialect: string; transport: "udp" | "tcp"; client: string; server: string; proxy_client: number | null; side: "client" | "server" | null; name: string | null; state: string; is_over: boolean; to_server: { packets: number; bytes: number; lost: number; resent: number; }; to_client: { packets: number; bytes: number; lost: number; resent: number; }; errors: number; warnings: number; round_trip_ms: number | null; first: number; last: number; has_map: boolean; }>;
  /** conditions of the link, if the program has one */
  program: { link: { to_server: string; to_client: string; }; } | null;
  fleet: { is_connected: boolean; state: string; proxies: Array<{ name: string; instance: string; listen: string; to: string; page: string | null; sequence: number; packets: number; bytes: number; errors: number; records_dropped: number; is_gone: boolean; conversations: Array<{ number: number; name: string | null; dialect: string; state: string; client: string; is_over: boolean; packets: number; round_trip_ms: number | null; }>; }>; } | null;
}

/** All details of a packet: the members of its row, and more. */
export interface Packet {
  /** from 1, within the source */
  number: number;
  /** seconds since the first packet */
  time: number;
  conversation: number;
  sender: "client" | "server";
  dialect: string;
  /** in bytes */
  length: number;
  /** content as one line */
  summary: string;
  /** it could not be decoded wholly */
  error?: boolean;
  /** it is unusual, but real programs accept it */
  warning?: boolean;
  /** the link of this program lost it */
  lost?: boolean;
  /** it has a message that was sent before */
  resent?: boolean;
  /** its sender asks for a resend */
  asks?: boolean;
  /** time in UTC, RFC 3339 */
  timestamp: string;
  /** address of the sender */
  from: string;
  /** address of the receiver */
  to: string;
  frame: number;
  protocol: string;
  /** about its delivery, with links to other packets */
  notes: Array<{ text: string; links: Array<{ text: string; number: number; }>; }>;
  has_snapshot: boolean;
  /** nodes: kind k, name n, value v, source s, range of bits b, children c */
  tree: Array<any>;
  /** that the bits of the nodes refer to */
  sources: Array<{ name: string; hex: string; }>;
}

/** The program. */
export interface About {
  title: string;
  version: string;
  commands: Array<string>;
  /** to explain bytes */
  ways: Array<string>;
  max_hex_bytes: number;
}

/** Pasted bytes, as one of the ways reads them. */
export interface Explained {
  way: string;
  is_certain: boolean;
  /** the likeliest ones, if no way was requested */
  ways?: Array<{ way: string; errors: number; warnings: number; summary: string; }>;
  hex: string;
  shown: { summary: string; dialect: string; protocol: string; errors: number; warnings: number; tree: Array<any>; sources: Array<{ name: string; hex: string; }>; };
}

/** A snapshot of Teeworlds. */
export interface Snapshot {
  tick: number;
  /** tick of the snapshot that it is compared with; null is the empty one */
  base: number | null;
  /** all snapshots that it builds on were seen */
  is_complete: boolean;
  items: number;
  changed: Array<{ item: string; id: number; player: string | null; is_new: boolean; fields: Array<{ name: string; before: string | null; after: string; }>; }>;
  deleted: Array<{ item: string | null; type: number; id: number; }>;
  /** of tees at this tick; age is the number of ticks since the server sent it */
  positions: Array<{ item: string; id: number; name: string | null; x: number; y: number; age: number; }>;
  /** the server's map; its tiles are known if the traffic has the file or a folder of maps has it */
  map: { name: string; is_known: boolean; } | null;
}

/** The map of a snapshot of Teeworlds. Two hexadecimal digits for each tile: the index in the game layer or, where that is 0, in the front layer of DDNet. */
export interface GameMap {
  width: number;
  height: number;
  tiles: string;
}

/** The map of a Freeciv game. Terrain and owners are two hexadecimal digits for each tile. */
export interface Map {
  width: number;
  height: number;
  topology: number;
  terrain: string;
  owners: string;
  terrains: Array<{ id: number; name: string; color: Array<number>; }>;
  cities: Array<{ tile: number; owner: number; name: string; }>;
  /** tile and owner */
  units: Array<Array<number>>;
}
