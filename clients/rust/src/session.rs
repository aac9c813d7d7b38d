use std::{
    collections::{HashSet, VecDeque},
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{mpsc::UnboundedSender, watch},
    task::JoinHandle,
    time::{Instant, sleep_until},
};
use tonic::metadata::{Ascii, MetadataValue, errors::InvalidMetadataValue};

use crate::{
    backoff::Backoff,
    channel::{Security, endpoint},
    connection::{Connection, Dialer, Line},
    conversation::{Conversation, Step},
    decisions::{Answer, Bot, boxed},
    error::{Error, RefereeError},
    journal::Journal,
    result::MatchResult,
    v1::{Assigned, Delivery, Join, Seat, response_item::Kind},
};

#[cfg(test)]
mod tests;

/// How long a lost connection is tried again.
pub const DEFAULT_PATIENCE: Duration = Duration::from_mins(1);

pub(crate) const SECRET_BYTES: usize = 32;
/// A connection that was not greeted by then is given up.
const ANSWER_TIME: Duration = Duration::from_secs(20);

/// Say how to speak to a referee. The default is right for a referee on this machine.
#[derive(Clone)]
pub struct Options {
    /// Names the caller; it is not needed if each seat brings its own.
    pub token: Option<String>,
    /// Whether TLS is spoken.
    pub security: Security,
    /// What the part of each seat in its deal is derived from; by default 32 random bytes. A bot that may be restarted
    /// before its match begins must keep it: the first entropy of a seat counts.
    pub secret: Option<Vec<u8>>,
    /// How long a lost connection is tried again; zero: never.
    pub patience: Duration,
    /// How long the referee may be missing at the beginning; zero: it must be there.
    pub start_patience: Duration,
    /// Introduces the program, 1 to 64 characters.
    pub client: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            token: None,
            security: Security::default(),
            secret: None,
            patience: DEFAULT_PATIENCE,
            start_patience: Duration::ZERO,
            client: concat!("unoduo-client rust ", env!("CARGO_PKG_VERSION")).into(),
        }
    }
}

/// Without the token and the secret.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("security", &self.security)
            .field("patience", &self.patience)
            .field("start_patience", &self.start_patience)
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

/// Says what to play.
#[derive(Clone, Default)]
pub struct Place {
    /// The id of the match, 16 bytes.
    pub match_id: Vec<u8>,
    /// `Seat::A` or `Seat::B`.
    pub seat: Seat,
    /// That of the seat, if the token of the session does not cover it.
    pub token: Option<String>,
    /// A new file for what the seat sees and says. A path for it comes from [`new_journal`](crate::new_journal).
    pub journal: Option<PathBuf>,
}

/// Without the token.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Place")
            .field("match_id", &hex::encode(&self.match_id))
            .field("seat", &self.seat)
            .field("journal", &self.journal)
            .finish_non_exhaustive()
    }
}

/// Plays any number of seats at one referee, over as many connections as that takes. Its clones are the same session, which
/// ends with the last of them.
#[derive(Clone)]
pub struct Session {
    shared: Arc<Shared>,
    supervisor: Arc<Supervisor>,
}

/// Replaces lost connections as long as it is there.
struct Supervisor(JoinHandle<()>);

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.0.abort();
    }
}

struct Shared {
    dialer: Dialer,
    secret: Arc<[u8]>,
    patience: Duration,
    state: Mutex<State>,
    news: watch::Sender<()>, // of assignments or the end
}

#[derive(Default)]
struct State {
    line: Option<Arc<Line>>,
    seats: Vec<UnboundedSender<Step>>,
    assigned: VecDeque<Assigned>,
    known: HashSet<(Vec<u8>, i32)>,
    error: Option<Error>,
}

impl Session {
    /// Opens a session with the referee at `host:port`. It lasts until it is closed, or until a lost connection could not
    /// be replaced within the patience.
    ///
    /// # Errors
    ///
    /// The referee cannot be reached or refuses, or the options cannot be followed.
    pub async fn connect(address: &str, options: Options) -> Result<Self, Error> {
        let not_a_token = |_| Error::Setup("the token has characters that no token has".into());
        let token = options.token.map(|token| bearer(&token).map_err(not_a_token)).transpose()?;
        let dialer = Dialer {
            address: address.into(),
            endpoint: endpoint(address, &options.security)?,
            token,
            client: options.client,
        };
        let shared = Arc::new(Shared {
            dialer,
            secret: options.secret.unwrap_or_else(random_secret).into(),
            patience: options.patience,
            state: Mutex::default(),
            news: watch::Sender::new(()),
        });
        let deadline = Instant::now() + options.start_patience;
        let mut backoff = Backoff::new();
        let connection = match shared.dialer.dial(ANSWER_TIME).await {
            Ok(connection) => connection,
            Err(lost) => shared.dial_again(lost, options.start_patience, deadline, &mut backoff).await?,
        };
        shared.lock().line = Some(Arc::clone(&connection.line));
        let supervisor = tokio::spawn(Arc::clone(&shared).supervise(connection, backoff));
        Ok(Self { shared, supervisor: Arc::new(Supervisor(supervisor)) })
    }

    /// Ends the session: every seat on it is left, and no match ends by that.
    pub fn close(&self) {
        self.supervisor.0.abort();
        self.shared.end(Error::Closed);
    }

    /// Returns why the session has ended, none while it has not.
    #[must_use]
    pub fn error(&self) -> Option<Error> {
        self.shared.lock().error.clone()
    }

    /// Takes a seat, plays its match to the end with a bot, and returns how it ended. Any number of calls may run at once.
    ///
    /// It goes on over lost connections and restarts of the referee, and waits as long as a match stands still. When it
    /// returns or is dropped, the bot may still be thinking in vain.
    ///
    /// # Errors
    ///
    /// The seat cannot be played on; the match goes on without it.
    pub async fn play<A: Into<Answer> + 'static>(&self, place: Place, bot: impl Bot<A>) -> Result<MatchResult, Error> {
        let journal = place
            .journal
            .as_deref()
            .map(|path| Journal::create(path).map_err(|error| Error::Setup(format!("{}: {error}", path.display()))));
        let join = Join {
            match_id: place.match_id.clone(),
            seat: place.seat.into(),
            seat_token: place.token.unwrap_or_default(),
            delivery: Delivery::OnDecision.into(),
            ..Join::default()
        };
        let secret = Arc::clone(&self.shared.secret);
        let conversation = Conversation::new(join, boxed(bot), secret, journal.transpose()?);
        self.shared.enter(&conversation.to_inbox)?;
        let result = conversation.run().await;
        if result.is_ok() {
            // An assignment to a match that is over is not told again.
            self.shared.lock().known.remove(&(place.match_id, place.seat.into()));
        }
        result
    }

    /// Waits for a seat that the bot of the session's token has in an unfinished match, and returns it: each of them once,
    /// also those of new matches. It is played without a token of its own.
    ///
    /// # Errors
    ///
    /// The session has ended.
    pub async fn next_assigned(&self) -> Result<Assigned, Error> {
        let mut news = self.shared.news.subscribe();
        loop {
            {
                let mut state = self.shared.lock();
                if let Some(next) = state.assigned.pop_front() {
                    return Ok(next);
                }
                if let Some(error) = &state.error {
                    return Err(error.clone());
                }
            }
            let _ = news.changed().await; // its sender is there as long as this session
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, seat: &UnboundedSender<Step>) -> Result<(), Error> {
        let mut state = self.lock();
        if let Some(error) = &state.error {
            return Err(error.clone());
        }
        state.seats.retain(|seat| !seat.is_closed());
        state.seats.push(seat.clone());
        if let Some(line) = &state.line {
            let _ = seat.send(Step::Attach(Arc::clone(line))); // its receiver is about to run
        }
        Ok(())
    }

    /// Replaces lost connections until one cannot be replaced.
    async fn supervise(self: Arc<Self>, mut connection: Connection, mut backoff: Backoff) {
        let mut deadline = None;
        loop {
            let lost = self.carry(&mut connection).await;
            self.tell(None);
            if connection.line.was_fruitful() || deadline.is_none() {
                backoff.reset();
                deadline = Some(Instant::now() + self.patience);
            }
            drop(connection);
            let until = deadline.unwrap_or_else(Instant::now);
            match self.dial_again(lost, self.patience, until, &mut backoff).await {
                Ok(next) => connection = next,
                Err(error) => return self.end(error),
            }
            self.tell(Some(&connection.line));
        }
    }

    /// Passes on what comes over a connection, and returns why that has ended.
    async fn carry(&self, connection: &mut Connection) -> RefereeError {
        loop {
            match connection.next().await {
                Err(lost) => return lost,
                Ok(heard) if heard.item.handle > 0 => connection.line.route(heard),
                Ok(heard) => match heard.item.kind {
                    Some(Kind::Assigned(assigned)) => self.assign(assigned),
                    Some(Kind::Problem(problem)) => {
                        log::warn!("the referee reports a problem with the session: {}", RefereeError::from(problem));
                    }
                    _ => {}
                },
            }
        }
    }

    /// Takes an assignment; on each connection the referee tells them all again.
    fn assign(&self, assigned: Assigned) {
        let mut state = self.lock();
        if state.known.insert((assigned.match_id.clone(), assigned.seat)) {
            state.assigned.push_back(assigned);
            self.news.send_replace(());
        }
    }

    /// Takes over a connection, or that there is none for now, and lets all seats know.
    fn tell(&self, line: Option<&Arc<Line>>) {
        let mut state = self.lock();
        state.line = line.cloned();
        state.seats.retain(|seat| seat.send(line.map_or(Step::Detach, |line| Step::Attach(Arc::clone(line)))).is_ok());
    }

    fn end(&self, error: Error) {
        let mut state = self.lock();
        state.line = None;
        for seat in state.seats.drain(..) {
            let _ = seat.send(Step::Fail(error.clone())); // it may be over
        }
        state.error.get_or_insert(error);
        self.news.send_replace(());
    }

    /// Returns a connection in place of one that was lost or never came about. It tries until the deadline, by which the
    /// patience will be over, or gives up at once for what does not pass.
    async fn dial_again(
        &self,
        mut lost: RefereeError,
        patience: Duration,
        deadline: Instant,
        backoff: &mut Backoff,
    ) -> Result<Connection, Error> {
        while lost.may_pass && Instant::now() < deadline {
            sleep_until(deadline.min(Instant::now() + backoff.next())).await;
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            match self.dialer.dial(left.min(ANSWER_TIME)).await {
                Ok(connection) => return Ok(connection),
                Err(again) => lost = again,
            }
        }
        if lost.may_pass && !patience.is_zero() {
            let seconds = patience.as_secs_f64();
            lost.message = format!("no session with the referee for {seconds} seconds: {}", lost.message);
        }
        Err(lost.into())
    }
}

/// The metadata that names the caller; no log of what is below shows it.
fn bearer(token: &str) -> Result<MetadataValue<Ascii>, InvalidMetadataValue> {
    let mut value = MetadataValue::try_from(format!("Bearer {token}"))?;
    value.set_sensitive(true);
    Ok(value)
}

pub(crate) fn random_secret() -> Vec<u8> {
    let mut secret = vec![0; SECRET_BYTES];
    getrandom::fill(&mut secret).expect("the system has random numbers");
    secret
}
