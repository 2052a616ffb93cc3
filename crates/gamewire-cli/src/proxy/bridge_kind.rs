//! The kind of bridge that the options select.

use std::path::Path;
use std::sync::Arc;

use gamewire_freeciv::session::codec::Definition;
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_proxy::freeciv::{FreecivBridge, FreecivConfig, FreecivMessages};
use gamewire_proxy::relay::{BridgeFactory, NewClient};
use gamewire_proxy::riptide::{RiptideBridge, RiptideConfig, RiptideMessages};
use gamewire_proxy::rules::{RuleMessages, Rules, RulesChange};
use gamewire_proxy::teeworlds::{InfoLimit, TeeworldsBridge, TeeworldsConfig, TeeworldsMessages};
use gamewire_riptide::Format;
use gamewire_riptide::layout::MessageLayouts;
use gamewire_teeworlds::Dialect;

use super::options::Proxy;
use crate::exit_status::Failure;
use crate::url::{RiptideTransport, UrlProtocol};
use crate::user_file::{name_of, read_text};

/// Maximum size of a file with rules in bytes.
const MAX_RULES: u64 = 1 << 20;

/// The kind of bridge that clients get.
#[derive(Clone, Debug)]
pub(super) enum BridgeKind {
    Transparent,
    Riptide { layouts: Arc<MessageLayouts>, server_format: Option<Format>, rules: Rules<RiptideMessages> },
    Teeworlds { server_dialect: Option<Dialect>, rules: Rules<TeeworldsMessages> },
    Freeciv { definition: Option<Definition>, rules: Rules<FreecivMessages> },
}

impl BridgeKind {
    /// Returns the factory of the bridge; `None` for the transparent one.
    pub(super) fn factory(&self) -> Option<BridgeFactory> {
        Some(match self.clone() {
            Self::Transparent => return None,
            Self::Riptide { layouts, server_format, rules } => {
                Box::new(move |now, NewClient { client, server, transport }| {
                    let layouts = Arc::clone(&layouts);
                    let config = RiptideConfig { client, server, transport, server_format, layouts };
                    Box::new(RiptideBridge::with_hook(config, now, Box::new(rules.clone())))
                })
            }
            Self::Teeworlds { server_dialect, rules } => {
                let limit = InfoLimit::new(gamewire::seed());
                Box::new(move |now, NewClient { client, server, .. }| {
                    let config = TeeworldsConfig { client, server, server_dialect, seed: gamewire::seed() };
                    let bridge = TeeworldsBridge::with_hook(config, now, Box::new(rules.clone()));
                    Box::new(bridge.with_info_limit(limit.clone()))
                })
            }
            Self::Freeciv { definition, rules } => Box::new(move |_, _| {
                let compression = gamewire::freeciv::compression_level();
                let config = FreecivConfig { definition: definition.clone(), compression };
                Box::new(FreecivBridge::with_hook(config, Box::new(rules.clone())))
            }),
        })
    }

    /// Replaces the rules of all clients with the rules of `new`, which has the same options.
    pub(super) fn replace_rules(&self, new: &Self) -> Option<RulesChange> {
        match (self, new) {
            (Self::Riptide { rules, .. }, Self::Riptide { rules: new, .. }) => Some(rules.replace(new)),
            (Self::Teeworlds { rules, .. }, Self::Teeworlds { rules: new, .. }) => Some(rules.replace(new)),
            (Self::Freeciv { rules, .. }, Self::Freeciv { rules: new, .. }) => Some(rules.replace(new)),
            _ => None,
        }
    }
}

impl Proxy {
    /// Returns the kind of bridge that the options select. Reads the rules from their file.
    pub(super) fn bridges(&self, settings: &ProtocolConfig) -> Result<BridgeKind, Failure> {
        if !self.terminates() {
            return Ok(BridgeKind::Transparent);
        }
        match self.listen.protocol {
            UrlProtocol::Riptide(_, RiptideTransport::WebSocket) => Err(Failure::Usage(
                "--terminate, --to-dialect and --rules do not support WebSockets; remove them for ws".into(),
            )),
            UrlProtocol::Riptide(_, RiptideTransport::SecureWebSocket) => Err(Failure::Usage(
                "--terminate, --to-dialect and --rules cannot decrypt TLS; remove them for wss".into(),
            )),
            UrlProtocol::Riptide(_, RiptideTransport::EncryptedUdp) => Err(Failure::Usage(
                "--terminate, --to-dialect and --rules cannot decrypt records; remove them for udps".into(),
            )),
            UrlProtocol::Riptide(..) => {
                let layouts = Arc::clone(&settings.riptide_messages);
                let rules = self.rules(RiptideMessages::new(Arc::clone(&layouts)))?;
                let server_format = self.to_dialect(&[("2.0", Format::V20), ("2.1", Format::V21)])?;
                Ok(BridgeKind::Riptide { layouts, server_format, rules })
            }
            UrlProtocol::Teeworlds(_) => {
                let server_dialect = self.to_dialect(&[
                    ("0.6", Dialect::V06),
                    ("0.6-tken", Dialect::Tken),
                    ("0.6.5", Dialect::V065),
                    ("0.7", Dialect::V07),
                ])?;
                Ok(BridgeKind::Teeworlds { server_dialect, rules: self.rules(TeeworldsMessages)? })
            }
            UrlProtocol::Freeciv(_) => {
                if self.to_dialect.is_some() {
                    let message = "--to-dialect is for Teeworlds and Riptide; remove it for Freeciv";
                    return Err(Failure::Usage(message.into()));
                }
                let definition = self.definition.as_ref().and_then(|_| settings.freeciv.iter().next());
                let definition =
                    definition.map(|it| Definition::interpreted((**it.protocol()).clone())).transpose();
                let definition = definition.map_err(|error| Failure::Usage(error.to_string()))?;
                let rules = self.rules(FreecivMessages::new(Arc::clone(&settings.freeciv)))?;
                Ok(BridgeKind::Freeciv { definition, rules })
            }
        }
    }

    /// Returns the version of the server, if the option names one.
    fn to_dialect<D: Copy>(&self, known: &[(&str, D)]) -> Result<Option<D>, Failure> {
        let Some(name) = &self.to_dialect else { return Ok(None) };
        // The names of dialects and schemes are accepted, too: tw-0.7, tw-0.6.4+udp.
        let short = name.strip_prefix("tw-").or_else(|| name.strip_prefix("riptide-")).unwrap_or(name);
        let short = short.split_once('+').map_or(short, |(version, _)| version);
        let short = if short == "0.6.4" { "0.6" } else { short };
        let found = known.iter().find(|(known, _)| *known == short).map(|(_, dialect)| *dialect);
        let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
        let unknown = || format!("invalid --to-dialect '{name}': expected {}", names.join(", "));
        found.map(Some).ok_or_else(|| Failure::Usage(unknown()))
    }

    fn rules<G: RuleMessages>(&self, game: G) -> Result<Rules<G>, Failure> {
        let path = self.rules.as_deref();
        let read = |path| read_text(path, MAX_RULES, Failure::Usage);
        let text = path.map(read).transpose()?.unwrap_or_default();
        Rules::parse(&text, game).map_err(|error| {
            let name = name_of(path.unwrap_or_else(|| Path::new("")));
            Failure::Usage(format!("cannot use {name}: {error}"))
        })
    }
}
