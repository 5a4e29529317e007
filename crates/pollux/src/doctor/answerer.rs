//! Who would answer, and whether they do.

use std::io::{self, Write};
use std::time::Duration;

use pollux_model::{Catalogue, ErrorKind, ModelError};
use pollux_store::Settings;
use tokio::time::timeout;

use super::{Told, failed};
use crate::args::Args;
use crate::checks::Check;
use crate::environment::Environment;
use crate::provider::{self, Located, Place, Source, Wanted};

/// How long the server may take to list its models.
const PATIENCE: Duration = Duration::from_secs(5);

/// Provider, key and server.
pub(super) async fn examine<W: Write>(
    args: &Args,
    environment: &Environment,
    settings: &Settings,
    told: &mut Told<W>,
) -> io::Result<()> {
    let name = "model";
    let surroundings = provider::Surroundings {
        environment,
        settings,
    };
    fallback(surroundings)
        .into_iter()
        .try_for_each(|check| told.tell(check))?;
    let wanted = Wanted::new(args, &surroundings, None);
    let source = wanted.source;
    let place = match provider::locate(wanted, surroundings) {
        Err(failure) => return told.tell(failed(name, failure)),
        Ok(Located::At(place)) => *place,
        Ok(Located::Offline) if source == Source::Nobody => return told.tell(nobody()),
        Ok(Located::Offline) => {
            return told.tell(Check::ok(name, format!("the offline model, {source}")));
        }
        Ok(Located::Anyone(anyone)) => match anyone.find(settings).await {
            Ok(Some(place)) => place,
            Ok(None) => return told.tell(nobody()),
            Err(failure) => return told.tell(failed(name, failure)),
        },
    };
    told.tell(chosen(&place, settings).await)?;
    told.tell(key(&place))?;
    told.tell(server(&place, settings).await)
}

fn nobody() -> Check {
    let found = format!("{}: the offline model answers", Source::Nobody);
    Check::warn("model", found).mend(
        "set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY; or start a server such as Ollama",
    )
}

async fn chosen(place: &Place, settings: &Settings) -> Check {
    let Place { name, source, .. } = place;
    match place.choose(settings).await {
        Ok(chosen) => {
            let model = &chosen.model.info().model;
            Check::ok("model", format!("{model} of `{name}`, {source}"))
        }
        Err(failure) => failed("model", failure),
    }
}

/// Those who stand in for it, if any are named.
fn fallback(surroundings: provider::Surroundings<'_>) -> Vec<Check> {
    let name = "fallback";
    let (models, problems) = provider::stand_ins(surroundings);
    let mut checks = Vec::new();
    if !models.is_empty() {
        let names: Vec<String> = models
            .iter()
            .map(|model| format!("{}/{}", model.info().provider, model.info().model))
            .collect();
        checks.push(Check::ok(name, names.join(", ")));
    }
    checks.extend(problems.iter().map(|problem| Check::fail(name, problem)));
    checks
}

fn key(place: &Place) -> Check {
    match &place.key_variable {
        Some(variable) => Check::ok("key", format!("in {variable}")),
        None => Check::ok("key", "none; servers of your own may need none"),
    }
}

async fn server(place: &Place, settings: &Settings) -> Check {
    let name = "server";
    let directory = match place.directory(settings) {
        Ok(directory) => directory,
        Err(failure) => return failed(name, failure),
    };
    match timeout(PATIENCE, directory.models()).await {
        Err(_) => {
            let found = format!("{} does not answer", place.address());
            Check::fail(name, found).mend("is it running, and the address right?")
        }
        Ok(Err(error)) => refused(place, &error),
        Ok(Ok(catalogue)) => known(place, &catalogue),
    }
}

fn refused(place: &Place, error: &ModelError) -> Check {
    let name = "server";
    match error.kind {
        ErrorKind::Auth => Check::fail(name, &error.message).mend(place.key_hint.clone()),
        ErrorKind::Unreachable | ErrorKind::IdleTimeout => {
            Check::fail(name, &error.message).mend("is it running, and the address right?")
        }
        // Not every server has a list.
        _ => Check::warn(name, &error.message).mend("`pollux probe` asks further"),
    }
}

fn known(place: &Place, catalogue: &Catalogue) -> Check {
    let name = "server";
    let address = place.address();
    let kind = catalogue
        .kind
        .map_or_else(String::new, |kind| format!("{kind} "));
    let Some(wanted) = place.wanted_model() else {
        let names: Vec<&str> = catalogue
            .models
            .iter()
            .take(5)
            .map(|model| model.id.as_str())
            .collect();
        return Check::ok(name, format!("{kind}at {address} has {}", names.join(", ")));
    };
    if catalogue.get(wanted).is_some() {
        return Check::ok(
            name,
            format!("{kind}at {address} answers, and has {wanted}"),
        );
    }
    let names = catalogue.models.iter().map(|model| model.id.as_str());
    let near = pollux_types::nearest(wanted, names);
    let near = near.or_else(|| catalogue.preferred().map(|model| model.id.as_str()));
    // Some servers have more than they list.
    let check = Check::warn(name, format!("{kind}at {address} does not list {wanted}"));
    match near {
        Some(near) => check.mend(format!("`--model {near}` is there")),
        None => check.mend("it lists no model at all; load one"),
    }
}
