//! Access to a page: from this machine, or with a token.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CONNECTION, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, LOCATION, ORIGIN, SET_COOKIE,
};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::Refusal;
use super::strangers::Stranger;

/// Name of the cookie that holds the token, without the port of the page. A browser sends the cookies of a host to all
/// its ports, so that pages on one host need different names.
const COOKIE_NAME: &str = "gamewire_token_";
/// Content security policy: the page loads only its own files, and no other page can embed it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Conditions of access to a page.
#[derive(Clone, Debug)]
pub(super) struct Access(Arc<Rules>);

#[derive(Debug)]
struct Rules {
    local: SocketAddr,
    /// Token that every request needs if the page does not listen on loopback.
    token: Option<String>,
}

impl Access {
    pub(super) fn new(local: SocketAddr, token: Option<String>) -> Self {
        Self(Arc::new(Rules { local, token }))
    }

    /// Checks a request. Rejects requests of other pages in the same browser, even if they use a host name that
    /// resolves to this machine (DNS rebinding).
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let refuse = |sentence: &str| Err(Refusal(StatusCode::FORBIDDEN, sentence.to_owned()));
        let Some(host) = single(headers, &HOST) else {
            return Err(Refusal::bad_request("one Host header is required"));
        };
        if !self.is_own_host(host) {
            return refuse("the Host header must be an address of this page");
        }
        let is_foreign = |origin: &str| origin.strip_prefix("http://") != Some(host);
        let has_origin = headers.contains_key(ORIGIN);
        if has_origin && single(headers, &ORIGIN).is_none_or(is_foreign) {
            return refuse("requests of other pages are refused");
        }
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        let is_navigation = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
        if site.is_some_and(|site| !matches!(site, "same-origin" | "none"))
            && !(is_navigation && uri.path() == "/")
        {
            return refuse("requests of other pages are refused");
        }
        match &self.0.token {
            Some(token) if !is_given(token, uri, headers) => Err(Refusal(
                StatusCode::UNAUTHORIZED,
                "open the page by the address with its token, which the program has printed".into(),
            )),
            _ => Ok(()),
        }
    }

    fn is_own_host(&self, host: &str) -> bool {
        let local = self.0.local;
        let name = split_port(host).map_or(host, |(name, _)| name);
        if name.eq_ignore_ascii_case("localhost") {
            return local.ip().is_loopback() || local.ip().is_unspecified();
        }
        // Other hosts are allowed if there is a token, because a browser sends the cookie only to the host that set
        // it.
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let Ok(address) = bare.parse::<IpAddr>() else { return self.0.token.is_some() };
        address.to_canonical().is_loopback() || self.0.token.is_some()
    }
}

/// Checks access, and adds the headers that isolate the page from other sites.
pub(super) async fn guard(State(access): State<Access>, request: Request, next: Next) -> Response {
    let mut response = match access.check(request.uri(), request.headers()) {
        Err(refusal) => {
            let mut response = refusal.into_response();
            // A connection that stays open must have an accepted request.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }
        Ok(()) => {
            if let Some(stranger) = request.extensions().get::<Stranger>() {
                stranger.accept();
            }
            match access.0.token.as_deref().filter(|_| is_entry(request.uri())) {
                Some(token) => enter(token, port(request.headers())),
                None => next.run(request).await,
            }
        }
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Returns whether a request opens the page at the URL with the token.
fn is_entry(uri: &Uri) -> bool {
    uri.path() == "/" && uri.query().is_some_and(|query| query.starts_with("token="))
}

/// Moves the token from the URL into a cookie that scripts cannot read.
fn enter(token: &str, port: &str) -> Response {
    let cookie = format!("{COOKIE_NAME}{port}={token}; Path=/; HttpOnly; SameSite=Strict");
    (StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)]).into_response()
}

/// Returns the port in the browser's address of the page. With a tunnel, it is not the port of the page.
fn port(headers: &HeaderMap) -> &str {
    let port = single(headers, &HOST).and_then(split_port).map(|(_, port)| port);
    port.unwrap_or("80")
}

/// Splits the port from a host.
fn split_port(host: &str) -> Option<(&str, &str)> {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    host.rsplit_once(':').filter(|(_, port)| is_port(port))
}

fn is_given(token: &str, uri: &Uri, headers: &HeaderMap) -> bool {
    let port = port(headers);
    let in_query = uri
        .query()
        .into_iter()
        .flat_map(|query| query.split('&'))
        .filter_map(|part| part.strip_prefix("token="));
    let in_cookies = headers.get_all(COOKIE).iter().filter_map(|header| header.to_str().ok());
    let in_cookies = in_cookies
        .flat_map(|header| header.split(';'))
        .filter_map(|cookie| cookie.trim().strip_prefix(COOKIE_NAME)?.strip_prefix(port)?.strip_prefix('='));
    let bearer = headers.get(AUTHORIZATION).and_then(|header| header.to_str().ok());
    let bearer = bearer.and_then(|header| header.strip_prefix("Bearer "));
    in_query.chain(in_cookies).chain(bearer).any(|given| is_equal(given, token))
}

/// Compares two tokens. The time does not depend on how many characters match.
fn is_equal(given: &str, token: &str) -> bool {
    given.len() == token.len()
        && given.bytes().zip(token.bytes()).fold(0, |difference, (one, other)| difference | (one ^ other))
            == 0
}

fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(first)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    fn status(local: &str, token: Option<&str>, uri: &str, headers: &[(&str, &str)]) -> Option<StatusCode> {
        let access = Access::new(local.parse().unwrap(), token.map(str::to_owned));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        access.check(&uri.parse().unwrap(), &map).err().map(|refusal| refusal.0)
    }

    #[test]
    fn p1_a_page_of_another_name_or_origin_is_refused() {
        let loopback = |headers: &[(&str, &str)]| status("127.0.0.1:8642", None, "/api/events", headers);
        for host in ["127.0.0.1:8642", "localhost:8642", "LOCALHOST", "[::1]:8642", "127.8.8.8"] {
            assert_eq!(loopback(&[("host", host)]), None, "{host}");
        }
        for host in ["evil.example:8642", "127.0.0.1.evil.example", "10.0.0.1:8642", ""] {
            assert_eq!(loopback(&[("host", host)]), Some(StatusCode::FORBIDDEN), "{host}");
        }
        assert_eq!(loopback(&[]), Some(StatusCode::BAD_REQUEST));
        assert_eq!(
            loopback(&[("host", "localhost"), ("host", "evil.example")]),
            Some(StatusCode::BAD_REQUEST)
        );
        let local = ("host", "localhost:8642");
        assert_eq!(loopback(&[local, ("origin", "http://localhost:8642")]), None);
        for origin in ["http://evil.example", "null", "https://localhost:8642", "http://localhost:1"] {
            assert_eq!(loopback(&[local, ("origin", origin)]), Some(StatusCode::FORBIDDEN), "{origin}");
        }
        assert_eq!(loopback(&[local, ("sec-fetch-site", "same-origin")]), None);
        assert_eq!(loopback(&[local, ("sec-fetch-site", "cross-site")]), Some(StatusCode::FORBIDDEN));
        let link = [local, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(status("127.0.0.1:8642", None, "/", &link), None, "a link to the page may be followed");
        assert_eq!(loopback(&link), Some(StatusCode::FORBIDDEN));
    }

    #[test]
    fn p1_elsewhere_than_loopback_only_the_token_opens_the_page() {
        let remote =
            |uri: &str, headers: &[(&str, &str)]| status("10.0.0.7:8642", Some("secret"), uri, headers);
        let host = ("host", "10.0.0.7:8642");
        assert_eq!(remote("/", &[host]), Some(StatusCode::UNAUTHORIZED));
        assert_eq!(remote("/?token=secre", &[host]), Some(StatusCode::UNAUTHORIZED));
        assert_eq!(remote("/?token=secrets", &[host]), Some(StatusCode::UNAUTHORIZED));
        assert_eq!(remote("/?token=secret", &[host]), None);
        assert_eq!(remote("/api/events", &[host, ("cookie", "a=b; gamewire_token_8642=secret")]), None);
        assert_eq!(remote("/api/events", &[host, ("authorization", "Bearer secret")]), None);
        assert_eq!(
            remote(
                "/api/events",
                &[host, ("cookie", "gamewire_token_8642=secret"), ("origin", "http://evil.example")]
            ),
            Some(StatusCode::FORBIDDEN)
        );
    }
    #[test]
    fn pages_on_one_host_have_cookies_of_their_own() {
        let cookies = ("cookie", "gamewire_token_8642=one; gamewire_token_9000=two; gamewire_token_80=three");
        for (host, token) in [("10.0.0.7:8642", "one"), ("localhost:9000", "two"), ("[2001:db8::1]", "three")]
        {
            let with = |token| status("0.0.0.0:8642", Some(token), "/api/events", &[("host", host), cookies]);
            assert_eq!(with(token), None, "{host}");
            assert_eq!(with("other"), Some(StatusCode::UNAUTHORIZED), "{host}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("localhost:9000"));
        let entered = enter("two", port(&headers));
        let cookie = &entered.headers()[SET_COOKIE];
        assert!(cookie.to_str().unwrap().starts_with("gamewire_token_9000=two;"), "{cookie:?}");
    }
}
