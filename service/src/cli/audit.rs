//! `ghostlight audit`: whether every record is there, and what happens while none can be written.

use super::{control, print};
use crate::audit::{Fault, Part, Verified, set_proceeding, verify};
use ghostlight_transport::instance::Instance;
use ghostlight_transport::place::Place;
use ghostlight_transport::stderr::Stderr;
use lexopt::Arg::{Long, Short, Value};
use std::fmt::Write as _;
use std::process::ExitCode;

const USAGE: &str = "\
ghostlight [--instance NAME] audit verify | refuse | proceed

  verify    whether every record is there, as it was written
  refuse    while a record cannot be written, refuse what it is about (so it is until you say otherwise)
  proceed   while a record cannot be written, go on without it

The audit lies in the state directory: audit.jsonl, and audit.jsonl.1 once that was full (50 MiB). Each line
is one record and names the SHA-256 of the line before it; audit.head names the first and the last one.
An effect has an intent before it and a terminal after it, with the same id. Effects that a service left open
when it died are marked unresolved by the next one. No record holds arguments, page text or full addresses.

While a record cannot be written (disk full, directory read-only), effects are refused and nothing of them is
done, unless you have said `proceed`; reading goes on. `ghostlight doctor` says so, and how many records were lost.

The chain finds what was removed, changed or moved by somebody who did not rewrite everything after it. It is
no proof against a program of the same user that does.

exit codes of verify
  0   every record is there, as it was written
  1   a record was removed, changed or moved; the lines are named
  2   the command line is wrong
  3   there is no record yet
  4   the audit cannot be read";

const BROKEN: u8 = 1;
const NOTHING: u8 = 3;
const UNREADABLE: u8 = 4;

pub(super) fn run(
    parser: &mut lexopt::Parser,
    instance: &Instance,
    stderr: &Stderr,
) -> Result<ExitCode, lexopt::Error> {
    match parser.next()? {
        Some(Long("help") | Short('h')) => Ok(print::out(USAGE)),
        Some(Value(what)) if what == "verify" => {
            super::nothing_more(parser)?;
            Ok(verified(instance, stderr))
        }
        Some(Value(what)) if what == "refuse" || what == "proceed" => {
            super::nothing_more(parser)?;
            Ok(set(instance, what == "proceed", stderr))
        }
        Some(other) => Err(other.unexpected()),
        None => Err("audit needs what to do: verify, refuse or proceed".into()),
    }
}

fn set(instance: &Instance, proceeds: bool, stderr: &Stderr) -> ExitCode {
    let place = Place::open(instance);
    match place.and_then(|place| set_proceeding(&place, proceeds)) {
        Ok(()) if proceeds => {
            print::out("While a record cannot be written, agents go on without it.")
        }
        Ok(()) => print::out("While a record cannot be written, what it is about is refused."),
        Err(error) => {
            stderr.log(error);
            ExitCode::FAILURE
        }
    }
}

fn verified(instance: &Instance, stderr: &Stderr) -> ExitCode {
    let place = match control::place(instance) {
        Ok(place) => place,
        Err(error) if error.is_no_directory() => return nothing(),
        Err(error) => {
            stderr.log(error);
            return ExitCode::from(UNREADABLE);
        }
    };
    match verify(&place) {
        Ok(None) => nothing(),
        Ok(Some(verified)) => {
            let printed = print::out(&text(&verified));
            if verified.faults.is_empty() { printed } else { ExitCode::from(BROKEN) }
        }
        Err(error) => {
            stderr.log(error);
            ExitCode::from(UNREADABLE)
        }
    }
}

fn nothing() -> ExitCode {
    print::out("There is no record yet.");
    ExitCode::from(NOTHING)
}

fn text(verified: &Verified) -> String {
    if verified.faults.is_empty() {
        return format!("{} records, all there and as they were written.", verified.records);
    }
    let mut text = format!("{} records, and not as they were written:", verified.records);
    for fault in &verified.faults {
        let _ = write!(text, "\n  {}", words(*fault));
    }
    if verified.more > 0 {
        let _ = write!(text, "\n  and {} more", verified.more);
    }
    text
}

fn words(fault: Fault) -> String {
    let name = |part| match part {
        Part::Rotated => "audit.jsonl.1",
        Part::Current => "audit.jsonl",
    };
    match fault {
        Fault::Broken { part, line } => format!(
            "{} line {line}: does not follow what was before it; a record there was removed or changed",
            name(part)
        ),
        Fault::Found { part, line } => format!(
            "{} line {line}: a service that started here found the records before it removed or changed",
            name(part)
        ),
        Fault::End => {
            "the last record that was written is not there any more, or was changed".into()
        }
        Fault::NoHead => "audit.head, which names the first and the last record, is gone".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_own_words_and_its_place() {
        let at = |part| [Fault::Broken { part, line: 7 }, Fault::Found { part, line: 7 }];
        let placed = [at(Part::Rotated), at(Part::Current)].concat();
        assert!(placed.iter().all(|fault| words(*fault).contains("line 7")));
        let all: Vec<_> = placed.into_iter().chain([Fault::End, Fault::NoHead]).collect();
        let different: std::collections::BTreeSet<_> = all.iter().map(|f| words(*f)).collect();
        assert_eq!(different.len(), all.len());
        let verified = Verified { records: 9, faults: all, more: 3 };
        assert!(text(&verified).ends_with("and 3 more"));
    }
}
