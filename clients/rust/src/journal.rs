use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use prost::Message;

use crate::{result::letter, v1::Seat};

const HEAD: &[u8] = b"UNODUOJ\x02";

/// Keeps what a seat saw and said, as evidence (PROTOCOL.md, "The journal"). Each record is one unbuffered write, so
/// that a killed client leaves at most a torn last record. Its owner alone can read it: it shows the hand of the seat.
pub(crate) struct Journal {
    file: fs::File,
    pub path: PathBuf,
}

impl Journal {
    /// Makes the file; it never overwrites evidence.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut file = owner_only().write(true).create_new(true).open(path)?;
        file.write_all(HEAD)?;
        Ok(Self { file, path: path.into() })
    }

    /// Makes every further record fail.
    #[cfg(test)]
    pub fn break_down(&mut self) {
        self.file = fs::File::open(&self.path).unwrap();
    }

    /// Adds a `JournalRecord`.
    pub fn keep(&mut self, record: &impl Message) -> io::Result<()> {
        let data = record.encode_to_vec();
        let length = u32::try_from(data.len()).map_err(io::Error::other)?;
        self.file.write_all(&[&length.to_be_bytes()[..], &data].concat())
    }
}

/// How to open files that their owner alone can read.
pub(crate) fn owner_only() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn make_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Returns where bots keep journals unless they are told where: `unoduo/journals` in `XDG_STATE_HOME`, by default
/// `~/.local/state`. It is made, for its owner alone.
///
/// # Errors
///
/// There is no such place.
pub fn journal_directory() -> io::Result<PathBuf> {
    state_directory(env::var_os("XDG_STATE_HOME").map(PathBuf::from))
}

fn state_directory(state: Option<PathBuf>) -> io::Result<PathBuf> {
    let state = match state.filter(|path| !path.as_os_str().is_empty()) {
        Some(path) => path,
        None => env::home_dir().ok_or_else(|| io::Error::other("there is no home directory"))?.join(".local/state"),
    };
    if !state.is_absolute() {
        return Err(io::Error::other(format!("{} is no absolute path", state.display())));
    }
    let directory = state.join("unoduo").join("journals");
    make_directory(&directory)?;
    Ok(directory)
}

/// Returns the path of a journal that is not there yet, in a directory that is made: a bot that was started again writes
/// another one.
///
/// # Errors
///
/// The directory cannot be made.
pub fn new_journal(directory: &Path, match_id: &[u8], seat: Seat) -> io::Result<PathBuf> {
    make_directory(directory)?;
    let name = |number| format!("{}-{}-{number}.journal", hex::encode(match_id), letter(seat));
    let paths = (1_u32..).map(|number| directory.join(name(number)));
    paths.into_iter().find(|path| !path.exists()).ok_or_else(|| io::Error::other("there are too many journals"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        testing::TempDir,
        v1::{JournalRecord, Ready, journal_record::Kind},
    };

    #[test]
    fn journal_holds_its_records_for_its_owner_alone() {
        let folder = TempDir::new();
        let path = folder.path.join("journal");
        let mut journal = Journal::create(&path).unwrap();
        let ready = Ready { h0: b"h0".into(), entropy: vec![] };
        journal.keep(&JournalRecord { kind: Some(Kind::Ready(ready)) }).unwrap();
        journal.keep(&JournalRecord::default()).unwrap();
        let due = b"UNODUOJ\x02\x00\x00\x00\x06\x32\x04\x0a\x02h0\x00\x00\x00\x00";
        assert_eq!(fs::read(&path).unwrap(), due);
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::MetadataExt::mode(&fs::metadata(&path).unwrap()) & 0o777, 0o600);
    }

    #[test]
    fn journal_never_overwrites_evidence() {
        let folder = TempDir::new();
        let path = folder.path.join("journal");
        Journal::create(&path).unwrap();
        assert_eq!(Journal::create(&path).err().unwrap().kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn journals_of_one_seat_are_numbered() {
        let folder = TempDir::new();
        let directory = state_directory(Some(folder.path.clone())).unwrap();
        for due in ["0aff-B-1.journal", "0aff-B-2.journal"] {
            let path = new_journal(&directory, &[0x0a, 0xff], Seat::B).unwrap();
            assert_eq!(path, folder.path.join("unoduo/journals").join(due));
            Journal::create(&path).unwrap();
        }
    }

    #[test]
    fn state_directory_is_absolute() {
        assert!(state_directory(Some("state".into())).is_err());
    }
}
