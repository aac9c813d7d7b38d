use std::{
    ffi::OsString,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use lexopt::{Arg, Parser, ValueExt};

use crate::{
    channel::Security,
    error::Error,
    journal::owner_only,
    session::{DEFAULT_PATIENCE, Place, SECRET_BYTES, random_secret},
    v1::Seat,
};

const SEAT_VARIABLE: &str = "UNODUO_SEAT_TOKEN";
const BOT_VARIABLE: &str = "UNODUO_BOT_TOKEN";

/// What `--help` says.
pub(crate) const HELP: &str = "\
--address HOST:PORT (--match ID --seat A|B | --assigned) [OPTION ...]

Plays one seat of a match of UNO Duo, or all matches assigned to a bot.

  --address HOST:PORT  where the referee listens
  --match ID           the id of the match, 32 hex digits
  --seat A|B           the seat
  --assigned           play every match that is assigned to the bot whose token this is
  --token-file FILE    a file that holds the token, if the environment does not
  --tls-ca FILE        speak TLS and trust the certificates of this PEM file; without it plaintext is spoken on this
                       machine, and to any other TLS with the certificates that the system trusts
  --insecure           speak plaintext to any machine
  --patience SECONDS   for how long to try to reach a referee that is not there, also at the beginning; without it not
                       at the beginning, and 60 seconds later; 0: never again
  --journal FILE       keep what the seat sees and says in this new file, with --assigned in files of this directory;
                       without it in a new file of unoduo/journals of XDG_STATE_HOME (~/.local/state)
  --no-journal         keep no journal, hence no evidence
  --secret-file FILE   the secret behind the bot's part in the deal, made if it is not there; keeps it over a restart

The token is that of the seat in UNODUO_SEAT_TOKEN, or with --assigned that of the bot in UNODUO_BOT_TOKEN.

exit codes: 0 the match has ended, 1 it could not be played to its end, 2 wrong usage";

/// Those of the program.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub address: String,
    pub place: Option<Place>, // none: whatever is assigned
    pub token: Token,
    pub security: Security,
    pub journal: Keeping,
    pub secret_file: Option<PathBuf>,
    pub patience: Duration,
    pub start_patience: Duration,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Token {
    Given(String),
    InFile(PathBuf),
}

/// Where to keep journals.
#[derive(Debug, PartialEq)]
pub(crate) enum Keeping {
    Usual,
    At(PathBuf),
    Nowhere,
}

/// The arguments as they are written; none of them is needed yet.
#[derive(Default)]
struct Words {
    address: Option<String>,
    match_id: Option<Vec<u8>>,
    seat: Option<Seat>,
    is_assigned: bool,
    token_file: Option<PathBuf>,
    tls_ca: Option<PathBuf>,
    is_insecure: bool,
    patience: Option<Duration>,
    journal: Option<PathBuf>,
    no_journal: bool,
    secret_file: Option<PathBuf>,
}

/// Returns the arguments, or none if help is asked for; the error says what is wrong.
pub(crate) fn parse(
    words: impl IntoIterator<Item = OsString>,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Option<Arguments>, String> {
    let Some(words) = read(words).map_err(|error| error.to_string())? else {
        return Ok(None);
    };
    let place = match (words.match_id, words.seat, words.is_assigned) {
        (Some(match_id), Some(seat), false) => Some(Place { match_id, seat, ..Place::default() }),
        (None, None, true) => None,
        _ => return Err("give either --match and --seat or --assigned".into()),
    };
    let variable = if words.is_assigned { BOT_VARIABLE } else { SEAT_VARIABLE };
    let token = match (environment(variable).filter(|token| !token.is_empty()), words.token_file) {
        (Some(token), _) if is_token(&token) => Token::Given(token),
        (Some(_), _) => return Err(format!("the token in {variable} has characters that no token has")),
        (None, Some(path)) => Token::InFile(path),
        (None, None) => return Err(format!("no token: set {variable} or give --token-file")),
    };
    let security = match (words.tls_ca, words.is_insecure) {
        (Some(_), true) => return Err("give --tls-ca or --insecure, not both".into()),
        (Some(path), false) => Security::Ca(path),
        (None, true) => Security::Insecure,
        (None, false) => Security::Usual,
    };
    let journal = match (words.journal, words.no_journal) {
        (Some(_), true) => return Err("give --journal or --no-journal, not both".into()),
        (Some(path), false) => Keeping::At(path),
        (None, true) => Keeping::Nowhere,
        (None, false) => Keeping::Usual,
    };
    Ok(Some(Arguments {
        address: words.address.ok_or("--address is missing")?,
        place,
        token,
        security,
        journal,
        secret_file: words.secret_file,
        patience: words.patience.unwrap_or(DEFAULT_PATIENCE),
        start_patience: words.patience.unwrap_or_default(),
    }))
}

fn read(words: impl IntoIterator<Item = OsString>) -> Result<Option<Words>, lexopt::Error> {
    let mut read = Words::default();
    let mut parser = Parser::from_args(words);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(None),
            Arg::Long("address") => read.address = Some(parser.value()?.string()?),
            Arg::Long("match") => read.match_id = Some(parser.value()?.parse_with(match_id)?),
            Arg::Long("seat") => read.seat = Some(parser.value()?.parse_with(seat)?),
            Arg::Long("assigned") => read.is_assigned = true,
            Arg::Long("token-file") => read.token_file = Some(parser.value()?.into()),
            Arg::Long("tls-ca") => read.tls_ca = Some(parser.value()?.into()),
            Arg::Long("insecure") => read.is_insecure = true,
            Arg::Long("patience") => read.patience = Some(parser.value()?.parse_with(seconds)?),
            Arg::Long("journal") => read.journal = Some(parser.value()?.into()),
            Arg::Long("no-journal") => read.no_journal = true,
            Arg::Long("secret-file") => read.secret_file = Some(parser.value()?.into()),
            unknown => return Err(unknown.unexpected()),
        }
    }
    Ok(Some(read))
}

fn match_id(text: &str) -> Result<Vec<u8>, &'static str> {
    let id = hex::decode(text).ok().filter(|id| id.len() == 16);
    id.ok_or("a match id has 32 hex digits")
}

fn seat(text: &str) -> Result<Seat, &'static str> {
    match text {
        "A" => Ok(Seat::A),
        "B" => Ok(Seat::B),
        _ => Err("a seat is A or B"),
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..1e9).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("this is no number of seconds")
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|char| (' '..='~').contains(&char))
}

/// Returns the token, from its file if it is in one.
pub(crate) fn read_token(token: &Token) -> Result<String, Error> {
    let path = match token {
        Token::Given(token) => return Ok(token.clone()),
        Token::InFile(path) => path,
    };
    let text = fs::read(path).map_err(|error| unreadable(path, &error))?;
    let token = String::from_utf8(text).unwrap_or_default().trim().to_owned();
    if is_token(&token) { Ok(token) } else { Err(Error::Setup(format!("{} holds no token", path.display()))) }
}

/// Returns the secret kept in a file, and makes the file first if there is none.
pub(crate) fn read_secret(path: &Path) -> Result<Vec<u8>, Error> {
    match owner_only().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(&random_secret()).map_err(|error| unreadable(path, &error))?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(unreadable(path, &error)),
    }
    let secret = fs::read(path).map_err(|error| unreadable(path, &error))?;
    if secret.len() < SECRET_BYTES {
        let message = format!("{} holds no secret of at least {SECRET_BYTES} bytes", path.display());
        return Err(Error::Setup(message));
    }
    Ok(secret)
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::Setup(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDir;

    const ONE_SEAT: &str = "--address host:1 --match 000102030405060708090a0b0c0d0e0f --seat B";

    fn parse_line(line: &str, environment: &[(&str, &str)]) -> Result<Arguments, String> {
        let find = |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
        parse(line.split_whitespace().map(OsString::from), find)
            .map(|arguments| arguments.expect("no help is asked for"))
    }

    #[test]
    fn arguments_name_one_seat() {
        let line = format!("{ONE_SEAT} --tls-ca ca.pem --journal j --secret-file s");
        let both = [("UNODUO_SEAT_TOKEN", "T"), ("UNODUO_BOT_TOKEN", "other")];
        let arguments = parse_line(&line, &both).unwrap();
        let place = arguments.place.unwrap();
        assert_eq!((place.match_id[15], place.seat), (15, Seat::B));
        assert_eq!((arguments.address.as_str(), arguments.token), ("host:1", Token::Given("T".into())));
        assert_eq!(arguments.security, Security::Ca("ca.pem".into()));
        assert_eq!(arguments.journal, Keeping::At("j".into()));
        assert_eq!(arguments.secret_file, Some("s".into()));
        assert_eq!((arguments.patience, arguments.start_patience), (DEFAULT_PATIENCE, Duration::ZERO));
    }

    #[test]
    fn arguments_name_a_bot() {
        let both = [("UNODUO_SEAT_TOKEN", "other"), ("UNODUO_BOT_TOKEN", "T")];
        let arguments = parse_line("--address host:1 --assigned --insecure --no-journal", &both).unwrap();
        assert!(arguments.place.is_none());
        assert_eq!((arguments.token, arguments.security), (Token::Given("T".into()), Security::Insecure));
        assert_eq!(arguments.journal, Keeping::Nowhere);
    }

    #[test]
    fn patience_holds_at_the_beginning_too() {
        for (text, due) in [("2.5", Duration::from_millis(2500)), ("0", Duration::ZERO)] {
            let arguments = parse_line(&format!("{ONE_SEAT} --token-file t --patience {text}"), &[]).unwrap();
            assert_eq!((arguments.patience, arguments.start_patience), (due, due));
        }
    }

    #[test]
    fn wrong_usage_is_named_in_a_line() {
        let whole = format!("{ONE_SEAT} --token-file t");
        for (line, due) in [
            (format!("{whole} more"), "more"),
            (format!("{whole} --nothing"), "--nothing"),
            (format!("{whole} --assigned"), "--assigned"),
            (format!("{whole} --tls-ca x --insecure"), "--insecure"),
            (format!("{whole} --journal x --no-journal"), "--no-journal"),
            (format!("{whole} --patience long"), "seconds"),
            (format!("{whole} --patience=-1"), "seconds"),
            (format!("{whole} --patience NaN"), "seconds"),
            (format!("{whole} --seat C"), "A or B"),
            (format!("{whole} --match 00"), "32 hex digits"),
            (ONE_SEAT.into(), "UNODUO_SEAT_TOKEN"),
            ("--address host:1 --assigned".into(), "UNODUO_BOT_TOKEN"),
            ("--address host:1 --token-file t".into(), "--match"),
            ("--address h:1 --seat A --token-file t".into(), "--match"),
            ("--assigned --token-file t".into(), "--address"),
            ("--address h:1 --seat A --assigned".into(), "--seat"),
        ] {
            let error = parse_line(&line, &[]).unwrap_err();
            assert!(error.contains(due) && !error.contains('\n'), "{line}: {error}");
        }
        assert!(parse_line(ONE_SEAT, &[("UNODUO_SEAT_TOKEN", "a\nb")]).is_err());
    }

    #[test]
    fn help_is_given_whatever_else_is_said() {
        let words = ["--address", "host:1", "--help"].map(OsString::from);
        assert!(parse(words, |_| None).unwrap().is_none());
    }

    #[test]
    fn token_file_holds_one_token() {
        let folder = TempDir::new();
        let path = folder.path.join("token");
        for (content, due) in [(&b" T\n"[..], Some("T")), (b"", None), (b"a\nb", None), (b"\xff", None)] {
            fs::write(&path, content).unwrap();
            assert_eq!(read_token(&Token::InFile(path.clone())).ok().as_deref(), due, "{content:?}");
        }
    }

    #[test]
    fn secret_file_is_made_once_for_its_owner_alone() {
        let folder = TempDir::new();
        let path = folder.path.join("secret");
        let first = read_secret(&path).unwrap();
        assert_eq!((first.len(), &first), (SECRET_BYTES, &read_secret(&path).unwrap()));
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::MetadataExt::mode(&fs::metadata(&path).unwrap()) & 0o777, 0o600);
        fs::write(&path, "short").unwrap();
        assert!(read_secret(&path).is_err());
    }
}
