//! What a soak came to: outcomes, and the numbers that have to be zero.

use crate::cut::End;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{read_dir, read_link, read_to_string};
use std::path::PathBuf;
use std::time::Duration;

/// Resident memory of one program over the run, in KiB: the least of its processes at each look.
#[derive(Debug, Default)]
pub struct Memory(BTreeMap<&'static str, Vec<(Duration, u64)>>);

#[derive(Debug, Default)]
pub struct Account {
    pub calls: u64,
    /// By tool and end.
    pub ends: BTreeMap<(&'static str, End), u64>,
    pub cuts: BTreeMap<String, u64>,
    /// Effects that happened more than once, and answers that say otherwise than the page.
    pub duplicates: Vec<String>,
    pub contradictions: Vec<String>,
    /// Calls without an answer in their time.
    pub unanswered: Vec<String>,
    pub unclear: BTreeMap<&'static str, String>,
    pub leaked_tabs: i64,
    pub leaked_sockets: i64,
    pub leaked_processes: i64,
    pub leaked_descriptors: i64,
    pub broken_audit: i64,
    pub memory: Memory,
}

impl Memory {
    pub fn look(&mut self, at: Duration, program: &'static str, pids: &[u32]) {
        let resident = pids.iter().filter_map(|pid| resident(*pid)).min();
        if let Some(resident) = resident {
            self.0.entry(program).or_default().push((at, resident));
        }
    }

    /// KiB an hour by least squares, and the last value.
    fn slopes(&self) -> Vec<(&'static str, f64, u64)> {
        let slope = |looks: &[(Duration, u64)]| {
            let count = looks.len() as f64;
            let (mut at, mut size) = (0.0, 0.0);
            for (time, resident) in looks {
                at += time.as_secs_f64() / count;
                size += *resident as f64 / count;
            }
            let (mut above, mut below) = (0.0, f64::EPSILON);
            for (time, resident) in looks {
                let left = time.as_secs_f64() - at;
                above += left * (*resident as f64 - size);
                below += left * left;
            }
            above / below * 3600.0
        };
        let last = |looks: &[(Duration, u64)]| looks.last().map_or(0, |(_, resident)| *resident);
        self.0.iter().map(|(program, looks)| (*program, slope(looks), last(looks))).collect()
    }
}

fn resident(pid: u32) -> Option<u64> {
    let status = read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A process's open sockets, files of its own and what it waits on; none when they cannot be seen. What it
/// inherited from whoever started it is theirs.
#[must_use]
pub fn descriptors(pid: u32) -> Option<i64> {
    let links = read_dir(format!("/proc/{pid}/fd")).ok()?.flatten();
    let targets = links.filter_map(|link| read_link(link.path()).ok());
    let own = |target: &PathBuf| {
        !target.starts_with("/dev") && !target.to_string_lossy().starts_with("pipe:")
    };
    i64::try_from(targets.filter(own).count()).ok()
}

impl Account {
    /// The numbers that have to be zero, with their names.
    #[must_use]
    pub fn zeros(&self) -> [(&'static str, i64); 8] {
        let count = |list: &[String]| i64::try_from(list.len()).unwrap_or(i64::MAX);
        [
            ("duplicates", count(&self.duplicates)),
            ("contradictions", count(&self.contradictions)),
            ("unanswered", count(&self.unanswered)),
            ("leaked tabs", self.leaked_tabs),
            ("leaked sockets", self.leaked_sockets),
            ("leaked processes", self.leaked_processes),
            ("leaked descriptors", self.leaked_descriptors),
            ("broken audit", self.broken_audit),
        ]
    }

    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.zeros().iter().all(|(_, number)| *number == 0)
    }

    #[must_use]
    pub fn table(&self, took: Duration) -> String {
        let mut table = String::new();
        let _ = writeln!(table, "{:<28} {:>10.0} s", "time", took.as_secs_f64());
        let _ = writeln!(table, "{:<28} {:>10}", "calls", self.calls);
        for ((tool, end), count) in &self.ends {
            let _ = writeln!(table, "{:<28} {count:>10}", format!("  {tool} {end:?}"));
        }
        for (cut, count) in &self.cuts {
            let _ = writeln!(table, "{:<28} {count:>10}", format!("cut: {cut}"));
        }
        for (name, number) in self.zeros() {
            let _ = writeln!(table, "{name:<28} {number:>10}");
        }
        for (program, slope, last) in self.memory.slopes() {
            let name = format!("memory of {program}");
            let _ = writeln!(table, "{name:<28} {last:>10} KiB at the end, {slope:+.0} KiB/h");
        }
        for (tool, words) in &self.unclear {
            let _ = writeln!(table, "? {tool}: {words}");
        }
        for line in [&self.duplicates, &self.contradictions, &self.unanswered].into_iter().flatten()
        {
            let _ = writeln!(table, "! {line}");
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_that_is_not_zero_spoils_the_account_and_shows() {
        let mut account = Account::default();
        assert!(account.is_clean());
        account.contradictions.push("7 clicked twice".to_owned());
        assert!(!account.is_clean());
        let table = account.table(Duration::from_secs(9));
        assert!(table.contains("! 7 clicked twice"), "{table}");
    }

    #[test]
    fn memory_that_grows_has_a_slope() {
        let looks = (0..10).map(|n| (Duration::from_secs(n), 100 + n)).collect();
        let slopes = Memory(BTreeMap::from([("x", looks)])).slopes();
        assert!((slopes[0].1 - 3600.0).abs() < 1.0, "{slopes:?}");
    }
}
