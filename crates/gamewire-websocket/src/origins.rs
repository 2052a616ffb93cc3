/// The web pages that may open a WebSocket, by the `Origin` header that browsers send.
///
/// A request without the header is from a program, not from a page, and is always allowed: a program can send any
/// header. The list protects players: without it, any page that they visit could make their browsers connect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedOrigins {
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Loopback,
    Any,
    List(Vec<String>),
}

/// Hosts of pages that are served by the browser's own machine.
const LOOPBACK_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Default for AllowedOrigins {
    /// Allows pages of this machine.
    fn default() -> Self {
        Self::loopback()
    }
}

impl AllowedOrigins {
    /// Allows pages of `localhost`, `127.0.0.1` and `[::1]`, on any port: enough to develop a game.
    pub const fn loopback() -> Self {
        Self { rule: Rule::Loopback }
    }

    /// Allows all pages.
    pub const fn any() -> Self {
        Self { rule: Rule::Any }
    }

    /// Allows pages of these origins, such as `https://game.example`, with the port unless it is the default of the scheme. The
    /// origin of a file or a sandboxed frame is `null`.
    pub fn list<S: Into<String>>(origins: impl IntoIterator<Item = S>) -> Self {
        let origins = origins.into_iter().map(Into::into);
        let origins = origins.map(|origin: String| origin.trim_end_matches('/').to_owned());
        Self { rule: Rule::List(origins.collect()) }
    }

    /// Returns whether a request with this `Origin` header, or without one, is allowed.
    pub fn allows(&self, origin: Option<&str>) -> bool {
        let Some(origin) = origin else { return true };
        match &self.rule {
            Rule::Any => true,
            Rule::List(allowed) => allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)),
            Rule::Loopback => is_loopback(origin),
        }
    }
}

fn is_loopback(origin: &str) -> bool {
    let Some((_, host)) = origin.split_once("://") else { return false };
    LOOPBACK_HOSTS.iter().any(|loopback| {
        let rest = host.get(..loopback.len()).filter(|start| start.eq_ignore_ascii_case(loopback));
        let rest = rest.and_then(|_| host.get(loopback.len()..));
        rest.is_some_and(|rest| match rest.strip_prefix(':') {
            None => rest.is_empty(),
            Some(port) => port.parse::<u16>().is_ok(),
        })
    })
}
