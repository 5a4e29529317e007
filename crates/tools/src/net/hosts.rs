//! Hosts by name, as a rule names them: `example.org`, or `*.example.org` for all below it.

use reqwest::Url;

/// One host, or all whose names end alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    name: String,
    /// Those below the name, and not the name itself.
    below: bool,
}

impl Hosts {
    /// Reads what a rule says, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is no host; write `example.org`, or `*.example.org`");
        let (name, below) = match text.strip_prefix("*.") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let is_delimited = name.contains(['/', '@', '?', '#', '\\', '*']) || name.trim() != name;
        // A colon is part of an address in brackets, and the beginning of a port anywhere else.
        let has_port = name.contains(':') && !(name.starts_with('[') && name.ends_with(']'));
        if name.is_empty() || is_delimited || has_port {
            return Err(bad());
        }
        let url = Url::parse(&format!("http://{name}/")).map_err(|_| bad())?;
        let name = url.host_str().unwrap_or_default().trim_end_matches('.');
        if name.is_empty() {
            return Err(bad());
        }
        let name = name.to_owned();
        Ok(Self { name, below })
    }

    /// Whether this host, as an address spells it, is one of them.
    pub fn fit(&self, host: &str) -> bool {
        if !self.below {
            return host == self.name;
        }
        let before = host.strip_suffix(self.name.as_str());
        before.is_some_and(|before| before.len() > 1 && before.ends_with('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_or_all_below_it() {
        let fits = |rule: &str, host: &str| Hosts::parse(rule).unwrap().fit(host);
        assert!(fits("example.org", "example.org"));
        assert!(fits("Example.ORG.", "example.org"));
        assert!(fits("аррӏе.com", "xn--80ak6aa92e.com"));
        assert!(fits("[::1]", "[::1]"));
        assert!(fits("*.example.org", "a.example.org"));
        assert!(fits("*.example.org", "a.b.example.org"));
        for (rule, host) in [
            ("example.org", "a.example.org"),
            ("example.org", "example.org.evil.test"),
            ("*.example.org", "example.org"),
            ("*.example.org", ".example.org"),
            ("*.example.org", "badexample.org"),
            ("*.example.org", "a.example.org.evil.test"),
        ] {
            assert!(!fits(rule, host), "{rule} {host}");
        }
    }

    #[test]
    fn what_is_no_host_is_said() {
        for bad in [
            "",
            "*",
            "*.",
            ".",
            "https://example.org",
            "example.org/a",
            "example.org:8080",
            "me@example.org",
            "a.*.org",
            "*example.org",
            " example.org",
            "exa mple.org",
        ] {
            let wrong = Hosts::parse(bad).unwrap_err();
            assert!(wrong.starts_with(&format!("`{bad}` is no host")), "{wrong}");
        }
    }
}
