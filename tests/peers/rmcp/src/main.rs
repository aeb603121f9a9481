//! The Rust SDK's client in one of its modes: `ghostlight-peer-rmcp initialize|auto COMMAND...`

use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion, SubscriptionFilter};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService, ServiceError,
};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use std::error::Error;
use std::process::Command;
use std::time::Duration;
use tokio::time::timeout;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;
type Client = RunningService<RoleClient, ()>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().ok_or("which mode?")?;
    let program = arguments.next().ok_or("which command?")?;
    let mut command = tokio::process::Command::new(program);
    command.args(arguments);
    let lifecycle = match mode.as_str() {
        // Asks for 2026-07-28 in `initialize`, which has no such revision.
        "initialize" => ClientLifecycleMode::Initialize,
        "auto" => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        },
        other => return Err(format!("no mode {other}").into()),
    };
    let mut client = ().serve_with_lifecycle(TokioChildProcess::new(command)?, lifecycle).await?;
    say("connected");
    let names = list(&client).await?;
    explain(&client, "explain is answered").await?;
    refusals(&client).await?;
    cancellation(&client).await?;
    if mode == "auto" {
        subscription(&client).await?;
    }
    step("the list is the same again", list(&client).await? == names, &names)?;
    client.close().await?;
    say("closed");
    Ok(())
}

fn say(name: &str) {
    println!("ok {name}");
}

fn step(name: &str, fine: bool, seen: &impl std::fmt::Debug) -> Outcome {
    if !fine {
        return Err(format!("{name}: {seen:?}").into());
    }
    say(name);
    Ok(())
}

async fn service(order: &str) -> Outcome {
    // What the client has to say meanwhile is said before the order takes effect.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let status = Command::new(std::env::var("SERVICE")?).arg(order).status()?;
    if status.success() { Ok(()) } else { Err(format!("{order}: {status}").into()) }
}

async fn call(
    client: &Client,
    tool: &'static str,
    arguments: Value,
) -> Result<CallToolResult, ServiceError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await
}

async fn list(client: &Client) -> Outcome<Vec<String>> {
    let names: Vec<String> =
        client.list_all_tools().await?.into_iter().map(|tool| tool.name.into_owned()).collect();
    step("tools are listed", names.iter().any(|name| name == "explain"), &names)?;
    Ok(names)
}

async fn explain(client: &Client, name: &str) -> Outcome {
    let result = call(client, "explain", json!({})).await?;
    step(name, result.is_error != Some(true) && !result.content.is_empty(), &result)
}

async fn refusals(client: &Client) -> Outcome {
    let bad = call(client, "explain", json!({"nonsense": 1})).await?;
    step("bad arguments are told in a result", bad.is_error == Some(true), &bad)?;
    let tab = call(client, "navigate", json!({"tabId": 1, "url": "about:blank"})).await?;
    step("a tab that is not there is told in a result", tab.is_error == Some(true), &tab)?;
    let unknown = call(client, "no_such_tool", json!({})).await;
    let refused = matches!(&unknown, Err(ServiceError::McpError(error)) if error.code.0 == -32602);
    step("an unknown tool is -32602", refused, &unknown)
}

/// A call dropped by its caller, while the service stands still.
async fn cancellation(client: &Client) -> Outcome {
    service("hold").await?;
    let left = timeout(Duration::from_millis(300), call(client, "explain", json!({}))).await;
    service("go").await?;
    step("a held call is left", left.is_err(), &left)?;
    explain(client, "the next call is answered").await
}

async fn subscription(client: &Client) -> Outcome {
    let mut wanted = SubscriptionFilter::default();
    wanted.tools_list_changed = Some(true);
    let mut listening = client.listen(wanted).await?;
    say("listen is acknowledged");
    explain(client, "a call beside a subscription is answered").await?;
    listening.cancel().await?;
    Ok(())
}
