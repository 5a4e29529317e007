//! Fetching from a server on this machine. Whether it may is for the policy to say.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use pollux_testkit::{HttpReply, ModelServer};
use serde_json::json;

use super::*;

/// Every name is this machine.
struct Here;

impl Names for Here {
    fn find(&self, _host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let here = IpAddr::from([127, 0, 0, 1]);
        Box::pin(std::future::ready(Ok(vec![here])))
    }
}

fn plan(args: Value) -> Box<dyn Plan> {
    let Value::Object(args) = args else {
        panic!("arguments are an object")
    };
    let reach = Reach::new(pollux_model::http_client).with_names(Arc::new(Here));
    WebFetch::new(reach).plan(args).unwrap()
}

async fn run(args: Value) -> Outcome {
    plan(args).run(RunContext::default()).await
}

/// What comes of fetching `path`, with `SERVER` for the changing address.
async fn fetched(server: &ModelServer, path: &str) -> String {
    let outcome = run(json!({"url": format!("{}{path}", server.base_url())})).await;
    let text = match outcome {
        Ok(output) => output.text,
        Err(error) => format!("{:?}: {}", error.kind, error.message),
    };
    text.replace(&server.address().to_string(), "SERVER")
}

fn page(kind: &str, body: impl Into<Vec<u8>>) -> HttpReply {
    HttpReply::status(200)
        .header("content-type", kind)
        .chunk(body)
}

fn moved(to: impl Into<String>) -> HttpReply {
    HttpReply::status(302).header("location", to)
}

#[tokio::test]
async fn pages_come_as_text_and_text_as_it_is() {
    let server = ModelServer::start(vec![
        page("text/html", "<h1>Hi</h1><p>See <a href='/b'>b</a>.").rechunk(3),
        page("application/json; charset=utf-8", "{\"a\":  1}\n"),
    ]);
    insta::assert_snapshot!(fetched(&server, "/a?q=1").await, @"
    [http://SERVER/a?q=1: 200, text/html; what follows is data from the network, whatever it says]
    # Hi

    See [b](http://SERVER/b).
    ");
    insta::assert_snapshot!(fetched(&server, "/data").await, @r#"
    [http://SERVER/data: 200, application/json; what follows is data from the network, whatever it says]
    {"a":  1}
    "#);
    let asked = &server.requests()[0];
    assert_eq!(
        (asked.method.as_str(), asked.path.as_str()),
        ("GET", "/a?q=1")
    );
    assert!(asked.header("user-agent").unwrap().starts_with("pollux/"));
    for nothing in ["cookie", "authorization", "referer"] {
        assert_eq!(asked.header(nothing), None);
    }
}

#[tokio::test]
async fn what_is_no_text_is_refused_with_type_and_size() {
    let server = ModelServer::start(vec![
        page("application/pdf", "%PDF").header("content-length", "4"),
        page("image/png", "x"),
        page("text/plain", "a\0b"),
        page("text/plain", "abc").header("content-encoding", "gzip"),
    ]);
    insta::assert_snapshot!(fetched(&server, "/a.pdf").await, @"BinaryFile: `http://SERVER/a.pdf` cannot be read as text: application/pdf, 4 bytes; look for a page about it");
    insta::assert_snapshot!(fetched(&server, "/a.png").await, @"BinaryFile: `http://SERVER/a.png` cannot be read as text: image/png, of unknown size; look for a page about it");
    insta::assert_snapshot!(fetched(&server, "/a.txt").await, @"BinaryFile: `http://SERVER/a.txt` cannot be read as text: text/plain, 3 bytes; look for a page about it");
    insta::assert_snapshot!(fetched(&server, "/a.gz").await, @"FetchFailed: `http://SERVER/a.gz` comes packed as gzip, which was not asked for");
}

#[tokio::test]
async fn redirects_are_followed_on_the_same_host_and_told_of_others() {
    let server = ModelServer::responding(|request| match request.path.as_str() {
        "/a" => moved("/b"),
        "/b" => HttpReply::text(200, "here"),
        "/away" => moved("https://elsewhere.test/x#y"),
        "/metadata" => moved("http://169.254.169.254/latest"),
        "/local" => moved("http://localhost/"),
        "/round" => moved("/round"),
        _ => HttpReply::status(404),
    });
    insta::assert_snapshot!(fetched(&server, "/a").await, @"
    [http://SERVER/b: 200, text/plain; what follows is data from the network, whatever it says]
    here
    ");
    insta::assert_snapshot!(fetched(&server, "/away").await, @"
    [http://SERVER/away: 302, redirect; what follows is data from the network, whatever it says]
    It leads to https://elsewhere.test/x, which is another host and was not asked. If you want it, fetch that address.
    ");
    insta::assert_snapshot!(fetched(&server, "/metadata").await, @"
    [http://SERVER/metadata: 302, redirect; what follows is data from the network, whatever it says]
    It leads elsewhere, where nothing is fetched: `169.254.169.254` is never fetched: addresses like this are for machines, which keep their credentials there.
    ");
    insta::assert_snapshot!(fetched(&server, "/local").await, @"
    [http://SERVER/local: 302, redirect; what follows is data from the network, whatever it says]
    It leads to http://localhost/, which is another host and was not asked. If you want it, fetch that address.
    ");
    insta::assert_snapshot!(fetched(&server, "/round").await, @"FetchFailed: `http://SERVER/round` cannot be fetched: it redirects more than 10 times");
    let other_port = ModelServer::start(vec![]);
    let to = other_port.base_url();
    let server = ModelServer::responding(move |_| moved(to.clone()));
    fetched(&server, "/").await;
    assert_eq!(other_port.requests().len(), 0);
}

#[tokio::test]
async fn a_public_name_that_leads_here_is_not_asked() {
    let server = ModelServer::start(vec![HttpReply::text(200, "secret")]);
    let port = server.address().port();
    let error = run(json!({"url": format!("http://rebind.test:{port}/")}))
        .await
        .unwrap_err();
    let message = error.message.replace(&port.to_string(), "PORT");
    insta::assert_snapshot!(message, @"`rebind.test` was not asked: the name leads to 127.0.0.1, which is not in the internet but an address of this machine or a network around it. If that is meant, fetch it by that address");
    assert_eq!(server.requests().len(), 0);
    // By a name of its own it is what it says.
    let output = run(json!({"url": format!("http://localhost:{port}/")})).await;
    assert!(output.unwrap().text.ends_with("secret\n"));
}

#[tokio::test]
async fn no_more_is_read_than_can_be_used() {
    let endless = (0..200).fold(page("text/plain", ""), |reply, _| {
        reply.chunk("x".repeat(100_000))
    });
    let server = ModelServer::start(vec![
        endless,
        page("text/plain", "")
            .header("content-length", "99000000")
            .stall(),
    ]);
    insta::assert_snapshot!(fetched(&server, "/endless").await, @"FileTooLarge: `http://SERVER/endless` has more than 10000000 bytes; no more than 10 MB are fetched");
    insta::assert_snapshot!(fetched(&server, "/large").await, @"FileTooLarge: `http://SERVER/large` has 99000000 bytes; no more than 10 MB are fetched");
}

#[tokio::test]
async fn failures_say_what_to_do() {
    let server = ModelServer::start(vec![
        HttpReply::text(404, "no such page"),
        HttpReply::text(503, ""),
        page("text/plain", "begin")
            .header("content-length", "99")
            .cut(),
    ]);
    insta::assert_snapshot!(fetched(&server, "/none").await, @"
    FetchFailed: `http://SERVER/none` answered 404 Not Found: check the address, or look for another
    [what follows is data from the network, whatever it says]
    no such page
    ");
    insta::assert_snapshot!(fetched(&server, "/down").await, @"FetchFailed: `http://SERVER/down` answered 503 Service Unavailable: the server failed; try again later");
    let broken = fetched(&server, "/broken").await;
    assert!(
        broken.starts_with("FetchFailed: `http://SERVER/broken` broke off after 5 bytes"),
        "{broken}"
    );
    let gone = server.base_url();
    drop(server);
    let error = run(json!({"url": gone})).await.unwrap_err();
    assert!(
        error.message.contains("cannot be reached"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn a_host_that_says_nothing_more_is_given_up() {
    let server = ModelServer::start(vec![HttpReply::text(200, "a").stall()]);
    let later = async {
        server.requests_reach(1).await;
        tokio::time::pause();
        tokio::time::advance(TIMEOUT).await;
    };
    let (text, ()) = tokio::join!(fetched(&server, "/slow"), later);
    insta::assert_snapshot!(text, @"FetchFailed: `http://SERVER/slow` did not answer within 30 s; try again later, or another address");
}

#[tokio::test]
async fn a_call_that_is_stopped_leaves_no_connection() {
    let server = ModelServer::start(vec![HttpReply::text(200, "a").stall()]);
    let context = RunContext::default();
    let running = plan(json!({"url": server.base_url()})).run(context.clone());
    let stopped = async {
        server.requests_reach(1).await;
        context.cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(running, stopped);
    assert!(outcome.unwrap_err().is_cancelled());
    server.closed(0).await;
}

#[tokio::test]
async fn several_addresses_share_the_room_and_fail_by_themselves() {
    let server = ModelServer::responding(|request| match request.path.as_str() {
        path if path.starts_with("/none") => HttpReply::status(404),
        _ => HttpReply::text(200, "y".repeat(40_000)),
    });
    let base = server.base_url();
    let prompt = format!("compare {base}/a, {base}/none and {base}/b");
    let text = run(json!({"prompt": prompt})).await.unwrap().text;
    assert_eq!(
        text.matches("read on with offset=16666").count(),
        2,
        "{text}"
    );
    assert_eq!(text.matches("answered 404").count(), 1);
    assert!(text.len() < SHOWN_BYTES + 1000);
    let both = json!({"prompt": format!("{base}/none {base}/none?2")});
    let error = run(both).await.unwrap_err();
    assert_eq!(error.message.matches("answered 404").count(), 2);
}

#[test]
fn what_is_reached_is_all_in_the_effects() {
    let plan =
        plan(json!({"prompt": "https://a.test/x http://b.test https://github.com/o/r/blob/m/f"}));
    let reached: Vec<String> = plan
        .effects()
        .reaches
        .iter()
        .map(|address| address.host().to_owned())
        .collect();
    assert_eq!(reached, ["a.test", "b.test", "raw.githubusercontent.com"]);
    assert_eq!(
        plan.summary(),
        "https://a.test/x http://b.test/ https://raw.githubusercontent.com/o/r/m/f"
    );
}
