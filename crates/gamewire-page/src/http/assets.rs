//! The files of the page. They are embedded in the program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! assets {
    ($($name:literal $kind:ident)*) => {
        &[$(($name, $kind, include_str!(concat!("../../assets/", $name)))),*]
    };
}

const ASSETS: &[(&str, &str, &str)] = assets! {
    "index.html" HTML
    "page.css" CSS
    "uplot.css" CSS
    "uplot.js" SCRIPT
    "app.js" SCRIPT
    "api.js" SCRIPT
    "bytes.js" SCRIPT
    "charts.js" SCRIPT
    "controls.js" SCRIPT
    "conversations.js" SCRIPT
    "details.js" SCRIPT
    "dom.js" SCRIPT
    "fleet.js" SCRIPT
    "game_map.js" SCRIPT
    "list.js" SCRIPT
    "list_state.js" SCRIPT
    "map.js" SCRIPT
    "paste.js" SCRIPT
    "protocol_views.js" SCRIPT
    "reload.js" SCRIPT
    "snapshot.js" SCRIPT
    "tree.js" SCRIPT
};

pub(super) async fn index() -> Response {
    respond("index.html")
}

pub(super) async fn asset(Path(name): Path<String>) -> Response {
    respond(&name)
}

fn respond(name: &str) -> Response {
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, text)) => {
            ([(CONTENT_TYPE, *kind), (CACHE_CONTROL, "no-cache")], *text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
