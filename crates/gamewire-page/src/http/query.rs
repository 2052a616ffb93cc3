use std::sync::Arc;

use axum::http::StatusCode;
use serde::Deserialize;

use super::error::Refusal;
use crate::Page;
use crate::traffic::{Only, Selection, Source};

/// Maximum length of a filter in bytes.
const MAX_FILTER: usize = 4_096;

/// The query string of requests for packets.
#[derive(Debug, Default, Deserialize)]
pub(super) struct PacketQuery {
    source: Option<u64>,
    filter: Option<String>,
    conversation: Option<u64>,
    only: Option<String>,
    pub(super) from: Option<u64>,
    pub(super) before: Option<u64>,
    pub(super) limit: Option<usize>,
    pub(super) number: Option<u64>,
    pub(super) format: Option<String>,
    pub(super) text: Option<String>,
    pub(super) status: Option<bool>,
}

impl PacketQuery {
    /// Returns the source with the requested number, or the first source if the query has no number.
    pub(super) fn source(&self, page: &Page) -> Result<Source, Refusal> {
        let found = match self.source {
            Some(number) => page.source(number),
            None => page.sources().into_iter().next(),
        };
        found.ok_or_else(|| Refusal::not_found("the source"))
    }

    pub(super) fn selection(&self, page: &Page) -> Result<Selection, Refusal> {
        let text = self.filter.as_deref().map(str::trim).filter(|text| !text.is_empty());
        if text.is_some_and(|text| text.len() > MAX_FILTER) {
            return Err(Refusal(StatusCode::PAYLOAD_TOO_LARGE, "the filter is too long".into()));
        }
        let filter = text.map(|text| page.filter(text)).transpose().map_err(Refusal::bad_request)?;
        let only = match self.only.as_deref() {
            None | Some("") => None,
            Some(name) => {
                let only = Only::named(name);
                Some(only.ok_or_else(|| Refusal::bad_request("use errors, warnings, lost, resent or chat"))?)
            }
        };
        Ok(Selection { filter: filter.map(Arc::new), conversation: self.conversation, only })
    }

    pub(super) const fn conversation(&self) -> Option<u64> {
        self.conversation
    }
}
