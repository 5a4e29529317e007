//! The models that servers have: the one that answers, and those of the settings.
//!
//! Nobody is asked before somebody wants to know, and nobody waits for long.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use pollux_model::{Listed, Offline};
use pollux_store::Answering;
use pollux_tui::program::Choice;

use crate::provider::{self, Located, Place, Surroundings, Wanted};

/// How long a list counts.
const KEPT: Duration = Duration::from_mins(1);
/// How many models of a server are printed.
const SHOWN: usize = 20;

/// What servers have said lately.
#[derive(Default)]
pub(super) struct Lists(RefCell<HashMap<Key, (Instant, Vec<Listed>)>>);

/// The name of a server, and its address.
type Key = (String, String);

/// A server to ask, and how its models are called.
struct Asked<'a> {
    place: Place,
    /// Who answers now, if it is this one.
    answering: Option<&'a Answering>,
}

impl Lists {
    /// What can be chosen as far as it is known; nothing is asked.
    pub(super) fn known(
        &self,
        answering: &Answering,
        surroundings: Surroundings<'_>,
    ) -> Vec<Choice> {
        let asked = servers(answering, surroundings);
        let listed = asked.iter().flat_map(|server| {
            let models = self.fresh(&server.place).unwrap_or_default();
            server.choices(&models, surroundings)
        });
        let named = provider::known_models(surroundings.settings, surroundings.environment);
        let named = named.into_iter().map(|word| Choice {
            word,
            description: String::new(),
        });
        let mut seen = HashSet::new();
        let all = listed.chain(named);
        all.filter(|choice| seen.insert(choice.word.clone()))
            .collect()
    }

    /// Whether there is somebody to ask.
    pub(super) fn lack(&self, answering: &Answering, surroundings: Surroundings<'_>) -> bool {
        let asked = servers(answering, surroundings);
        asked
            .iter()
            .any(|server| self.fresh(&server.place).is_none())
    }

    /// Asks all servers at once, but for those that have answered lately.
    pub(super) async fn ask(&self, answering: &Answering, surroundings: Surroundings<'_>) {
        let asked = servers(answering, surroundings);
        join_all(
            asked
                .iter()
                .map(|server| self.of(&server.place, surroundings)),
        )
        .await;
    }

    /// What each server has, or why that is not known.
    pub(super) async fn report(
        &self,
        answering: &Answering,
        surroundings: Surroundings<'_>,
    ) -> String {
        let asked = servers(answering, surroundings);
        if asked.is_empty() {
            return "there is no server to ask for a list of models".to_owned();
        }
        let told = join_all(asked.iter().map(async |server| {
            match self.of(&server.place, surroundings).await {
                Ok(models) => server.in_words(&models, surroundings),
                Err(why) => format!("{}: no list of models: {why}\n", server.place.name),
            }
        }));
        told.await.concat()
    }

    async fn of(
        &self,
        place: &Place,
        surroundings: Surroundings<'_>,
    ) -> Result<Vec<Listed>, String> {
        if let Some(models) = self.fresh(place) {
            return Ok(models);
        }
        let mut models = place.models(surroundings.settings).await?.models;
        models.retain(|model| model.chats);
        let said = (Instant::now(), models.clone());
        self.0.borrow_mut().insert(key(place), said);
        Ok(models)
    }

    fn fresh(&self, place: &Place) -> Option<Vec<Listed>> {
        let lists = self.0.borrow();
        let (at, models) = lists.get(&key(place))?;
        (at.elapsed() < KEPT).then(|| models.clone())
    }
}

fn key(place: &Place) -> Key {
    (place.name.clone(), place.address().to_owned())
}

/// Who answers now, and the servers of the settings. Nobody else hears of the user before being
/// chosen.
fn servers<'a>(answering: &'a Answering, surroundings: Surroundings<'_>) -> Vec<Asked<'a>> {
    let here = provider::locate(Wanted::as_before(answering, None), surroundings);
    let here = match here {
        Ok(Located::At(place)) => Some(Asked {
            place: *place,
            answering: Some(answering),
        }),
        _ => None,
    };
    let places = surroundings.settings.providers.keys();
    let places = places.filter_map(|name| provider::place_of(name, surroundings).ok());
    let others = places.map(|place| Asked {
        place,
        answering: None,
    });
    let mut seen = HashSet::new();
    here.into_iter()
        .chain(others)
        .filter(|asked| seen.insert(key(&asked.place)))
        .collect()
}

impl Asked<'_> {
    /// How a model of this server is asked for; `None` if that would lead to another one.
    fn word(&self, id: &str, surroundings: Surroundings<'_>) -> Option<String> {
        let name = &self.place.name;
        let Some(answering) = self.answering else {
            return Some(format!("{name}/{id}"));
        };
        let stays = |word: &str| {
            Wanted::instead(answering, word, surroundings.settings, None).stays_with(answering)
        };
        let full = || Some(format!("{name}/{id}"));
        if stays(id) {
            return Some(id.to_owned());
        }
        let is_at_home = provider::place_of(name, surroundings)
            .is_ok_and(|usual| key(&usual) == key(&self.place));
        full().filter(|_| is_at_home)
    }

    fn choices(&self, models: &[Listed], surroundings: Surroundings<'_>) -> Vec<Choice> {
        let choices = models.iter().filter_map(|model| {
            Some(Choice {
                word: self.word(&model.id, surroundings)?,
                description: described(model),
            })
        });
        choices.collect()
    }

    fn in_words(&self, models: &[Listed], surroundings: Surroundings<'_>) -> String {
        let choices = self.choices(models, surroundings);
        let count = match choices.len() {
            0 => return format!("{}: lists no model to talk to\n", self.place.name),
            1 => "1 model".to_owned(),
            count => format!("{count} models"),
        };
        let mut text = format!("{}: {count}\n", self.place.name);
        for Choice { word, description } in choices.iter().take(SHOWN) {
            let line = format!("  {word}  {description}");
            writeln!(text, "{}", line.trim_end()).expect("a String takes any text");
        }
        if let Some(more) = choices.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            writeln!(
                text,
                "  and {more} more: type `/model ` and a part of the name"
            )
            .expect("a String takes any text");
        }
        text
    }
}

fn described(model: &Listed) -> String {
    let context = model.context.map(|tokens| format!("{tokens} tokens"));
    let loaded = model.loaded.then(|| "in memory".to_owned());
    let words: Vec<String> = context.into_iter().chain(loaded).collect();
    words.join(", ")
}

/// Who is set up, and what the others lack.
pub(super) fn providers(surroundings: Surroundings<'_>) -> Vec<(String, String)> {
    let names = provider::known_providers(surroundings.settings).into_iter();
    let rows = names.map(|name| {
        let told = if name == Offline::NAME {
            "built in".to_owned()
        } else {
            match provider::place_of(&name, surroundings) {
                Ok(place) => match &place.key_variable {
                    Some(variable) => format!("{}, with the key in {variable}", place.address()),
                    None => format!("{}, without a key", place.address()),
                },
                Err(failure) => {
                    let hint = failure
                        .hint
                        .map_or_else(String::new, |hint| format!("; {hint}"));
                    format!("not set up: {}{hint}", failure.message)
                }
            }
        };
        (name, told)
    });
    rows.collect()
}
