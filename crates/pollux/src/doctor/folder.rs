//! Whether what the folder brings counts.

use std::path::Path;

use pollux_store::Home;
use pollux_store::trust::{Standing, TrustFile};

use super::failed;
use crate::args::Args;
use crate::checks::Check;
use crate::trust::{Folder, Found};

/// How the folder stands, and what of it counts.
pub(super) fn check(args: &Args, dir: &Path, home: &Home) -> (Check, Folder) {
    let found = Found::look(dir, home);
    let settled = settled(&found, args.trust(), &TrustFile::new(home));
    match (found.settled(args.trust()), settled) {
        (Err(failure), _) => (failed(NAME, failure), Folder::default()),
        (Ok(folder), Some(check)) => (check, folder),
        (Ok(folder), None) => (Check::warn(NAME, folder.notices.join("; ")), folder),
    }
}

const NAME: &str = "trust";

/// What there is to say, if it is not what every start says.
fn settled(found: &Found, said: Option<bool>, record: &TrustFile) -> Option<Check> {
    let record = record.path().display();
    match (found, said) {
        (Found::Nothing, _) => Some(Check::ok(NAME, "nothing here that would be loaded")),
        (_, Some(false)) => Some(Check::skip(NAME, "`--no-trust`")),
        (Found::Something(..), Some(true)) => Some(Check::ok(NAME, "for this run: `--trust`")),
        (Found::Something(_, Err(problem)), None) => {
            let check = Check::fail(NAME, format!("no folder is trusted: {problem}"));
            Some(check.mend("correct that file, or remove it"))
        }
        (Found::Something(belongings, Ok(Standing::Trusted)), None) => {
            let files = match belongings.names().len() {
                1 => "1 file".to_owned(),
                count => format!("{count} files"),
            };
            let check = Check::ok(NAME, format!("you trust this folder with {files}"));
            Some(check.mend(format!("to end that, remove its section from {record}")))
        }
        (Found::Something(..) | Found::Unfit(_), _) => None,
    }
}
