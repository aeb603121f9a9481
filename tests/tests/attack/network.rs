//! No port and no abstract name: nothing of ours can be reached but through the state directory.

use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::user::available;
use std::collections::HashSet;
use std::fs::{read_dir, read_link, read_to_string};

/// The kernel's lists of what is open, and the column in which each names the socket.
const PORTS: [&str; 6] = ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"];
const INODE: usize = 9;

fn sockets(pid: u32) -> HashSet<String> {
    let folder = read_dir(format!("/proc/{pid}/fd"));
    let entries = folder.expect("root may look (needs CAP_SYS_PTRACE)").flatten();
    let links = entries.filter_map(|entry| read_link(entry.path()).ok());
    let inode = |link: std::path::PathBuf| {
        Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())
    };
    links.filter_map(inode).collect()
}

#[test]
fn three_working_programs_have_no_port_and_no_abstract_socket() {
    if !available("three_working_programs_have_no_port_and_no_abstract_socket") {
        return;
    }
    let home = Home::of_a_user();
    let _browser = FakeBrowser::start(&home);
    let mut client = Client::with_workspace(&home, Revision::November2025);
    client.open_tab();
    let processes = home.processes();
    assert_eq!(processes.len(), 3, "edge, service and connector");
    let ours: HashSet<String> = processes.into_iter().flat_map(sockets).collect();
    assert!(ours.len() >= 6, "two listeners and the ends of two connections: {ours:?}");
    let uid = home.user().unwrap().uid.to_string();
    for list in PORTS {
        let text = read_to_string(format!("/proc/net/{list}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let columns: Vec<&str> = line.split_whitespace().collect();
            assert!(!ours.contains(columns[INODE]), "{list}: {line}");
            assert_ne!(columns[INODE - 2], uid, "{list}: {line}");
        }
    }
    let mut named = Vec::new();
    for line in read_to_string("/proc/net/unix").unwrap().lines().skip(1) {
        let columns: Vec<&str> = line.split_whitespace().collect();
        if ours.contains(columns[6]) && columns.len() > 7 {
            named.push(columns[7].to_owned());
        }
    }
    assert!(!named.is_empty(), "the listeners have names");
    for name in named {
        assert!(name.starts_with("/proc/self/fd/") && name.ends_with(".sock"), "{name}");
    }
}
