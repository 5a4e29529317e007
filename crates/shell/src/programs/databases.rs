//! Databases: their languages can delete everything, and run programs.

use super::{ASKED, Floor, Program};
use crate::judge::{Call, Judge, Stdin};
use crate::options::Parsed;

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "psql mysql mariadb sqlite3 mongo mongosh redis-cli cqlsh clickhouse-client duckdb sqlcmd influx",
        floor: Floor::Ask("talks to a database"),
        rule: Some(statements),
        ..ASKED
    },
    Program {
        names: "pg_dump pg_dumpall mysqldump mongodump",
        floor: Floor::Ask("copies a database"),
        ..ASKED
    },
    Program {
        names: "dropdb dropuser pg_resetwal mysqladmin pg_restore mongorestore",
        floor: Floor::Danger("changes a whole database"),
        ..ASKED
    },
];

fn statements(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    const SIGNS: [&str; 19] = [
        "drop ",
        "truncate ",
        "delete ",
        "flushall",
        "flushdb",
        "dropdatabase",
        "deletemany",
        "\\!",
        ".shell",
        ".system",
        "system ",
        "pg_read_file",
        "load_file",
        "into outfile",
        "copy ",
        "shutdown",
        "load_extension",
        ".load",
        "config set",
    ];
    let mut texts: Vec<String> = call.texts().map(str::to_lowercase).collect();
    if let Stdin::Text(text) = &call.stdin {
        texts.push(text.to_lowercase());
    }
    if texts
        .iter()
        .any(|text| SIGNS.iter().any(|sign| text.contains(sign)))
    {
        judge.danger(
            "deletes data, or runs a program from a database",
            call.source,
        );
    }
}
