//! A fact to be remembered, and its place in a memory file.

/// Where facts stand that were added, rather than written by somebody who has the file open.
const HEADING: &str = "## Remembered";

/// Characters of a fact.
const LONGEST: usize = 1000;

/// A memory file with a fact added to its section, which is made if need be. A fact that is there
/// already is not added again. The error says what is wrong with the fact.
pub fn with_fact(memory: &str, fact: &str) -> Result<String, String> {
    let words: Vec<&str> = fact.split_whitespace().collect();
    let fact = words.join(" ");
    let fact = fact.trim_start_matches(['-', '*', ' ']);
    if fact.is_empty() {
        return Err("there is nothing to remember".to_owned());
    }
    if fact.chars().count() > LONGEST {
        return Err(format!("a fact has at most {LONGEST} characters"));
    }
    let item = format!("- {fact}");
    let lines: Vec<&str> = memory.split_inclusive('\n').collect();
    let heading = lines.iter().position(|line| line.trim_end() == HEADING);
    let Some(heading) = heading else {
        let end = end_near(&lines);
        return Ok(match memory.trim_end() {
            "" => format!("{HEADING}{end}{end}{item}{end}"),
            text => format!("{text}{end}{end}{HEADING}{end}{end}{item}{end}"),
        });
    };
    let section = &lines[heading + 1..];
    let is_next = |line: &&str| line.starts_with("# ") || line.starts_with("## ");
    let length = section.iter().position(is_next).unwrap_or(section.len());
    let section = &section[..length];
    if section.iter().any(|line| line.trim_end() == item) {
        return Ok(memory.to_owned());
    }
    let last = section.iter().rposition(|line| !line.trim().is_empty());
    let (before, gap, after) = match last {
        Some(last) => (heading + 2 + last, false, heading + 2 + last),
        None => (heading + 1, true, heading + 1 + length),
    };
    let end = end_near(&lines[..before]);
    let before = lines[..before].concat();
    let open = if before.ends_with('\n') { "" } else { end };
    let gap = if gap { end } else { "" };
    let after = lines[after..].concat();
    Ok(format!("{before}{open}{gap}{item}{end}{after}"))
}

/// How the nearest line above ends: in one file there may be both.
fn end_near(lines: &[&str]) -> &'static str {
    let last = lines.iter().rfind(|line| line.ends_with('\n'));
    match last {
        Some(line) if line.ends_with("\r\n") => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(memory: &str, fact: &str) -> String {
        with_fact(memory, fact).unwrap()
    }

    #[test]
    fn a_fact_goes_to_the_end_of_its_section() {
        let one = added("", "  Use\n tabs. ");
        assert_eq!(one, "## Remembered\n\n- Use tabs.\n");
        let two = added(&one, "- Test first.");
        assert_eq!(two, "## Remembered\n\n- Use tabs.\n- Test first.\n");
        assert_eq!(added(&two, "Use tabs."), two);
        assert_eq!(
            added("# App\n\nIt runs.\n\n\n", "Fast."),
            "# App\n\nIt runs.\n\n## Remembered\n\n- Fast.\n"
        );
        assert_eq!(
            added(
                "## Remembered\n\n- a\n\n### More\n\nb\n\n# Next\n- b\n",
                "b"
            ),
            "## Remembered\n\n- a\n\n### More\n\nb\n- b\n\n# Next\n- b\n"
        );
        assert_eq!(
            added("## Remembered\n\n\n# Next\n", "a"),
            "## Remembered\n\n- a\n# Next\n"
        );
        assert_eq!(added("## Remembered", "a"), "## Remembered\n\n- a\n");
        assert_eq!(added("a\r\n", "b"), "a\r\n\r\n## Remembered\r\n\r\n- b\r\n");
    }

    #[test]
    fn all_else_stays_as_it_is() {
        assert_eq!(
            added("a\nb\r\n## Remembered\n\n- c\n\n# Next\r\nlast", "d"),
            "a\nb\r\n## Remembered\n\n- c\n- d\n\n# Next\r\nlast"
        );
        assert_eq!(
            added("a\n## Remembered\r\n- c\r\n# Next\n", "d"),
            "a\n## Remembered\r\n- c\r\n- d\r\n# Next\n"
        );
        assert_eq!(
            added("## Remembered\n- c", "d"),
            "## Remembered\n- c\n- d\n"
        );
    }

    #[test]
    fn what_is_no_fact_is_refused() {
        assert!(with_fact("", " - \n").is_err());
        assert!(with_fact("", &"x".repeat(LONGEST + 1)).is_err());
        assert!(with_fact("", &"ü".repeat(LONGEST)).is_ok());
    }
}
