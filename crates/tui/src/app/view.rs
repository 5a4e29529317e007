//! What the screen shows.

use pollux_edit::Action;
use tokio::time::Instant;
use unicode_width::UnicodeWidthStr as _;

use super::{App, Busy};
use crate::clip::clip;
use crate::line::{Line, one_line};
use crate::screen::{Position, View};
use crate::slash;
use crate::style::{Color, Style};
use crate::wrap::{Indent, wrap};

/// What moves while something is being waited for.
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// How many lines ask for input.
const PROMPT_LINES: usize = 2;

/// How many columns behind the prompt are left to type in before it is shortened, on a wide screen.
const TYPING_ROOM: usize = 20;

impl App {
    /// Everything to show now. Settled lines are given out once.
    pub fn view(&mut self, now: Instant) -> View {
        let width = usize::from(self.size.width);
        let height = usize::from(self.size.height).saturating_sub(1);
        let settled = self.settled(now);
        let (mut bottom, cursor) = self.bottom(width, height, now);
        let room = height.saturating_sub(bottom.len());
        let mut live = self.transcript.live(width, self.dialog.is_none());
        live.drain(..live.len().saturating_sub(room));
        let above = live.len();
        live.append(&mut bottom);
        View {
            settled,
            live,
            cursor: Some(Position {
                row: cursor.row + above,
                ..cursor
            }),
        }
    }

    /// Lines that are finished since the last time; a question is on the screen with them.
    pub(crate) fn settled(&mut self, now: Instant) -> Vec<Line> {
        if let Some(dialog) = &mut self.dialog {
            dialog.see(now, self.wrote);
        }
        self.transcript.settle(self.width())
    }

    /// What is being waited for, and where to type.
    fn bottom(&self, width: usize, height: usize, now: Instant) -> (Vec<Line>, Position) {
        let mut lines = Vec::new();
        let esc = self.composer.key_of(Action::Cancel);
        let waiting = match (&self.dialog, &self.busy) {
            (Some(dialog), _) => Some(dialog.waiting(&esc)),
            (None, Some(busy)) => Some(busy.line(now, width, &esc)),
            (None, None) => None,
        };
        lines.extend(waiting.map(|line| line.clipped(width)));
        lines.extend(self.queue.lines(width));
        lines.truncate(height.saturating_sub(PROMPT_LINES));
        let above = lines.len();
        let (typing, cursor) = match &self.dialog {
            Some(dialog) if dialog.listens() => dialog.lines(width, height.saturating_sub(above)),
            _ => self.typing(width, height.saturating_sub(above)),
        };
        lines.extend(typing);
        let cursor = Position {
            row: cursor.row + above,
            column: cursor.column.min(width.saturating_sub(1)),
        };
        (lines, cursor)
    }

    /// The prompt, what is typed, and what helps with it. The prompt's two lines are always there:
    /// what helps gets what is left.
    fn typing(&self, width: usize, height: usize) -> (Vec<Line>, Position) {
        let [above, prompt] = self.prompt(width);
        let mut lines = wrap(&above, width, &Indent::default());
        if lines.len() > height / 3 {
            // What is typed matters more.
            lines = vec![above.clipped(width)];
        }
        let room = height.saturating_sub(lines.len()).max(1);
        let below = self.below(width, room - 1);
        let (typed, cursor) = self.composer.lines(&prompt, width, room - below.len());
        let row = cursor.row + lines.len();
        lines.extend(typed);
        lines.extend(below);
        (lines, Position { row, ..cursor })
    }

    fn below(&self, width: usize, most: usize) -> Vec<Line> {
        let mut lines = self.composer.menu_lines(width, most);
        let mut words: Vec<String> = self.composer.status().into_iter().collect();
        if self.status.approval != pollux_types::ApprovalMode::Default {
            words.push(slash::approval_name(self.status.approval).to_owned());
        }
        if !words.is_empty() && lines.len() < most {
            lines.push(Line::new(words.join(" · "), Style::DIM).clipped(width));
        }
        lines
    }

    /// The two lines that ask for input.
    pub(super) fn prompt(&self, width: usize) -> [Line; 2] {
        let status = &self.status;
        let model = match status.model.as_str() {
            "" => "looking ..",
            model => model,
        };
        let context = format!("context: {} tokens · model: {model}", status.tokens);
        let mode = status.mode.name();
        let place = |cwd: &str| format!("[{mode}] {cwd}> ");
        let mut prompt = place(&one_line(&status.cwd));
        let room = width - TYPING_ROOM.min(width / 4);
        if prompt.width() > room {
            prompt = place(&self.short_cwd());
        }
        if prompt.width() > room {
            let name = status.cwd.rsplit('/').next().unwrap_or_default();
            prompt = place(&format!("…/{}", one_line(name)));
        }
        [
            Line::new(one_line(&context), Style::DIM),
            Line::new(prompt, Style::color(Color::GREEN)),
        ]
    }

    /// The working directory, its home shortened.
    fn short_cwd(&self) -> String {
        let cwd = &self.status.cwd;
        let home = self.status.home.as_deref().filter(|home| !home.is_empty());
        let below = home.and_then(|home| cwd.strip_prefix(home));
        match below {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => one_line(&format!("~{rest}")),
            _ => one_line(cwd),
        }
    }
}

impl Busy {
    /// That something goes on, what, and the key (`esc`) to stop it.
    fn line(&self, now: Instant, width: usize, esc: &str) -> Line {
        let spent = now.saturating_duration_since(self.since);
        let frame = usize::try_from(spent.as_millis() / 100).unwrap_or_default();
        let spinner = SPINNER[frame % SPINNER.len()];
        // An estimate: counted in tens, it also needs no new picture for every word.
        let tokens = match self.characters / 40 {
            0 => String::new(),
            tens => format!(" · {} tokens", tens * 10),
        };
        let seconds = spent.as_secs();
        let mut rest = format!(" · {seconds} s{tokens} · {esc} to cancel");
        if "⠋ working".width() + rest.width() > width {
            rest = format!(" · {seconds} s · {esc} to cancel");
        }
        // What is long leaves room for the way out.
        let room = width.saturating_sub("⠋ ".width() + rest.width());
        let what = clip(&self.what(now), room.max("working".width()));
        Line::new(format!("{spinner} {what}"), Style::color(Color::YELLOW)).with(rest, Style::DIM)
    }
    /// What goes on.
    pub(super) fn what(&self, now: Instant) -> String {
        match self.retry_at {
            _ if self.cancelled => "stopping".to_owned(),
            Some(at) => {
                let left = at.saturating_duration_since(now).as_secs_f64().ceil();
                format!("next try in {left:.0} s")
            }
            None => {
                let known = [&self.task, &self.subject].map(|what| one_line(what));
                let known = known.into_iter().find(|what| !what.is_empty());
                known.unwrap_or_else(|| "working".to_owned())
            }
        }
    }
}
