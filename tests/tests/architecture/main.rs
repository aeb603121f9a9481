//! The invariants of ARCHITECTURE.md: each test fails when one of them is broken.

mod dependencies;
mod source;
mod words;

use source::{Source, all, root};
use std::collections::BTreeMap;

/// Fails with one line per finding.
fn check(rule: &str, findings: impl IntoIterator<Item = String>) {
    let findings: Vec<String> = findings.into_iter().collect();
    assert!(findings.is_empty(), "{rule}\n  {}", findings.join("\n  "));
}

fn product() -> Vec<Source> {
    all().into_iter().filter(|source| !source.is_test()).collect()
}

/// Product lines of `folder` that contain one of `words`, as `path:line: word`.
fn lines_with(sources: &[Source], folder: &str, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| source.path.starts_with(folder)) {
        for (number, line) in source.product() {
            for word in words.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{}:{number}: {word}", source.path));
            }
        }
    }
    found
}

/// The files that touch the world: sockets, files, processes, the clock. All others are pure.
const DRIVERS: &[&str] = &[
    "browser/src/lib.rs",
    "browser/src/relay.rs",
    "edge/src/bridge.rs",
    "edge/src/edge.rs",
    "edge/src/lib.rs",
    "edge/src/run.rs",
    "service/src/audit.rs",
    "service/src/audit/setting.rs",
    "service/src/audit/trail.rs",
    "service/src/audit/writer.rs",
    "service/src/browser/connection.rs",
    "service/src/browser/errand.rs",
    "service/src/cli.rs",
    "service/src/cli/browser.rs",
    "service/src/cli/checks.rs",
    "service/src/cli/chromium.rs",
    "service/src/cli/control.rs",
    "service/src/cli/print.rs",
    "service/src/cli/profile.rs",
    "service/src/cli/service.rs",
    "service/src/crew.rs",
    "service/src/engine.rs",
    "service/src/lanes.rs",
    "service/src/pipeline.rs",
    "service/src/pipeline/admission.rs",
    "service/src/pipeline/outcome.rs",
    "service/src/serve.rs",
    "service/src/serve/door.rs",
    "service/src/serve/watch.rs",
    "service/src/stream.rs",
    "service/src/stream/call.rs",
    "service/src/tab.rs",
    "transport/src/child.rs",
    "transport/src/endpoint.rs",
    "transport/src/hardening.rs",
    "transport/src/key.rs",
    "transport/src/link.rs",
    "transport/src/lock.rs",
    "transport/src/place.rs",
    "transport/src/program.rs",
    "transport/src/start.rs",
    "transport/src/stderr.rs",
    "transport/src/stdio.rs",
    "transport/src/stop.rs",
    "transport/src/user.rs",
];

#[test]
fn only_listed_drivers_touch_the_world() {
    const WORLD: &[&str] = &[
        "async_channel::",
        "async_executor::",
        "async_io::",
        "async_signal::",
        "blocking::",
        "futures_lite::",
        "std::fs",
        "std::net",
        "std::process::Command",
        "std::process::Child",
        "std::process::id",
        "std::process::exit",
        "std::os::unix::net",
        "rustix::",
        "Instant::now",
        "SystemTime::now",
        "Timer::",
        "getrandom::",
        "std::env",
        "std::io::std",
    ];
    let sources = product();
    let rust: Vec<Source> = sources.into_iter().filter(Source::is_rust).collect();
    let findings = lines_with(&rust, "", WORLD)
        .into_iter()
        .filter(|finding| !DRIVERS.iter().any(|driver| finding.starts_with(&format!("{driver}:"))));
    check("a pure file takes bytes, events and time as arguments", findings);
    let missing =
        DRIVERS.iter().filter(|driver| !rust.iter().any(|source| source.path == **driver));
    check("every listed driver exists", missing.map(|driver| (*driver).to_owned()));
}

#[test]
fn the_service_names_no_client_protocol() {
    let words = [
        "2025-11-25",
        "2026-07-28",
        "2025_11_25",
        "2026_07_28",
        "jsonrpc",
        "JSON-RPC",
        "stdio",
        "tasks/",
        "MCP",
        "Mcp",
    ];
    let findings = lines_with(&product(), "service/src", &words);
    check("the client's protocol ends at the edge", findings);
}

#[test]
fn the_edge_names_no_browser_or_policy_concept() {
    let words = ["tabId", "tab_id", "cdp", "chrome", "browser_wire", "scheduler", "audit"];
    check("the edge knows tools only by the catalog", lines_with(&product(), "edge/src", &words));
}

#[test]
fn the_connector_reads_no_payload() {
    check(
        "the connector copies frames",
        lines_with(&product(), "browser/src", &["serde_json", "browser_wire", "bridge::From"]),
    );
}

#[test]
fn a_pid_is_for_logs_only() {
    const ALLOWED: &[&str] = &["service/src/cli/status.rs", "service/src/engine.rs"];
    let mut findings = Vec::new();
    for source in product().iter().filter(|source| source.path.starts_with("service/src")) {
        for (number, _) in
            source.words().filter(|(_, word)| ["pid", "pids"].contains(&word.as_str()))
        {
            if !ALLOWED.contains(&source.path.as_str()) {
                findings.push(format!("{}:{number}", source.path));
            }
        }
    }
    check("no process id in service state", findings);
}

#[test]
fn nothing_is_named_by_age() {
    let mut findings = Vec::new();
    for source in all() {
        for (number, word) in source.words() {
            if ["legacy", "modern"].contains(&word.as_str()) && !source.path.starts_with("tests/") {
                findings.push(format!("{}:{number}: {word}", source.path));
            }
        }
        for (number, line) in source.product() {
            let named = |kind: &str, name: &str| line.contains(&format!("{kind} {name}"));
            for kind in ["mod", "struct", "enum", "trait", "type", "class"] {
                if ["v1", "v2", "V1", "V2"].iter().any(|name| named(kind, name)) {
                    findings.push(format!("{}:{number}", source.path));
                }
            }
        }
    }
    check("revisions are named by their date", findings);
}

#[test]
fn no_state_belongs_to_the_process() {
    let words = [
        "OnceLock",
        "OnceCell",
        "LazyLock",
        "LazyCell",
        "static mut",
        "thread_local!",
        "lazy_static",
    ];
    check("state is owned", lines_with(&product(), "", &words));
}

#[test]
fn one_endpoint_for_edges_and_one_for_browsers() {
    let mut count = BTreeMap::new();
    for source in product().iter().filter(|source| source.is_rust()) {
        for (_, line) in source.product() {
            for piece in line.split('"').skip(1).step_by(2).filter(|piece| piece.ends_with(".sock"))
            {
                *count.entry(piece.to_owned()).or_insert(0) += 1;
            }
        }
    }
    let expected = [("browser.sock".to_owned(), 1), ("edge.sock".to_owned(), 1)];
    assert_eq!(count.into_iter().collect::<Vec<_>>(), expected);
}

/// Every place where a capability leaves as text: the file and how often it says `expose`.
const EXITS: &[(&str, usize)] =
    &[("edge/src/render.rs", 1), ("service/src/work.rs", 1), ("transport/src/bridge.rs", 5)];

#[test]
fn every_exit_of_a_handle_is_listed() {
    let mut found = Vec::new();
    for source in product().iter().filter(|source| source.is_rust()) {
        if source.path.starts_with("transport/handle/") {
            continue;
        }
        let uses = source
            .product()
            .filter(|(_, line)| !line.trim_start().starts_with("use "))
            .filter(|(_, line)| line.contains("expose"))
            .count();
        if uses > 0 {
            found.push((source.path.clone(), uses));
        }
    }
    let listed: Vec<_> = EXITS.iter().map(|(path, uses)| ((*path).to_owned(), *uses)).collect();
    assert_eq!(found, listed, "a handle leaves only where this test says so");
}

/// Tables: one entry after another, no state.
const TABLES: &[&str] = &[];

#[test]
fn files_and_functions_stay_small() {
    let mut findings = Vec::new();
    for source in all() {
        let lines = source.text.lines().count();
        if lines > 400 && !TABLES.contains(&source.path.as_str()) {
            findings.push(format!("{}: {lines} lines", source.path));
        }
        for (line, length) in source.long_functions(60) {
            if !TABLES.contains(&source.path.as_str()) {
                findings.push(format!("{}:{line}: a function of {length} lines", source.path));
            }
        }
    }
    check("files up to 400 lines, functions up to 60", findings);
}

#[test]
fn every_file_says_what_it_owns() {
    let findings = all().into_iter().filter_map(|source| {
        let first = source.text.lines().next().unwrap_or_default();
        let good =
            if source.is_rust() { first.starts_with("//! ") } else { first.starts_with("// ") };
        (!good).then_some(source.path)
    });
    check("the first line says what the file owns", findings);
}

#[test]
fn no_file_is_named_after_nothing() {
    let findings = all().into_iter().filter_map(|source| {
        let name = source.path.rsplit('/').next()?.split('.').next()?.to_owned();
        ["util", "utils", "common", "helper", "helpers", "manager", "types", "misc"]
            .contains(&name.as_str())
            .then_some(source.path)
    });
    check("a file is named after the noun it owns", findings);
}

#[test]
fn no_decision_number_stands_in_for_a_reason() {
    let mut findings = Vec::new();
    for source in all().iter().filter(|source| source.path != "tests/tests/architecture/main.rs") {
        for (number, line) in source.text.lines().enumerate() {
            let decision = line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
                word.strip_prefix('D').is_some_and(|rest| {
                    (1..=2).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_digit())
                })
            });
            if line.contains("ADR-") || (decision && line.trim_start().starts_with("//")) {
                findings.push(format!("{}:{}", source.path, number + 1));
            }
        }
    }
    check("comments give the reason itself", findings);
}

#[test]
fn durations_and_sizes_stand_in_the_limits() {
    let mut findings = Vec::new();
    for source in product()
        .iter()
        .filter(|source| source.is_rust() && source.path != "transport/src/limits.rs")
    {
        for (number, line) in source.product() {
            for call in ["Duration::from_secs(", "Duration::from_millis("] {
                let digit = line.split(call).nth(1).and_then(|rest| rest.chars().next());
                if digit.is_some_and(|c| c.is_ascii_digit()) {
                    findings.push(format!("{}:{number}", source.path));
                }
            }
        }
    }
    check("every deadline is in transport/src/limits.rs with its reason", findings);
}

#[test]
fn the_extension_listens_to_the_browser_in_one_file() {
    let mut findings = Vec::new();
    for source in product().iter().filter(|source| source.path.starts_with("extension/")) {
        if source.path == "extension/sw.js" || source.path.starts_with("extension/ui/") {
            continue;
        }
        for (number, line) in source.product() {
            if line.contains("chrome.") && line.contains(".addListener(") {
                findings.push(format!("{}:{number}", source.path));
            }
        }
    }
    check("listeners are registered in sw.js, at top level, before anything awaits", findings);
}

#[test]
fn the_extension_asks_for_little() {
    let text =
        std::fs::read_to_string(root().join("extension/manifest.json")).expect("the manifest");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut permissions: Vec<_> = manifest["permissions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|p| p.as_str())
        .collect();
    permissions.sort_unstable();
    assert_eq!(
        permissions,
        ["alarms", "debugger", "nativeMessaging", "storage", "tabGroups", "tabs"]
    );
    for absent in [
        "host_permissions",
        "content_scripts",
        "externally_connectable",
        "web_accessible_resources",
        "update_url",
        "optional_permissions",
    ] {
        assert!(manifest.get(absent).is_none(), "{absent}");
    }
}
