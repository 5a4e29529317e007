//! Which key is which action: the defaults, and what the user wants instead.

use std::collections::HashMap;
use std::fmt;

use crate::action::{Action, Context};
use crate::key::{BadKey, Key};

/// The keys of all actions.
#[derive(Clone, Debug)]
pub struct Keymap {
    actions: HashMap<Place, Action>,
}

/// A key where it means something.
type Place = (Context, Key);

impl Default for Keymap {
    /// The keys of the table of actions.
    fn default() -> Self {
        let mut actions = HashMap::new();
        for action in Action::ALL {
            for key in action.default_keys() {
                let key = key.parse().expect("a test reads all keys of the table");
                actions.insert((action.context(), key), *action);
            }
        }
        Self { actions }
    }
}

impl Keymap {
    /// The default keys and `overrides`: names of actions, each with keys that are added. A key that
    /// is added is taken from the action that had it; `-ctrl+w` takes a key away, `-` all of them.
    /// What makes no sense is left out and told, each by itself.
    pub fn with<'a, K>(overrides: impl IntoIterator<Item = (&'a str, K)>) -> (Self, Vec<BadBinding>)
    where
        K: IntoIterator<Item = &'a str>,
    {
        let mut keymap = Self::default();
        let mut added = HashMap::new();
        let mut bad = Vec::new();
        for (name, keys) in overrides {
            let Some(action) = Action::named(name) else {
                bad.push(BadBinding::new(name, no_such_action(name)));
                continue;
            };
            for text in keys {
                if let Err(why) = keymap.change(action, text, &mut added) {
                    bad.push(BadBinding::new(name, why));
                }
            }
        }
        (keymap, bad)
    }

    fn change(
        &mut self,
        action: Action,
        text: &str,
        added: &mut HashMap<Place, Action>,
    ) -> Result<(), String> {
        match Change::read(text, action.context()).map_err(|key| key.to_string())? {
            Change::Clear => self.actions.retain(|_, of| *of != action),
            Change::Remove(place) => {
                self.actions.retain(|at, of| *at != place || *of != action);
            }
            Change::Add(place) => {
                if let Some(other) = added.get(&place).filter(|of| **of != action) {
                    return Err(format!("`{text}` is already a key of `{other}`"));
                }
                added.insert(place, action);
                self.actions.insert(place, action);
            }
        }
        Ok(())
    }

    /// What `key` does in the first of `contexts` where it does something.
    pub fn action(&self, key: Key, contexts: &[Context]) -> Option<Action> {
        let key = key.normal();
        let mut found = contexts
            .iter()
            .filter_map(|context| self.actions.get(&(*context, key)));
        found.next().copied()
    }

    /// The keys of an action, in the order of the table, then those that were added.
    pub fn keys(&self, action: Action) -> Vec<Key> {
        let of_action = self.actions.iter().filter(|(_, of)| **of == action);
        let mut keys: Vec<Key> = of_action.map(|((_, key), _)| *key).collect();
        let place = |key: &Key| {
            let mut defaults = action.default_keys().iter();
            let position = defaults.position(|text| text.parse() == Ok(*key));
            (position.unwrap_or(usize::MAX), key.to_string())
        };
        keys.sort_by_key(place);
        keys
    }
}

/// What one text of the settings does to the keys of an action.
enum Change {
    /// It has none.
    Clear,
    Remove(Place),
    Add(Place),
}

impl Change {
    fn read(text: &str, context: Context) -> Result<Self, BadKey> {
        match text.strip_prefix('-') {
            Some("") => Ok(Self::Clear),
            Some(key) => Ok(Self::Remove((context, key.parse()?))),
            None => Ok(Self::Add((context, text.parse()?))),
        }
    }
}

fn no_such_action(name: &str) -> String {
    let close = |action: &&Action| action.name().eq_ignore_ascii_case(name);
    match Action::ALL.iter().find(close) {
        Some(action) => format!("there is no such action; did you mean `{action}`?"),
        None => "there is no such action; `/help keys` lists them".to_owned(),
    }
}

/// A binding that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBinding {
    /// The action it is for.
    pub action: String,
    why: String,
}

impl BadBinding {
    fn new(action: &str, why: String) -> Self {
        let action = action.to_owned();
        Self { action, why }
    }
}

impl fmt::Display for BadBinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "keys of `{}`: {}", self.action, self.why)
    }
}

impl std::error::Error for BadBinding {}
