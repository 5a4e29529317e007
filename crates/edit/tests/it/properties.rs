//! What holds for any text and any keys.

use pollux_edit::{Code, Edit, Key, Mode, Text, Vim};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::support::{press, press_with_vim};

/// Pieces of text that editors get wrong.
const SOUP: &[&str] = &[
    "a",
    "b",
    "Z",
    "_",
    "7",
    " ",
    " ",
    "  ",
    "\n",
    "\n",
    "\t",
    ".",
    ",",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "é",
    "e\u{301}",
    "\u{301}",
    "漢",
    "字",
    "カ\u{3099}",
    "👩‍💻",
    "👍🏽",
    "🇩🇪",
    "🇫",
    "\u{200d}",
    "\u{fe0f}",
    "ש",
    "ل",
    "\u{600}",
    "क्षि",
    "한",
    "\u{1100}\u{1161}",
    "\u{1f1e6}",
    "ﷺ",
    "\u{ad}",
    "word",
    "\u{10f000}",
];

/// Keys with an effect on text.
const KEYS: &[&str] = &[
    "a",
    "b",
    "space",
    "é",
    "漢",
    "ctrl+j",
    "home",
    "end",
    "ctrl+home",
    "ctrl+end",
    "left",
    "right",
    "alt+b",
    "alt+f",
    "backspace",
    "delete",
    "ctrl+w",
    "alt+d",
    "ctrl+u",
    "ctrl+k",
    "ctrl+y",
    "alt+y",
    "ctrl+t",
    "alt+z",
    "alt+z",
    "alt+Z",
    "ctrl+o",
];

/// Keys that mean something to vim, those that change its mode more often.
const VIM_KEYS: &str = "iaIAoORrvVxXsSDCYpPJuu..hjkl0^$|wbeWBEGggffFtT;,%{}//?nN*#dddcccyyy><~gUu~\
    '\"`()b[]{}<>B1239\"+_azAZ      éq漢\u{301}";

/// Keys that vim knows by other means than a character, or gives back.
const VIM_NAMED: &[&str] = &[
    "esc",
    "esc",
    "esc",
    "enter",
    "enter",
    "ctrl+r",
    "backspace",
    "delete",
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "ctrl+j",
    "ctrl+w",
    "ctrl+_",
    "ctrl+y",
    "alt+f",
    "ctrl+u",
];

/// What a front end does between keys.
#[derive(Clone, Debug)]
enum VimStep {
    Key(Key),
    Recall(String),
    Paste(String),
    Up,
    Take,
}

fn press_or(vim: &mut Vim, text: &mut Text, step: &VimStep) {
    match step {
        VimStep::Key(key) => press_with_vim(vim, text, *key),
        VimStep::Recall(entry) => text.recall(entry),
        VimStep::Paste(pasted) => text.paste(pasted),
        VimStep::Up => _ = text.up(7, 2),
        VimStep::Take => drop(text.take()),
    }
}

fn vim_steps() -> impl Strategy<Value = Vec<VimStep>> {
    let step = prop_oneof![
        1 => soup().prop_map(VimStep::Recall),
        1 => soup().prop_map(VimStep::Paste),
        1 => Just(VimStep::Up),
        1 => Just(VimStep::Take),
    ];
    let keys = vim_keys().prop_map(|keys| keys.into_iter().map(VimStep::Key).collect::<Vec<_>>());
    prop::collection::vec((keys, step), 0..4).prop_map(|parts| {
        let with_step = |(mut keys, step): (Vec<_>, _)| {
            keys.push(step);
            keys
        };
        parts.into_iter().flat_map(with_step).collect()
    })
}

fn vim_keys() -> impl Strategy<Value = Vec<Key>> {
    let chars: Vec<char> = VIM_KEYS.chars().collect();
    let key = prop_oneof![
        5 => prop::sample::select(chars).prop_map(Key::char),
        1 => prop::sample::select(VIM_NAMED).prop_map(|key| key.parse().unwrap()),
    ];
    prop::collection::vec(key, 0..60)
}

fn soup() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(SOUP), 0..24);
    pieces.prop_map(|pieces| pieces.concat())
}

/// A text with a cursor and perhaps pasted blocks.
fn texts() -> impl Strategy<Value = Text> {
    (soup(), soup(), any::<bool>(), any::<prop::sample::Index>()).prop_map(
        |(before, after, block, at)| {
            let mut text = Text::new();
            text.set(&before);
            if block {
                text.paste("one\ntwo");
            }
            text.insert(&after);
            text.move_to(at.index(text.as_str().len() + 1));
            text
        },
    )
}

#[derive(Clone, Debug)]
enum Step {
    Key(Key),
    Paste(String),
    Type(String),
    Up(usize),
    Down(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => prop::sample::select(KEYS).prop_map(|key| Step::Key(key.parse().unwrap())),
        1 => soup().prop_map(Step::Paste),
        2 => soup().prop_map(Step::Type),
        1 => (0_usize..12).prop_map(Step::Up),
        1 => (0_usize..12).prop_map(Step::Down),
    ];
    prop::collection::vec(step, 0..40)
}

fn take(text: &mut Text, step: &Step) {
    match step {
        Step::Key(key) => press(text, *key),
        Step::Paste(pasted) => text.paste(pasted),
        Step::Type(typed) => text.insert(typed),
        Step::Up(width) => _ = text.up(*width, 3),
        Step::Down(width) => _ = text.down(*width, 3),
    }
}

/// Whether a cursor may be where the cursor is: judged by Unicode alone, apart from blocks, beside
/// which there is always a place.
pub(crate) fn stands_well(text: &Text) -> bool {
    let at = text.cursor();
    let is_block = |c: char| ('\u{10f000}'..='\u{10fffd}').contains(&c);
    let (before, after) = text.as_str().split_at(at);
    before.ends_with(is_block)
        || after.starts_with(is_block)
        || after.is_empty()
        || text
            .as_str()
            .grapheme_indices(true)
            .any(|(place, _)| place == at)
}

proptest! {
    #[test]
    fn an_edit_and_its_inverse_change_nothing(
        text in texts(),
        range in (0_usize..60, 0_usize..60),
        put_in in soup(),
    ) {
        let before = text.as_str().to_owned();
        let mut text = text;
        let edit = Edit::replace(range.0..range.1, put_in);
        let inverse = text.apply(&edit);
        prop_assert!(stands_well(&text));
        let again = text.apply(&inverse);
        prop_assert_eq!(text.as_str(), &before);
        text.apply(&again);
        text.apply(&inverse);
        prop_assert_eq!(text.as_str(), &before);
    }

    #[test]
    fn the_cursor_stands_well_after_any_keys(text in texts(), steps in steps()) {
        let mut text = text;
        for step in steps {
            take(&mut text, &step);
            prop_assert!(stands_well(&text), "{:?} at {}", text.as_str(), text.cursor());
            prop_assert!(!text.as_str().contains('\r'));
        }
    }

    #[test]
    fn undoing_everything_gives_the_start(content in soup(), steps in steps()) {
        let mut text = Text::new();
        text.insert(&content);
        text.take();
        for step in &steps {
            take(&mut text, step);
        }
        let end = text.expanded();
        let mut undone = 0;
        while text.undo() {
            undone += 1;
            prop_assert!(stands_well(&text));
        }
        prop_assert_eq!(text.as_str(), "");
        for _ in 0..undone {
            prop_assert!(text.redo());
        }
        // What a run of keys had taken back already stays so.
        while text.redo() {}
        if !steps.iter().any(|step| matches!(step, Step::Key(key) if key.alt)) {
            prop_assert_eq!(text.expanded(), end);
        }
    }

    #[test]
    fn rows_hold_everything_in_order_and_fit(text in texts(), width in 2_usize..30, indent in 0_usize..40) {
        let rows = text.rows(width, indent);
        let mut end = 0;
        for (index, row) in rows.iter().enumerate() {
            let gap = &text.as_str()[end..row.range.start];
            prop_assert!(gap.is_empty() || gap == "\n", "{gap:?} is lost");
            prop_assert!(text.as_str()[row.range.clone()].find('\n').is_none());
            let room = if index == 0 { width.saturating_sub(indent) } else { width };
            prop_assert!(row.width <= room, "{row:?} in {width}, indent {indent}");
            let shown = text.shown(row).width();
            prop_assert!(shown <= row.width, "{shown} of {row:?}");
            end = row.range.end;
        }
        prop_assert_eq!(end, text.as_str().len());
        let (row, column) = text.cursor_position(width, indent);
        prop_assert!(row < rows.len());
        prop_assert!(column < width);
    }

    #[test]
    fn the_cursor_stands_well_after_any_keys_in_vim(text in texts(), steps in vim_steps()) {
        let (mut vim, mut text) = (Vim::new(), text);
        vim.press(Key::plain(Code::Esc), &mut text);
        for step in steps {
            press_or(&mut vim, &mut text, &step);
            prop_assert!(stands_well(&text), "{:?} at {}", text.as_str(), text.cursor());
            if let Some(range) = vim.selection(&text) {
                prop_assert!(text.as_str().get(range).is_some());
            }
            vim.settle(&mut text);
            let (before, after) = text.as_str().split_at(text.cursor());
            let is_behind = !before.ends_with('\n') && !before.is_empty()
                && (after.starts_with('\n') || after.is_empty());
            let writes = matches!(vim.mode(), Mode::Insert | Mode::Replace);
            prop_assert!(writes || !is_behind, "{before:?} | {after:?}");
            if text.as_str().len() > 20_000 {
                break;
            }
        }
    }

    #[test]
    fn undoing_everything_in_vim_gives_the_start(content in soup(), keys in vim_keys()) {
        let (mut vim, mut text) = (Vim::new(), Text::new());
        vim.press(Key::plain(Code::Esc), &mut text);
        text.set(&content);
        for key in keys {
            press_with_vim(&mut vim, &mut text, key);
            if text.as_str().len() > 20_000 {
                break;
            }
        }
        while text.undo() {}
        prop_assert_eq!(text.as_str(), "");
    }
}
