//! What other programs of the same user see of ours: no memory, no environment, no core, no session.

use crate::ground::{run, tools};
use ghostlight_tests::binaries::{CONNECTOR, EDGE, SERVICE};
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::user::available;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::{read, read_dir, read_link, read_to_string};
use std::os::unix::process::CommandExt as _;

const CLOSE_ON_EXEC: u32 = 0o2_000_000;

struct Running {
    home: Home,
    client: Client,
    _browser: FakeBrowser,
    /// Edge, service, connector.
    pids: [u32; 3],
}

/// All three at work, as a user who allowed core files of any size.
fn running(home: Home) -> Running {
    let browser = FakeBrowser::start(&home);
    let mut command = home.command("/bin/sh");
    command.args(["-c", "ulimit -c unlimited; umask 000; exec \"$0\""]).arg(home.program(EDGE));
    command.process_group(0);
    let mut client = Client::of(&mut command, Revision::November2025);
    client.initialize();
    client.open_tab();
    let pids = [EDGE, SERVICE, CONNECTOR].map(|name| match home.running(name)[..] {
        [pid] => pid,
        ref all => panic!("{name}: {all:?}"),
    });
    Running { home, client, _browser: browser, pids }
}

#[test]
fn not_even_the_same_user_looks_into_a_program_of_ours() {
    if !available("not_even_the_same_user_looks_into_a_program_of_ours") {
        return;
    }
    let running = running(Home::of_a_user());
    let user = running.home.user().unwrap();
    for pid in running.pids {
        for file in ["environ", "mem", "maps", "auxv"] {
            let told = user.shell(&format!("head -c 1 /proc/{pid}/{file}"));
            assert!(told.contains("Permission denied"), "{file}: {told}");
        }
        let told = user.shell(&format!("ls /proc/{pid}/fd"));
        assert!(told.contains("Permission denied"), "{told}");
        // The same user's shell is as open as any: this is no property of the machine.
        let told = user.shell("head -c 1 /proc/$$/maps >/dev/null && echo open");
        assert_eq!(told, "open\n");
    }
}

#[test]
fn descriptors_umask_core_limit_and_session_are_as_promised() {
    if !available("descriptors_umask_core_limit_and_session_are_as_promised") {
        return;
    }
    let running = running(Home::of_a_user());
    for pid in running.pids {
        let status = read_to_string(format!("/proc/{pid}/status")).unwrap();
        assert!(status.contains("Umask:\t0077"), "{status}");
        let limits = read_to_string(format!("/proc/{pid}/limits")).unwrap();
        let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        assert_eq!(core.split_whitespace().nth(4), Some("0"), "{core}");
        for entry in read_dir(format!("/proc/{pid}/fdinfo")).unwrap().flatten() {
            let number: u32 = entry.file_name().to_str().unwrap().parse().unwrap();
            let Ok(info) = read_to_string(entry.path()) else { continue };
            let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap();
            let flags = u32::from_str_radix(flags.trim(), 8).unwrap();
            let link = read_link(format!("/proc/{pid}/fd/{number}")).ok();
            // Whoever runs this test may leave some open for all.
            let given = link.is_some() && read_link(format!("/proc/self/fd/{number}")).ok() == link;
            assert!(number < 3 || given || flags & CLOSE_ON_EXEC != 0, "{pid}: {number} {link:?}");
        }
    }
    let [edge, service, _] = running.pids;
    let field = |pid: u32, number: usize| {
        let stat = read_to_string(format!("/proc/{pid}/stat")).unwrap();
        stat.rsplit(')').next().unwrap().split_whitespace().nth(number - 3).unwrap().to_owned()
    };
    assert_eq!(field(service, 6), service.to_string(), "it leads a session of its own");
    assert_ne!(field(service, 6), field(edge, 6));
    assert_eq!(field(service, 7), "0", "and has no terminal");
    for number in 0..3 {
        let link = read_link(format!("/proc/{service}/fd/{number}")).unwrap();
        assert_eq!(link.to_str(), Some("/dev/null"));
    }
    assert_eq!(read_link(format!("/proc/{service}/cwd")).unwrap().to_str(), Some("/"));
}

#[test]
fn a_service_sees_no_more_of_its_starters_environment_than_the_list() {
    if !available("a_service_sees_no_more_of_its_starters_environment_than_the_list") {
        return;
    }
    let home = Home::of_a_user();
    let mut command = crate::ground::edge(&home);
    command.env("GOOGLE_API_KEY", "secret").env("LD_LIBRARY_PATH", "/nowhere");
    assert!(tools(&mut command).is_ok());
    let environment = read(format!("/proc/{}/environ", home.running(SERVICE)[0])).unwrap();
    let text = String::from_utf8_lossy(&environment);
    for entry in text.split('\0').filter(|entry| !entry.is_empty()) {
        let name = entry.split('=').next().unwrap();
        let listed = ["HOME", "PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ"];
        assert!(listed.contains(&name) || name.starts_with("GHOSTLIGHT_"), "{name}");
    }
}

#[test]
fn a_crash_leaves_no_core_file() {
    let running = running(Home::new());
    for pid in running.pids {
        // Not QUIT, which whoever runs this in the background may have told all to ignore.
        ghostlight_tests::process::send(pid, Signal::ABORT);
    }
    ghostlight_tests::wait::until("the end of all three", ghostlight_tests::wait::LONG, || {
        running.pids.iter().all(|pid| !running.home.processes().contains(pid)).then_some(())
    });
    for folder in [running.home.path(), std::path::Path::new("/")] {
        for entry in read_dir(folder).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let dumped = name == "core" || name.starts_with("core.");
            assert!(!dumped, "{}", entry.path().display());
        }
    }
}

#[test]
fn an_interrupt_at_the_clients_terminal_does_not_reach_the_service() {
    let mut running = running(Home::new());
    let [edge, service, _] = running.pids;
    kill_process_group(Pid::from_raw(edge.cast_signed()).unwrap(), Signal::INT).unwrap();
    running.client.process.ended();
    assert_eq!(running.home.running(SERVICE), [service]);
    let status = run(&mut crate::ground::ghostlight(&running.home, &["status"]));
    assert_eq!(status.code, Some(0), "{}", status.text);
}
