//! Where `navigate` may go, from what people write. Pure.

/// Why it goes nowhere.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoAddress {
    Empty,
    /// Controls or blanks inside.
    Malformed,
    Scheme(String),
}

/// An absolute address: the scheme that is given, else https, or http for this machine.
pub(crate) fn absolute(text: &str) -> Result<String, NoAddress> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NoAddress::Empty);
    }
    if text.chars().any(|c| c.is_control() || c == ' ') {
        return Err(NoAddress::Malformed);
    }
    if let Some((scheme, rest)) = scheme(text) {
        return match scheme.as_str() {
            "http" | "https" if !host(rest.trim_start_matches('/')).is_empty() => {
                Ok(format!("{scheme}:{rest}"))
            }
            "http" | "https" => Err(NoAddress::Malformed),
            "about" if rest.split(['?', '#']).next() == Some("blank") => {
                Ok(format!("about:{rest}"))
            }
            _ => Err(NoAddress::Scheme(scheme)),
        };
    }
    let bare = text.strip_prefix("//").unwrap_or(text);
    let host = host(bare);
    if host.is_empty() || bare.starts_with('/') {
        return Err(NoAddress::Malformed);
    }
    let scheme = if is_this_machine(host) { "http" } else { "https" };
    Ok(format!("{scheme}://{bare}"))
}

/// The scheme and what follows its colon; `host:80` has none.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (name, rest) = text.split_once(':')?;
    let mut letters = name.chars();
    let is_name = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    (is_name && !is_port).then(|| (name.to_ascii_lowercase(), rest))
}

/// The host in `user@host:port/path`.
fn host(text: &str) -> &str {
    let authority = text.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if host.starts_with('[') {
        return host.split_inclusive(']').next().unwrap_or_default();
    }
    host.split(':').next().unwrap_or_default()
}

fn is_this_machine(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let four = host.split('.').filter(|part| part.parse::<u8>().is_ok()).count() == 4;
    host == "localhost"
        || host.ends_with(".localhost")
        || host == "[::1]"
        || (four && host.starts_with("127."))
}

/// What the browser's name for a failed load means, and whether trying again can help.
pub(crate) fn failure(error: &str) -> (&'static str, &'static str) {
    const RETRY: &str = "Retry: safe, but only useful once that has changed.";
    match error {
        "net::ERR_NAME_NOT_RESOLVED" => (
            "The host name could not be resolved (DNS)",
            "Retry: safe, but check the spelling of the host first.",
        ),
        "net::ERR_CONNECTION_REFUSED" => {
            ("The server refused the connection; nothing listens there", RETRY)
        }
        "net::ERR_INTERNET_DISCONNECTED" => ("The browser is offline", RETRY),
        "net::ERR_CONNECTION_TIMED_OUT" | "net::ERR_TIMED_OUT" => {
            ("The server did not answer", "Retry: safe.")
        }
        "net::ERR_CONNECTION_RESET" | "net::ERR_CONNECTION_CLOSED" | "net::ERR_EMPTY_RESPONSE" => {
            ("The server broke off the connection", "Retry: safe.")
        }
        "net::ERR_ADDRESS_UNREACHABLE" | "net::ERR_NETWORK_CHANGED" => {
            ("The network does not reach the server", RETRY)
        }
        "net::ERR_TOO_MANY_REDIRECTS" => {
            ("The server redirects in a circle", "Retry: does not help.")
        }
        "net::ERR_BLOCKED_BY_CLIENT" | "net::ERR_BLOCKED_BY_ADMINISTRATOR" => {
            ("The browser's settings block this address", "Retry: does not help.")
        }
        "net::ERR_ABORTED" => (
            "The navigation was aborted: the server sent no page, or another navigation came in between",
            "Retry: safe, after looking at the tab.",
        ),
        "net::ERR_HTTP_RESPONSE_CODE_FAILURE" => (
            "The server answered with an error and without a page",
            "Retry: safe, after checking the path.",
        ),
        "net::ERR_UNSAFE_PORT" => ("The browser does not use this port", "Retry: does not help."),
        _ if error.starts_with("net::ERR_CERT") || error.starts_with("net::ERR_SSL") => (
            "The server's certificate or encryption is not accepted",
            "Retry: does not help. Ask the person before going anywhere else.",
        ),
        _ => ("The browser could not load the address", "Retry: safe."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_completed_as_people_mean_them() {
        let cases = [
            ("https://a.example/x?y#z", "https://a.example/x?y#z"),
            ("HTTP://a.example", "http://a.example"),
            ("about:blank", "about:blank"),
            ("example.com", "https://example.com"),
            (" example.com/a:b ", "https://example.com/a:b"),
            ("example.com:8443/x", "https://example.com:8443/x"),
            ("//example.com", "https://example.com"),
            ("localhost", "http://localhost"),
            ("localhost:3000/a", "http://localhost:3000/a"),
            ("app.localhost:3000", "http://app.localhost:3000"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("[::1]:8080/x", "http://[::1]:8080/x"),
            ("127.example.com", "https://127.example.com"),
            ("localhost.example.com", "https://localhost.example.com"),
            ("user@localhost:1", "http://user@localhost:1"),
            ("bücher.example", "https://bücher.example"),
        ];
        for (given, expected) in cases {
            assert_eq!(absolute(given).as_deref(), Ok(expected), "{given}");
        }
    }

    #[test]
    fn what_is_no_place_for_an_agent_is_refused() {
        for scheme in [
            "javascript",
            "data",
            "chrome",
            "file",
            "view-source",
            "blob",
            "about",
            "chrome-extension",
            "ftp",
            "ws",
        ] {
            let given = format!("{scheme}:alert(1)");
            assert_eq!(absolute(&given), Err(NoAddress::Scheme(scheme.into())), "{given}");
        }
        for given in
            ["http://", "https:///", "a b.example", "a\n.example", "/path", "?q", "https://a\u{7}"]
        {
            assert_eq!(absolute(given), Err(NoAddress::Malformed), "{given}");
        }
        assert_eq!(absolute("  "), Err(NoAddress::Empty));
        assert_eq!(absolute("JavaScript:alert(1)"), Err(NoAddress::Scheme("javascript".into())));
    }

    #[test]
    fn every_failed_load_says_whether_to_try_again() {
        for error in [
            "net::ERR_NAME_NOT_RESOLVED",
            "net::ERR_CERT_DATE_INVALID",
            "net::ERR_SOMETHING_NEW",
            "",
        ] {
            assert!(failure(error).1.starts_with("Retry: "));
        }
        assert!(failure("net::ERR_NAME_NOT_RESOLVED").0.contains("resolved"));
    }
}
