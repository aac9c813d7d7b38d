use std::{
    collections::VecDeque,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use futures_util::stream;
use tokio::{net::TcpListener, sync::mpsc, time::timeout};
use tonic::{
    Code, Request, Response, Status, Streaming,
    codegen::BoxStream,
    transport::{Server, server::TcpIncoming},
};
use tonic_types::{ErrorDetails, StatusExt};

use super::*;
use crate::v1::{
    Action, Ended, Joined, Lifecycle, Observation, PlayRequest, PlayResponse, Problem, RequestItem, ResponseItem,
    SessionInfo,
    referee_service_server::{RefereeService, RefereeServiceServer},
    request_item::Kind as Said,
};

const GUARD: Duration = Duration::from_secs(30); // against hanging
const SOON: Duration = Duration::from_millis(300);

type Done = Result<(), Status>;

/// The referee's end of one session.
struct Peer {
    authorization: Option<String>,
    incoming: Streaming<PlayRequest>,
    unread: VecDeque<RequestItem>,
    outgoing: mpsc::UnboundedSender<Result<PlayResponse, Status>>,
}

impl Peer {
    async fn receive(&mut self) -> RequestItem {
        while self.unread.is_empty() {
            self.unread.extend(self.incoming.message().await.unwrap().expect("the client says more").items);
        }
        self.unread.pop_front().unwrap()
    }

    fn send(&self, handle: u32, kinds: impl IntoIterator<Item = Kind>) {
        let items = kinds.into_iter().map(|kind| ResponseItem { handle, kind: Some(kind) }).collect();
        let _ = self.outgoing.send(Ok(PlayResponse { items }));
    }

    async fn greet(&mut self) {
        match self.receive().await.kind {
            Some(Said::Hello(hello)) => assert_eq!((hello.protocol, hello.client.is_empty()), (1, false)),
            said => panic!("{said:?}"),
        }
        self.send(0, [Kind::SessionInfo(SessionInfo { protocol: 1, ..SessionInfo::default() })]);
    }

    /// Lets a seat join, and returns its handle and join.
    async fn seat(&mut self) -> (u32, Join) {
        let item = self.receive().await;
        let Some(Said::Join(join)) = item.kind else { panic!("{item:?}") };
        let lifecycle = Lifecycle::Created.into();
        self.send(item.handle, [Kind::Joined(Joined { lifecycle, ..Joined::default() })]);
        (item.handle, join)
    }

    fn end(&self, handle: u32) {
        self.send(handle, [Kind::Ended(Ended::default())]);
    }

    async fn wait_for_the_end(&mut self) -> Done {
        while let Ok(Some(_)) = self.incoming.message().await {}
        Ok(())
    }
}

type Script = Box<dyn Fn(Peer) -> Pin<Box<dyn Future<Output = Done> + Send>> + Send + Sync>;

fn script<F: Future<Output = Done> + Send + 'static>(play: impl Fn(Peer) -> F + Send + Sync + 'static) -> Script {
    Box::new(move |peer| Box::pin(play(peer)))
}

/// A referee that serves each session with the next script, and further ones with the last.
struct Scripted {
    scripts: Vec<Script>,
    sessions: AtomicUsize,
}

#[tonic::async_trait]
impl RefereeService for Scripted {
    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<BoxStream<PlayResponse>>, Status> {
        let session = self.sessions.fetch_add(1, Ordering::Relaxed);
        let authorization = request.metadata().get("authorization").map(|value| value.to_str().unwrap().into());
        let (outgoing, said) = mpsc::unbounded_channel();
        let last_words = outgoing.clone();
        let peer = Peer { authorization, incoming: request.into_inner(), unread: VecDeque::new(), outgoing };
        let playing = self.scripts[session.min(self.scripts.len() - 1)](peer);
        tokio::spawn(async move {
            if let Err(status) = playing.await {
                let _ = last_words.send(Err(status));
            }
        });
        let stream = stream::unfold(said, |mut said| async { said.recv().await.map(|item| (item, said)) });
        Ok(Response::new(Box::pin(stream)))
    }
}

/// Returns the address of a referee with these scripts.
async fn serve(scripts: impl IntoIterator<Item = Script>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let scripted = Scripted { scripts: scripts.into_iter().collect(), sessions: AtomicUsize::new(0) };
    let server = Server::builder().add_service(RefereeServiceServer::new(scripted));
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
    address
}

fn greets_and_waits() -> Script {
    script(|mut peer| async move {
        peer.greet().await;
        peer.wait_for_the_end().await
    })
}

fn refuses() -> Script {
    script(|_| async { Err(Status::unavailable("not yet")) })
}

async fn connect(address: &str, options: Options) -> Session {
    Session::connect(address, options).await.unwrap()
}

fn some_seat() -> Place {
    Place { match_id: vec![0; 16], seat: Seat::A, token: Some("SEAT".into()), journal: None }
}

async fn play(session: &Session) -> Result<MatchResult, Error> {
    let undecided = |_: &Observation| Action::default();
    timeout(GUARD, session.play(some_seat(), undecided)).await.expect("it does not hang")
}

fn referee_error(error: Error) -> RefereeError {
    match error {
        Error::Referee(error) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn session_names_its_caller_and_plays_a_seat() {
    let address = serve([script(|mut peer| async move {
        peer.greet().await;
        assert_eq!(peer.authorization.as_deref(), Some("Bearer TOKEN"));
        let (handle, join) = peer.seat().await;
        assert_eq!((join.seat_token.as_str(), join.seat(), join.after_sequence), ("SEAT", Seat::A, None));
        assert_eq!(join.delivery(), Delivery::OnDecision);
        peer.end(handle);
        peer.wait_for_the_end().await
    })])
    .await;
    let session = connect(&address, Options { token: Some("TOKEN".into()), ..Options::default() }).await;
    let assigned = Assigned { match_id: vec![0; 16], seat: Seat::A.into(), bot_seed: vec![] };
    session.shared.assign(assigned);
    assert_eq!(play(&session).await.unwrap().seat, Seat::A);
    assert!(session.shared.lock().known.is_empty(), "what is over is remembered");
}

#[tokio::test]
async fn lost_connection_is_replaced_and_the_seat_taken_again() {
    let drains = script(|mut peer| async move {
        peer.greet().await;
        peer.seat().await;
        Err(Status::unavailable("draining"))
    });
    let ends = script(|_| async { Ok(()) });
    let serves = script(|mut peer| async move {
        peer.greet().await;
        let (handle, join) = peer.seat().await;
        assert_eq!(join.after_sequence, Some(0), "the seat is not resumed");
        peer.end(handle);
        peer.wait_for_the_end().await
    });
    let address = serve([drains, ends, serves]).await;
    let session = connect(&address, Options::default()).await;
    play(&session).await.unwrap();
}

#[tokio::test]
async fn session_without_a_referee_is_given_up_when_the_patience_is_over() {
    let drains = script(|mut peer| async move {
        peer.greet().await;
        peer.seat().await;
        Err(Status::unavailable("draining"))
    });
    let address = serve([drains, refuses()]).await;
    let session = connect(&address, Options { patience: SOON, ..Options::default() }).await;
    let lost = referee_error(play(&session).await.unwrap_err());
    assert!(lost.message.starts_with("no session with the referee for 0.3 seconds: "), "{lost}");
    let again = play(&session).await.unwrap_err();
    assert_eq!(again.to_string(), lost.to_string());
    assert_eq!(session.next_assigned().await.unwrap_err().to_string(), lost.to_string());
}

#[tokio::test]
async fn connections_that_bring_nothing_do_not_renew_the_patience() {
    let greets = script(|mut peer| async move {
        peer.greet().await;
        Ok(())
    });
    let address = serve([greets]).await;
    let session = connect(&address, Options { patience: SOON, ..Options::default() }).await;
    let ended = timeout(GUARD, session.next_assigned()).await.expect("it is given up");
    let lost = referee_error(ended.unwrap_err());
    assert!(lost.message.starts_with("no session with the referee for 0.3 seconds: "), "{lost}");
}

#[tokio::test]
async fn referee_that_is_missing_at_the_beginning_is_waited_for_only_if_told_so() {
    let address = serve([refuses(), greets_and_waits()]).await;
    assert!(Session::connect(&address, Options::default()).await.is_err());
    let address = serve([refuses(), refuses(), greets_and_waits()]).await;
    connect(&address, Options { start_patience: GUARD, ..Options::default() }).await;
}

#[tokio::test]
async fn what_does_not_pass_is_not_tried_again() {
    let refuses = script(|_| async {
        let details = ErrorDetails::with_error_info("TOKEN_UNKNOWN", "unoduo.v1", []);
        Err(Status::with_error_details(Code::Unauthenticated, "nobody", details))
    });
    let objects = script(|mut peer| async move {
        peer.receive().await;
        let reason = "PROTOCOL_UNSUPPORTED".into();
        peer.send(0, [Kind::Problem(Problem { code: 9, reason, ..Problem::default() })]);
        peer.wait_for_the_end().await
    });
    for (reason, script) in [("TOKEN_UNKNOWN", refuses), ("PROTOCOL_UNSUPPORTED", objects)] {
        let address = serve([script]).await;
        let options = Options { start_patience: 10 * GUARD, ..Options::default() };
        let connected = timeout(GUARD, Session::connect(&address, options)).await.expect("it is not tried again");
        assert_eq!(referee_error(connected.err().unwrap()).reason, reason);
    }
}

#[tokio::test]
async fn referee_that_does_not_answer_is_given_up() {
    let address = serve([script(|mut peer| async move { peer.wait_for_the_end().await })]).await;
    let endpoint = endpoint(&address, &Security::Usual).unwrap();
    let dialer = Dialer { address, endpoint, token: None, client: "test".into() };
    let given_up = timeout(GUARD, dialer.dial(Duration::from_millis(50))).await.expect("it is given up");
    let lost = given_up.err().unwrap();
    assert_eq!((lost.code, lost.may_pass), (Code::DeadlineExceeded, true));
}

#[tokio::test]
async fn assignments_are_told_once_over_all_connections() {
    fn assigned(numbers: &[u8]) -> impl Iterator<Item = Kind> {
        let seat = Seat::A.into();
        numbers.iter().map(move |number| Kind::Assigned(Assigned { match_id: vec![*number], seat, bot_seed: vec![] }))
    }
    let first = script(|mut peer| async move {
        peer.greet().await;
        peer.send(0, assigned(&[1, 2]));
        Ok(())
    });
    let second = script(|mut peer| async move {
        peer.greet().await;
        peer.send(0, assigned(&[1, 2, 3]));
        peer.wait_for_the_end().await
    });
    let address = serve([first, second]).await;
    let session = connect(&address, Options::default()).await;
    for due in 1..=3 {
        let next = timeout(GUARD, session.next_assigned()).await.expect("it is told");
        assert_eq!(next.unwrap().match_id, [due]);
    }
}

#[tokio::test]
async fn closed_session_ends_its_seats() {
    let (joined, mut joins) = mpsc::unbounded_channel();
    let address = serve([script(move |mut peer| {
        let joined = joined.clone();
        async move {
            peer.greet().await;
            peer.seat().await;
            joined.send(()).unwrap();
            peer.wait_for_the_end().await
        }
    })])
    .await;
    let session = connect(&address, Options::default()).await;
    let closing = async {
        joins.recv().await;
        session.close();
    };
    let (played, ()) = tokio::join!(play(&session), closing);
    assert!(matches!(played, Err(Error::Closed)));
    assert!(matches!(session.error(), Some(Error::Closed)));
}

#[tokio::test]
async fn token_that_no_header_can_hold_is_refused_before_anything_is_connected() {
    let options = Options { token: Some("a\nb".into()), ..Options::default() };
    assert!(matches!(Session::connect("127.0.0.1:1", options).await, Err(Error::Setup(_))));
}

#[test]
fn tokens_and_secrets_are_not_shown() {
    let options = Options { token: Some("caller".into()), secret: Some(b"secret".into()), ..Options::default() };
    let place = Place { token: Some("of the seat".into()), ..some_seat() };
    let shown = format!("{options:?} {place:?} {:?}", bearer("caller").unwrap());
    assert!(!["caller", "115, 101", "of the seat"].iter().any(|hidden| shown.contains(hidden)), "{shown}");
    assert!(shown.contains("Usual") && shown.contains("seat: A"), "{shown}");
}
