use std::{
    env,
    path::{Path, PathBuf},
    process::exit,
    sync::Arc,
};

use log::{LevelFilter, Log, Metadata, Record};
use tokio::{runtime, select, signal, task::JoinSet};

use crate::{
    arguments::{Arguments, HELP, Keeping, parse, read_secret, read_token},
    decisions::{Answer, Bot, BoxedBot, boxed},
    error::Error,
    journal::{journal_directory, new_journal},
    result::letter,
    session::{Options, Place, Session},
};

const FAILED: i32 = 1;
const MISUSED: i32 = 2;

/// Is the main program of a bot: it plays what the arguments of the process say, prints a line for each match that has
/// ended, and exits with 0, with 1 if the match could not be played to its end (a line on stderr says why), or with 2 for
/// wrong usage. With `--assigned` it plays all matches of a bot until it is interrupted.
///
/// The bot of each match is made from the seed for the dice of an assigned match, none for one that the arguments name.
pub fn run<A: Into<Answer> + 'static, B: Bot<A>>(make_bot: impl Fn(Option<&[u8]>) -> B) -> ! {
    let mut words = env::args_os();
    let name = words.next().map(PathBuf::from);
    let name = name.as_deref().and_then(Path::file_stem).unwrap_or("bot".as_ref());
    let program: Arc<str> = name.to_string_lossy().into();
    let code = match parse(words, |name| env::var(name).ok()) {
        Ok(None) => {
            println!("usage: {program} {HELP}");
            0
        }
        Ok(Some(arguments)) => perform(&arguments, &program, |seed| boxed(make_bot(seed))),
        Err(error) => {
            eprintln!("{program}: {error}; see --help");
            MISUSED
        }
    };
    exit(code)
}

fn perform(arguments: &Arguments, program: &Arc<str>, make_bot: impl Fn(Option<&[u8]>) -> BoxedBot) -> i32 {
    if log::set_boxed_logger(Box::new(Warnings(Arc::clone(program)))).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
    let runtime = match runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{program}: {error}");
            return FAILED;
        }
    };
    let done = runtime.block_on(async {
        select! {
            played = play(arguments, program, make_bot) => played.map_err(|error| error.to_string()),
            _ = signal::ctrl_c() => Err("interrupted".into()),
        }
    });
    runtime.shutdown_background(); // a bot may still be thinking
    match done {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{program}: {error}");
            FAILED
        }
    }
}

async fn play(
    arguments: &Arguments,
    program: &Arc<str>,
    make_bot: impl Fn(Option<&[u8]>) -> BoxedBot,
) -> Result<(), Error> {
    let options = Options {
        token: Some(read_token(&arguments.token)?),
        security: arguments.security.clone(),
        secret: arguments.secret_file.as_deref().map(read_secret).transpose()?,
        patience: arguments.patience,
        start_patience: arguments.start_patience,
        ..Options::default()
    };
    let session = Session::connect(&arguments.address, options).await?;
    match &arguments.place {
        Some(place) => play_one(&session, place, &arguments.journal, program, make_bot(None)).await,
        None => play_assigned(&session, arguments, program, make_bot).await,
    }
}

/// Plays every match that is assigned, at once, until the session ends.
async fn play_assigned(
    session: &Session,
    arguments: &Arguments,
    program: &Arc<str>,
    make_bot: impl Fn(Option<&[u8]>) -> BoxedBot,
) -> Result<(), Error> {
    let journals = match &arguments.journal {
        Keeping::At(directory) => Some(directory.clone()),
        Keeping::Usual => usual_journals(program),
        Keeping::Nowhere => None,
    };
    let mut games = JoinSet::new();
    loop {
        select! {
            assigned = session.next_assigned() => match assigned {
                Ok(assigned) => {
                    let place = Place { seat: assigned.seat(), match_id: assigned.match_id, ..Place::default() };
                    let bot = make_bot(Some(&assigned.bot_seed));
                    let game = play_of_many(session.clone(), place, journals.clone(), Arc::clone(program), bot);
                    games.spawn(game);
                }
                Err(error) => {
                    games.join_all().await;
                    return Err(error);
                }
            },
            Some(_) = games.join_next() => {} // it has told its end
        }
    }
}

async fn play_of_many(session: Session, place: Place, journals: Option<PathBuf>, program: Arc<str>, bot: BoxedBot) {
    let named = format!("match {}, seat {}", hex::encode(&place.match_id), letter(place.seat));
    let journal = journals.map(|directory| new_journal(&directory, &place.match_id, place.seat)).transpose();
    let played = match journal {
        Ok(journal) => play_and_tell(&session, Place { journal, ..place }, bot).await,
        Err(error) => Err(Error::Journal(error.to_string())),
    };
    if let Err(error) = played
        && session.error().is_none()
    {
        eprintln!("{program}: {named}: {error}"); // the end of a session is told once, for all matches
    }
}

async fn play_one(
    session: &Session,
    place: &Place,
    keeping: &Keeping,
    program: &str,
    bot: BoxedBot,
) -> Result<(), Error> {
    let journal = match keeping {
        Keeping::At(path) => Some(path.clone()),
        Keeping::Usual => usual_journals(program)
            .map(|directory| new_journal(&directory, &place.match_id, place.seat))
            .transpose()
            .map_err(|error| Error::Journal(error.to_string()))?,
        Keeping::Nowhere => None,
    };
    play_and_tell(session, Place { journal, ..place.clone() }, bot).await
}

async fn play_and_tell(session: &Session, place: Place, bot: BoxedBot) -> Result<(), Error> {
    println!("{}", session.play(place, bot).await?);
    Ok(())
}

/// Where to keep journals that nobody asked for: a machine without such a place plays on.
fn usual_journals(program: &str) -> Option<PathBuf> {
    let directory = journal_directory();
    if let Err(error) = &directory {
        eprintln!("{program}: no journal is kept: {error}");
    }
    directory.ok()
}

/// Writes what goes wrong and is mended to stderr.
struct Warnings(Arc<str>);

impl Log for Warnings {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.target().starts_with("unoduo_client")
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            eprintln!("{}: {}", self.0, record.args());
        }
    }

    fn flush(&self) {}
}
