//! Whoever answers on this machine, where nothing says who is to.

use pollux_store::Settings;

use super::{Chosen, Place};
use crate::args::ToolCalls;
use crate::failure::Failure;
use crate::local::{self, Local};

/// A server that is still to be found.
pub(crate) struct Anyone {
    /// The model that it must have, and what is wrong if nobody has it.
    pub(super) model: Option<(String, Failure)>,
    pub(super) tool_calls: Option<ToolCalls>,
}

impl Anyone {
    /// The first server that will do. Without any that is a failure only if a model is named.
    pub(crate) async fn find(self, settings: &Settings) -> Result<Option<Place>, Failure> {
        let found = self.look(settings).await?;
        Ok(found.map(|found| Place::found(&found, self.tool_calls)))
    }

    /// The model to talk to: that of the first server that will do, or else the offline model.
    pub(super) async fn choose(self, settings: &Settings) -> Result<Chosen, Failure> {
        let Some(found) = self.look(settings).await? else {
            return Ok(Chosen::offline());
        };
        let told = match &self.model {
            Some(_) => format!("{found} answers"),
            None => format!("nothing says who is to answer, so {found} does"),
        };
        let place = Place::found(&found, self.tool_calls);
        Ok(Chosen {
            found: Some(told),
            ..place.connect(found.model.clone(), settings)?
        })
    }

    async fn look(&self, settings: &Settings) -> Result<Option<Local>, Failure> {
        let model = self.model.as_ref().map(|(model, _)| model.as_str());
        match (local::find(&settings.local, model).await, &self.model) {
            (None, Some((_, failure))) => Err(failure.clone()),
            (found, _) => Ok(found),
        }
    }
}
