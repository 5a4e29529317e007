//! File work, kept off the threads that drive the session.

use futures_util::future::BoxFuture;
use pollux_types::{ToolError, ToolErrorKind};
use tokio_util::sync::CancellationToken;

use crate::failure::cancelled;
use crate::{Outcome, RunContext};

/// Runs `work` on a thread where it may block. The token it gets fires when the user stops the
/// call and when the future is dropped; `work` looks at it as often as it can afford to.
///
/// The future waits for `work` to end even when it is stopped: after that, nothing changes.
pub(crate) fn blocking(
    context: RunContext,
    work: impl FnOnce(&CancellationToken) -> Outcome + Send + 'static,
) -> BoxFuture<'static, Outcome> {
    Box::pin(async move {
        if context.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let stop = context.cancel.child_token();
        let _stop_when_dropped = stop.clone().drop_guard();
        let work = tokio::task::spawn_blocking(move || work(&stop));
        work.await.unwrap_or_else(|error| {
            let message = format!("the tool broke down: {error}");
            Err(ToolError::new(ToolErrorKind::UnhandledException, message))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::Output;

    #[tokio::test]
    async fn dropping_the_future_stops_the_work() {
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (ended, has_ended) = mpsc::channel();
        let future = blocking(RunContext::default(), move |stop| {
            begun.send(()).unwrap();
            let deadline = Instant::now() + Duration::from_secs(20);
            while !stop.is_cancelled() && Instant::now() < deadline {
                std::thread::yield_now();
            }
            ended.send(stop.is_cancelled()).unwrap();
            Ok(Output::default())
        });
        tokio::select! {
            _ = future => panic!("the work ends only when it is stopped"),
            begun = has_begun => begun.unwrap(),
        }
        assert!(has_ended.recv().unwrap());
    }

    #[tokio::test]
    async fn a_panic_is_a_failed_call() {
        let outcome = blocking(RunContext::default(), |_| panic!("on purpose")).await;
        assert_eq!(outcome.unwrap_err().kind, ToolErrorKind::UnhandledException);
    }

    #[tokio::test]
    async fn what_is_already_cancelled_does_not_begin() {
        let context = RunContext::default();
        context.cancel.cancel();
        let outcome = blocking(context, |_| panic!("it must not begin")).await;
        assert_eq!(outcome.unwrap_err().kind, ToolErrorKind::Cancelled);
    }
}
