use std::{
    collections::{HashMap, VecDeque},
    error::Error as _,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{Stream, stream};
use prost::Message;
use tokio::{
    sync::{Notify, mpsc::UnboundedSender},
    time::{Instant, timeout},
};
use tonic::{
    Code, Request, Status, Streaming,
    client::Grpc,
    codegen::http::uri::PathAndQuery,
    metadata::{Ascii, MetadataValue},
    transport::Endpoint,
};
use tonic_prost::ProstCodec;

use crate::{
    conversation::Step,
    error::{Error, RefereeError},
    heard::{Heard, RawResponse},
    status::{session_lost, session_over, unreachable},
    v1::{Hello, PlayRequest, RequestItem, SessionInfo, request_item, response_item::Kind},
};

/// The version of the protocol that this library speaks.
const PROTOCOL: u32 = 1;
/// A connection that held so long was worth having.
const STEADY: Duration = Duration::from_secs(10);
/// Bytes: an item's own tag and length in the request.
const ITEM_OVERHEAD: usize = 5;
const PLAY: &str = "/unoduo.v1.RefereeService/Play";

/// Opens connections to one referee.
pub(crate) struct Dialer {
    pub address: String,
    pub endpoint: Endpoint,
    pub token: Option<MetadataValue<Ascii>>,
    pub client: String,
}

/// Carries items of any number of handles over one `Play` call; lost, it is not mended but replaced.
pub(crate) struct Connection {
    pub line: Arc<Line>,
    address: String,
    responses: Streaming<RawResponse>,
    read: VecDeque<prost::bytes::Bytes>,
}

impl Dialer {
    /// Returns a connection on which the referee has answered the greeting within a time.
    pub async fn dial(&self, within: Duration) -> Result<Connection, RefereeError> {
        timeout(within, self.greet()).await.unwrap_or_else(|_| {
            let message = format!("the referee at {} does not answer", self.address);
            Err(RefereeError::of_network(Code::DeadlineExceeded, message, true))
        })
    }

    async fn greet(&self) -> Result<Connection, RefereeError> {
        let line = Arc::new(Line::new());
        let hello = Hello { client: self.client.clone(), protocol: PROTOCOL };
        line.put(0, request_item::Kind::Hello(hello))
            .map_err(|error| RefereeError::of_network(Code::InvalidArgument, error.to_string(), false))?;
        let responses = self.play(&line).await?;
        let mut connection = Connection { line, address: self.address.clone(), responses, read: VecDeque::new() };
        loop {
            match connection.next().await?.item.kind {
                Some(Kind::SessionInfo(info)) => {
                    connection.line.observe(&info);
                    return Ok(connection);
                }
                Some(Kind::Problem(problem)) => return Err(problem.into()),
                _ => {}
            }
        }
    }

    async fn play(&self, line: &Arc<Line>) -> Result<Streaming<RawResponse>, RefereeError> {
        let failed = |error: tonic::transport::Error| unreachable("", error.source(), &self.address);
        let mut client = Grpc::new(self.endpoint.connect().await.map_err(failed)?);
        client.ready().await.map_err(failed)?;
        let mut request = Request::new(requests(Arc::clone(line)));
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        let codec = ProstCodec::<PlayRequest, RawResponse>::default();
        let started = client.streaming(request, PathAndQuery::from_static(PLAY), codec).await;
        Ok(started.map_err(|status| session_lost(&status, &self.address))?.into_inner())
    }
}

impl Connection {
    /// Waits for the next item; the error is why the connection has ended.
    pub async fn next(&mut self) -> Result<Heard, RefereeError> {
        loop {
            if let Some(bytes) = self.read.pop_front() {
                let unreadable = |error: prost::DecodeError| Status::internal(error.to_string());
                return Heard::read(bytes).map_err(|error| session_lost(&unreadable(error), &self.address));
            }
            let response = self.responses.message().await;
            match response.map_err(|status| session_lost(&status, &self.address))? {
                Some(response) => self.read.extend(response.items),
                None => return Err(session_over()),
            }
        }
    }
}

/// The requests of a connection, each with all that is ready.
fn requests(line: Arc<Line>) -> impl Stream<Item = PlayRequest> {
    stream::unfold(line, |line| async {
        loop {
            if let Some(request) = line.next_request() {
                return Some((request, line));
            }
            line.wake.notified().await;
        }
    })
}

/// What conversations know of a connection.
pub(crate) struct Line {
    outgoing: Mutex<Outgoing>,
    wake: Notify,
    opened: Instant,
    fruit: AtomicBool,
}

struct Outgoing {
    routes: HashMap<u32, UnboundedSender<Step>>,
    last_handle: u32,
    queue: VecDeque<RequestItem>,
    max_items: usize,
    max_bytes: usize,
}

impl Line {
    pub fn new() -> Self {
        let outgoing = Outgoing {
            routes: HashMap::new(),
            last_handle: 0,
            queue: VecDeque::new(),
            max_items: 64,
            max_bytes: 64 * 1024,
        };
        let (wake, fruit) = (Notify::new(), AtomicBool::new(false));
        Self { outgoing: Mutex::new(outgoing), wake, opened: Instant::now(), fruit }
    }

    /// Returns a new handle; what comes under it is sent there.
    pub fn open(&self, to: UnboundedSender<Step>) -> u32 {
        let mut outgoing = self.lock();
        outgoing.last_handle += 1;
        let handle = outgoing.last_handle;
        outgoing.routes.insert(handle, to);
        handle
    }

    /// Forgets a handle: what still comes under it is nobody's.
    pub fn drop_handle(&self, handle: u32) {
        self.lock().routes.remove(&handle);
    }

    /// Passes an item on to the handle that it came under.
    pub fn route(&self, heard: Heard) {
        if let Some(to) = self.lock().routes.get(&heard.item.handle) {
            let _ = to.send(Step::Hear(Box::new(heard))); // an error is a conversation that is over
        }
    }

    /// Sends an item as soon as possible. An item that no request can hold is an error: sent, it would end the session.
    pub fn put(&self, handle: u32, kind: request_item::Kind) -> Result<(), Error> {
        let item = RequestItem { handle, kind: Some(kind) };
        let mut outgoing = self.lock();
        let (size, room) = (size_of(&item), outgoing.max_bytes);
        if size > room {
            let message = format!("an item of {size} bytes is larger than the {room} bytes of a request");
            return Err(Error::Setup(message));
        }
        outgoing.queue.push_back(item);
        self.wake.notify_one();
        Ok(())
    }

    /// Returns a request with all that is ready, within the limits of the session; none if nothing is.
    pub fn next_request(&self) -> Option<PlayRequest> {
        let mut outgoing = self.lock();
        let mut room = outgoing.max_bytes;
        let mut count = 0;
        for item in outgoing.queue.iter().take(outgoing.max_items) {
            match room.checked_sub(size_of(item)) {
                Some(left) => room = left,
                None => break,
            }
            count += 1;
        }
        let items: Vec<_> = outgoing.queue.drain(..count).collect();
        (!items.is_empty()).then_some(PlayRequest { items })
    }

    /// Takes over the limits of the session, as far as they are told.
    pub fn observe(&self, info: &SessionInfo) {
        let mut outgoing = self.lock();
        let told = |limit: u32| usize::try_from(limit).ok().filter(|limit| *limit > 0);
        outgoing.max_items = told(info.max_items).unwrap_or(outgoing.max_items);
        outgoing.max_bytes = told(info.max_message_bytes).unwrap_or(outgoing.max_bytes);
    }

    /// Tells that the connection has brought something new.
    pub fn progress(&self) {
        self.fruit.store(true, Ordering::Relaxed);
    }

    /// Whether the connection was worth having.
    pub fn was_fruitful(&self) -> bool {
        self.fruit.load(Ordering::Relaxed) || self.opened.elapsed() > STEADY
    }

    fn lock(&self) -> MutexGuard<'_, Outgoing> {
        self.outgoing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size_of(item: &RequestItem) -> usize {
    item.encoded_len() + ITEM_OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::Join;

    fn join(token_bytes: usize) -> request_item::Kind {
        request_item::Kind::Join(Join { seat_token: "x".repeat(token_bytes), ..Join::default() })
    }

    fn sizes(line: &Line) -> Vec<usize> {
        std::iter::from_fn(|| line.next_request().map(|request| request.items.len())).collect()
    }

    #[test]
    fn what_is_ready_goes_out_together_within_the_limits_of_the_session() {
        let line = Line::new();
        line.observe(&SessionInfo { max_items: 3, max_message_bytes: 1000, ..SessionInfo::default() });
        for _ in 0..4 {
            line.put(1, join(10)).unwrap();
        }
        assert_eq!(sizes(&line), [3, 1]);
        for _ in 0..2 {
            line.put(1, join(900)).unwrap();
        }
        assert_eq!(sizes(&line), [1, 1]);
        assert!(line.put(1, join(1000)).is_err());
        assert!(line.next_request().is_none());
    }
}
