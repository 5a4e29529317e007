//! What servers want beside the protocol.
//!
//! All of them say that they speak chat completions; where they do not quite, a line of data here
//! tells it, and a setting can tell it better.

use reqwest::Url;

/// The ways of one sort of server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// What it is called in settings.
    pub name: &'static str,
    /// How thoughts go back to it with the calls that came of them.
    pub thoughts: Thoughts,
    /// It tells what a streamed reply cost, if asked; some tell it anyway and refuse the question.
    pub ask_for_usage: bool,
    /// It takes ids of calls only if they are nine letters and digits.
    pub short_ids: bool,
    /// It has an interface of its own that takes a size of the context window.
    pub own_interface: bool,
    hosts: &'static [&'static str],
    /// Where it listens on this machine unless it is told otherwise.
    port: Option<u16>,
}

/// How a server wants thoughts back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoughts {
    /// Not at all.
    Dropped,
    /// As `reasoning_content` of each message with calls, also if there were none.
    ReasoningContent,
    /// As `reasoning_details`, just as they came.
    ReasoningDetails,
}

impl Profile {
    /// A server of which nothing is known.
    pub const PLAIN: Self = Self {
        name: "plain",
        thoughts: Thoughts::Dropped,
        ask_for_usage: true,
        short_ids: false,
        own_interface: false,
        hosts: &[],
        port: None,
    };

    /// All there are.
    pub const ALL: [Self; 10] = [
        Self::PLAIN,
        Self {
            name: "openai",
            hosts: &["api.openai.com"],
            ..Self::PLAIN
        },
        Self {
            name: "ollama",
            own_interface: true,
            hosts: &["ollama.com"],
            port: Some(11434),
            ..Self::PLAIN
        },
        Self {
            name: "lmstudio",
            port: Some(1234),
            ..Self::PLAIN
        },
        Self {
            name: "llamacpp",
            thoughts: Thoughts::ReasoningContent,
            port: Some(8080),
            ..Self::PLAIN
        },
        Self {
            name: "vllm",
            port: Some(8000),
            ..Self::PLAIN
        },
        Self {
            name: "deepseek",
            thoughts: Thoughts::ReasoningContent,
            hosts: &["api.deepseek.com"],
            ..Self::PLAIN
        },
        Self {
            name: "openrouter",
            thoughts: Thoughts::ReasoningDetails,
            hosts: &["openrouter.ai"],
            ..Self::PLAIN
        },
        Self {
            name: "groq",
            hosts: &["api.groq.com"],
            ..Self::PLAIN
        },
        Self {
            name: "mistral",
            ask_for_usage: false,
            short_ids: true,
            hosts: &["api.mistral.ai", "codestral.mistral.ai"],
            ..Self::PLAIN
        },
    ];

    /// The profile of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }

    /// The profile of the server that is most likely behind this address.
    pub fn of(base_url: &str) -> Self {
        let Ok(url) = Url::parse(base_url) else {
            return Self::PLAIN;
        };
        let host = url.host_str().unwrap_or_default();
        let by_host = |profile: &&Self| profile.hosts.contains(&host);
        let by_port = |profile: &&Self| {
            profile.port.is_some() && profile.port == url.port() && crate::server::is_loopback(&url)
        };
        let mut all = Self::ALL.iter();
        let found = all.find(|profile| by_host(profile) || by_port(profile));
        found.copied().unwrap_or(Self::PLAIN)
    }
}

impl Thoughts {
    /// The way of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Self::Dropped,
            "reasoning_content" => Self::ReasoningContent,
            "reasoning_details" => Self::ReasoningDetails,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_known_by_its_address() {
        for (url, name) in [
            ("https://api.deepseek.com/v1", "deepseek"),
            ("https://openrouter.ai/api/v1", "openrouter"),
            ("http://localhost:11434/v1", "ollama"),
            ("http://127.0.0.1:8080", "llamacpp"),
            ("http://gpu.example:11434/v1", "plain"),
            ("http://localhost:9/v1", "plain"),
            ("https://evil.example/api.deepseek.com", "plain"),
            ("nonsense", "plain"),
        ] {
            assert_eq!(Profile::of(url).name, name, "{url}");
        }
    }

    #[test]
    fn every_profile_is_found_by_its_name() {
        for profile in Profile::ALL {
            assert_eq!(Profile::named(profile.name), Some(profile));
        }
        assert_eq!(Profile::named("nobody"), None);
    }
}
