//! Whether the server is there, and what it has.

use pollux_model::{Catalogue, Directory, ErrorKind, Listed, ServerKind};
use pollux_store::Settings;
use tokio::time::timeout_at;

use super::Budget;
use super::answer::brief;
use crate::checks::Check;
use crate::failure::Failure;
use crate::provider::Place;

const NAME: &str = "models";

/// A server that answers, and the model of it that is asked.
pub(super) struct Reached {
    pub(super) kind: Option<ServerKind>,
    pub(super) model: String,
    /// How much the server says that the model can read.
    pub(super) context: Option<u64>,
    /// How much the model was made to read, where that is told apart.
    pub(super) trained: Option<u64>,
}

/// Asks for the list of models. Without one, or without the server, there is nothing to ask, and
/// the error's kind is all that is left.
pub(super) async fn check(
    place: &Place,
    settings: &Settings,
    budget: &Budget,
) -> Result<(Check, Result<Reached, Option<ErrorKind>>), Failure> {
    let directory = place.directory(settings)?;
    let wanted = place.wanted_model();
    let listed = timeout_at(budget.deadline(), listed(&directory, wanted)).await;
    Ok(match (listed, wanted) {
        (Err(_), _) => (Check::fail(NAME, "the server does not answer"), Err(None)),
        (Ok(Ok(catalogue)), _) => judge(&catalogue, wanted),
        (Ok(Err(error)), _) if is_final(error.kind) => {
            let check = Check::fail(NAME, brief(&error.message));
            let check = match error.kind {
                ErrorKind::Auth => check.mend(place.key_hint.clone()),
                _ => check,
            };
            (check, Err(Some(error.kind)))
        }
        // Not every server has a list.
        (Ok(Err(error)), Some(model)) => {
            let reached = Reached {
                kind: None,
                model: model.to_owned(),
                context: None,
                trained: None,
            };
            (Check::warn(NAME, brief(&error.message)), Ok(reached))
        }
        (Ok(Err(error)), None) => {
            let check = Check::fail(NAME, brief(&error.message));
            (check.mend("name a model with `--model`"), Err(None))
        }
    })
}

async fn listed(
    directory: &Directory,
    wanted: Option<&str>,
) -> Result<Catalogue, pollux_model::ModelError> {
    let mut catalogue = directory.models().await?;
    let preferred = catalogue.preferred().map(|model| model.id.clone());
    let model = wanted.map(str::to_owned).or(preferred);
    directory
        .look_closer(&mut catalogue, model.as_deref())
        .await;
    Ok(catalogue)
}

fn is_final(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::Unreachable | ErrorKind::Auth | ErrorKind::IdleTimeout
    )
}

fn judge(
    catalogue: &Catalogue,
    wanted: Option<&str>,
) -> (Check, Result<Reached, Option<ErrorKind>>) {
    let kind = catalogue.kind;
    let server = kind.map_or_else(String::new, |kind| format!("{kind}; "));
    let reached = |model: &str, listed: Option<&Listed>| Reached {
        kind,
        model: model.to_owned(),
        context: listed.and_then(|listed| listed.context),
        trained: listed.and_then(|listed| listed.trained),
    };
    let known = match wanted {
        Some(wanted) => catalogue.get(wanted),
        None => catalogue.preferred(),
    };
    match (known, wanted) {
        (Some(listed), _) => {
            let reads = listed.context.map_or_else(
                || "how much it reads is not told".to_owned(),
                |tokens| format!("it reads {tokens} tokens"),
            );
            let count = catalogue.models.len();
            let check = Check::ok(NAME, format!("{server}{count} listed; {reads}"));
            (check, Ok(reached(&listed.id, Some(listed))))
        }
        (None, Some(wanted)) => {
            let names = || catalogue.models.iter().map(|model| model.id.as_str());
            let near = pollux_types::nearest(wanted, names());
            let near = near.or_else(|| names().next()).unwrap_or("nothing");
            let missing = format!("{server}`{wanted}` is not listed, but `{near}` is");
            (Check::warn(NAME, missing), Ok(reached(wanted, None)))
        }
        (None, None) => {
            let check = Check::fail(NAME, format!("{server}none that talks"));
            (check, Err(None))
        }
    }
}
