//! The loop: a prompt goes in, the model and the tools take turns, an answer comes out.
//!
//! A front end starts [`run`] with an [`Agent`] and two channels, sends `Command`s and receives
//! `Event`s. Read `turn.rs` first: it is the whole loop on one screen.
//!
//! Nothing here knows a screen, a provider's wire format or the environment: all of that comes in
//! through [`Setup`].

mod again;
mod ask;
mod batch;
mod context;
mod elsewhere;
mod history;
mod inbox;
mod memory;
mod mention;
mod mode;
mod models;
mod own_command;
mod policy;
mod prompt;
mod reply;
mod retry;
mod rules;
mod schedule;
mod script;
mod session;
mod size;
mod stage;
mod thought;
mod turn;
mod unread;

pub use elsewhere::{Answerer, Elsewhere, Record, Resumed};
pub use policy::Policy;
pub use prompt::{Detail, Instructions, Surroundings};
pub use retry::RetryPolicy;
pub use rules::Rules;
pub use session::{Agent, Setup, run};
