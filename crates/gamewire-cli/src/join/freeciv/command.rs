use std::fmt;

use gamewire_freeciv::delta::Value;
use gamewire_freeciv::orders;
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::session::RequestId;
use gamewire_freeciv::session::client::{Client, SendError};
use gamewire_freeciv::world::World;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// A command of standard input.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Command {
    Say {
        text: String,
    },
    EndTurn {},
    FoundCity {
        unit: u32,
        name: String,
    },
    GoTo {
        unit: u32,
        tile: i32,
    },
    Fortify {
        unit: u32,
    },
    Explore {
        unit: u32,
    },
    AutoWork {
        unit: u32,
    },
    Disband {
        unit: u32,
    },
    Buy {
        city: u32,
    },
    SetResearch {
        advance: u16,
    },
    SetTaxRates {
        tax: u8,
        luxury: u8,
        science: u8,
    },
    /// Any packet of the protocol, for packets without a command.
    Packet {
        packet: String,
        #[serde(default)]
        fields: Map<String, Json>,
    },
    Units {},
    Cities {},
    Leave {},
}

impl Command {
    /// Sends the packet of the command, if the command is an order. Returns the number of the packet.
    pub(super) fn send(self, world: &World, client: &mut Client) -> Result<Option<RequestId>, String> {
        let text = |error: &dyn fmt::Display| error.to_string();
        match self {
            Self::Units {} | Self::Cities {} | Self::Leave {} => Ok(None),
            Self::Say { text } => sent(client.chat(&text)),
            Self::Packet { packet, fields } => {
                let fields: Vec<(&str, Value)> = fields
                    .iter()
                    .map(|(name, json)| Ok((name.as_str(), value(json)?)))
                    .collect::<Result<_, String>>()?;
                sent(client.send_fields(&packet, &fields))
            }
            Self::EndTurn {} => send(client, &orders::end_turn(world)),
            Self::FoundCity { unit, name } => {
                send(client, &orders::found_city(world, unit, &name).map_err(|error| text(&error))?)
            }
            Self::GoTo { unit, tile } => {
                send(client, &orders::go_to(world, unit, tile).map_err(|error| text(&error))?)
            }
            Self::Disband { unit } => {
                send(client, &orders::disband(world, unit).map_err(|error| text(&error))?)
            }
            Self::Fortify { unit } => send(client, &orders::fortify(world, unit)),
            Self::Explore { unit } => send(client, &orders::explore(world, unit)),
            Self::AutoWork { unit } => {
                send(client, &orders::auto_work(world, unit).map_err(|error| text(&error))?)
            }
            Self::Buy { city } => send(client, &orders::buy(city)),
            Self::SetResearch { advance } => send(client, &orders::set_research(advance)),
            Self::SetTaxRates { tax, luxury, science } => {
                send(client, &orders::set_tax_rates(tax, luxury, science))
            }
        }
    }
}

fn send<'p, T>(client: &mut Client, order: &'p T) -> Result<Option<RequestId>, String>
where
    &'p T: Into<Packet<'p>>,
{
    sent(client.send(order))
}

fn sent(result: Result<RequestId, SendError>) -> Result<Option<RequestId>, String> {
    result.map(Some).map_err(|error| error.to_string())
}

/// Converts a JSON value to the value of a field.
fn value(json: &Json) -> Result<Value, String> {
    Ok(match json {
        Json::Bool(is) => Value::Bool(*is),
        Json::Number(number) => {
            Value::Int(number.as_i64().ok_or_else(|| format!("expected a whole number, found {number}"))?)
        }
        Json::String(text) => Value::Text(text.clone().into_bytes()),
        Json::Array(items) => Value::List(items.iter().map(value).collect::<Result<_, _>>()?),
        other => return Err(format!("expected a number, text, boolean or list, found {other}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_commands() {
        crate::controls::check_commands::<Command>(include_str!(
            "../../../../../docs/schema/join-freeciv.commands.json"
        ));
    }
}
