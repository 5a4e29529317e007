//! Every order of events in small batches.

use std::collections::HashSet;

use pollux_types::{CallId, CallStatus, ToolErrorKind};

use super::*;

/// Something that may happen next.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Allow(usize),
    Ask(usize),
    Fail(usize),
    Accept(usize),
    Refuse(usize),
    Revise(usize),
    Start(usize),
    Print(usize),
    Succeed(usize),
    Break(usize),
    Lack(usize),
    Cancel,
    /// Others are to come in.
    Schedule,
}

impl Happening {
    fn all(calls: usize) -> Vec<Self> {
        let each = |index| {
            [
                Self::Allow(index),
                Self::Ask(index),
                Self::Fail(index),
                Self::Accept(index),
                Self::Refuse(index),
                Self::Revise(index),
                Self::Start(index),
                Self::Print(index),
                Self::Succeed(index),
                Self::Break(index),
                Self::Lack(index),
            ]
        };
        let all = [Self::Cancel, Self::Schedule];
        (0..calls).flat_map(each).chain(all).collect()
    }
}

/// A batch, and what has been done to it.
#[derive(Clone)]
struct World {
    batch: Batch<usize>,
    /// How often each call was started.
    starts: Vec<usize>,
    /// How often each call was asked about again.
    again: Vec<usize>,
    /// What listeners were told of each call.
    told: Vec<Vec<CallStatus>>,
}

impl World {
    fn new(calls: usize) -> Self {
        let mut world = Self {
            batch: Batch::default(),
            starts: vec![0; calls],
            again: vec![0; calls],
            told: vec![vec![]; calls],
        };
        world.batch.schedule(views(calls)).unwrap();
        world.listen();
        world
    }

    /// Nobody comes in before all have ended, and who is refused changes nothing.
    fn schedule(&mut self) {
        let calls = self.told.len();
        let over = self.statuses().iter().all(|status| status.is_terminal());
        let taken = self.batch.schedule(views(calls));
        assert_eq!(taken, if over { Ok(()) } else { Err(Busy) });
        if over {
            self.starts = vec![0; calls];
            self.again = vec![0; calls];
        } else {
            assert_eq!(self.batch.news(), []);
        }
    }

    fn listen(&mut self) {
        for view in self.batch.news() {
            let index: usize = view.id.as_str().parse().unwrap();
            let runs = view.status == CallStatus::Executing;
            assert!(runs || view.live.is_none(), "{view:?}");
            self.told[index].push(view.status);
        }
    }

    fn status(&self, index: usize) -> CallStatus {
        *self.told[index].last().unwrap()
    }

    fn happen(&mut self, happening: Happening) {
        let error = |kind| ToolError::new(kind, "");
        match happening {
            Happening::Allow(i) => self.batch.judge(i, Judged::Allow(i)),
            Happening::Ask(i) => self.batch.judge(i, Judged::Ask(i)),
            Happening::Fail(i) => {
                let error = error(ToolErrorKind::InvalidToolParams);
                self.batch.judge(i, Judged::Refuse(error));
            }
            Happening::Accept(i) => self.batch.answer(i, Answer::Accept),
            Happening::Refuse(i) => {
                let error = error(ToolErrorKind::Cancelled);
                self.batch.answer(i, Answer::Refuse(error));
            }
            Happening::Revise(i) => self.batch.answer(i, Answer::Revise(i)),
            Happening::Start(i) => {
                let settled = self.statuses().iter().all(|status| {
                    !matches!(
                        status,
                        CallStatus::Validating | CallStatus::AwaitingApproval
                    )
                });
                if self.batch.start(i).is_some() {
                    assert!(settled, "a call started before all were settled");
                    self.starts[i] += 1;
                }
            }
            Happening::Print(i) => self.batch.show(i, "..".into()),
            Happening::Succeed(i) => self.batch.finish(i, Ok(Output::text("ok"))),
            Happening::Break(i) => {
                let error = error(ToolErrorKind::ExecutionFailed);
                self.batch.finish(i, Err(error));
            }
            // Whoever offers knows an end to it.
            Happening::Lack(i) if self.again[i] < 2 => {
                let runs = self.status(i) == CallStatus::Executing;
                self.again[i] += usize::from(runs);
                self.batch.ask_again(i, i, Output::text("half"));
            }
            Happening::Lack(_) => {}
            Happening::Cancel => self.batch.give_up(&error(ToolErrorKind::Cancelled)),
            Happening::Schedule => self.schedule(),
        }
    }

    fn statuses(&self) -> Vec<CallStatus> {
        (0..self.told.len())
            .map(|index| self.status(index))
            .collect()
    }
}

fn views(calls: usize) -> Vec<CallView> {
    let view = |index: usize| CallView {
        id: CallId::new(index.to_string()),
        name: "t".into(),
        summary: String::new(),
        status: CallStatus::Success,
        live: None,
        output: None,
        error: None,
        changes: vec![],
        todos: None,
    };
    (0..calls).map(view).collect()
}

/// The ways that the documents allow.
fn may_follow(before: CallStatus, after: CallStatus, happening: Happening) -> bool {
    use CallStatus::{
        AwaitingApproval, Cancelled, Error, Executing, Scheduled, Success, Validating,
    };
    match before {
        // Another call has come in.
        _ if matches!(happening, Happening::Schedule) => {
            before.is_terminal() && after == Validating
        }
        Validating => matches!(after, AwaitingApproval | Scheduled | Error | Cancelled),
        // Success: it has run before, and does not again.
        AwaitingApproval => !matches!(after, Validating | Executing),
        // It can be taken back, and only then: nobody but a person makes it a question again.
        Scheduled if matches!(happening, Happening::Start(_)) => after == Executing,
        Scheduled if matches!(happening, Happening::Refuse(_) | Happening::Cancel) => {
            after.is_terminal()
        }
        Executing if matches!(happening, Happening::Lack(_)) => after == AwaitingApproval,
        // It has printed something, or comes to its end.
        Executing => matches!(after, Executing | Success | Error | Cancelled),
        Scheduled | Success | Error | Cancelled => false,
    }
}

/// Goes through all that can happen, in every order, and looks at each step.
fn explore(calls: usize) -> usize {
    let mut known: HashSet<String> = HashSet::new();
    let mut open = vec![World::new(calls)];
    let mut steps = 0;
    while let Some(world) = open.pop() {
        for happening in Happening::all(calls) {
            steps += 1;
            let mut next = world.clone();
            next.happen(happening);
            next.listen();
            for index in 0..calls {
                let (told, before) = (&next.told[index], &world.told[index]);
                assert!(told.len() <= before.len() + 1, "{happening:?}");
                if told.len() > before.len() {
                    let ends = told[told.len() - 2..].iter().copied();
                    let ends: Vec<CallStatus> = ends.collect();
                    assert!(
                        may_follow(ends[0], ends[1], happening),
                        "{happening:?}: {ends:?}"
                    );
                }
                let most = 1 + next.again[index];
                assert!(next.starts[index] <= most, "a call started unasked");
            }
            let all_ended = next.statuses().iter().all(|status| status.is_terminal());
            let outcomes = next.batch.clone().take_outcomes();
            assert_eq!(outcomes.as_ref().map(Vec::len), all_ended.then_some(calls));
            for (index, outcome) in outcomes.into_iter().flatten().enumerate() {
                let before = next.starts[index] > 0 && next.starts[index] == next.again[index];
                let kept = outcome.is_ok_and(|output| output.text.starts_with("half["));
                assert_eq!(kept, before, "{happening:?}");
            }
            // What was told before makes no difference to what can come.
            if known.insert(format!(
                "{:?} {:?} {:?}",
                next.statuses(),
                next.starts,
                next.again
            )) {
                open.push(next);
            }
        }
    }
    steps
}

#[test]
fn no_order_of_events_breaks_a_batch() {
    for calls in 1..=3 {
        assert!(explore(calls) > 9 * calls);
    }
}

#[test]
fn what_may_run_can_be_taken_back_until_it_runs() {
    let mut world = World::new(2);
    world.happen(Happening::Allow(0));
    world.happen(Happening::Allow(1));
    world.happen(Happening::Refuse(0));
    world.listen();
    world.happen(Happening::Start(0));
    world.happen(Happening::Start(1));
    world.happen(Happening::Refuse(1));
    world.listen();
    assert_eq!(world.starts, [0, 1]);
    assert_eq!(
        world.statuses(),
        [CallStatus::Cancelled, CallStatus::Executing]
    );
}

#[test]
fn questions_come_one_at_a_time_and_in_order() {
    let mut world = World::new(3);
    world.happen(Happening::Ask(2));
    world.happen(Happening::Ask(1));
    assert_eq!(world.batch.question(), None);
    world.happen(Happening::Allow(0));
    assert_eq!(world.batch.question(), Some((1, &1)));
    world.happen(Happening::Revise(1));
    assert_eq!(world.batch.question(), Some((1, &1)));
    world.happen(Happening::Refuse(1));
    assert_eq!(world.batch.question(), Some((2, &2)));
    assert!(world.batch.start(0).is_none());
    world.happen(Happening::Accept(2));
    assert_eq!(world.batch.question(), None);
    let ready: Vec<usize> = world.batch.scheduled().map(|(index, _)| index).collect();
    assert_eq!(ready, [0, 2]);
}

#[test]
fn who_comes_too_early_is_told_so_and_leaves_the_others_alone() {
    let mut world = World::new(2);
    world.happen(Happening::Ask(0));
    world.happen(Happening::Allow(1));
    world.listen();
    let busy = world.batch.schedule(views(1)).unwrap_err();
    assert_eq!(
        busy.to_string(),
        "Cannot schedule new tool calls while other tool calls are actively running"
    );
    world.happen(Happening::Accept(0));
    world.listen();
    world.happen(Happening::Start(0));
    world.happen(Happening::Start(1));
    world.happen(Happening::Succeed(1));
    assert_eq!(world.batch.schedule(views(1)), Err(Busy));
    world.happen(Happening::Succeed(0));
    assert_eq!(world.batch.take_outcomes().map(|ends| ends.len()), Some(2));
    assert_eq!(world.batch.schedule(views(1)), Ok(()));
}
