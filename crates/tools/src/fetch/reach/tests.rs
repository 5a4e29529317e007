//! Where names lead, and where redirects do.

use std::sync::Mutex;

use super::*;

/// Gives these answers, one after the other.
struct Fickle(Mutex<Vec<&'static str>>);

impl Names for Fickle {
    fn find(&self, _host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let answer = self.0.lock().unwrap().remove(0);
        let ips = answer.split(' ').map(|ip| ip.parse().unwrap()).collect();
        Box::pin(std::future::ready(Ok(ips)))
    }
}

fn guard(url: &str, answers: &[&'static str]) -> Guard {
    let address = Address::parse(url).unwrap();
    Guard {
        host: address.host().to_owned(),
        zone: address.zone(),
        names: Arc::new(Fickle(Mutex::new(answers.to_vec()))),
    }
}

async fn resolved(guard: &Guard, name: &str) -> String {
    match guard.resolve(name.parse().unwrap()).await {
        Ok(found) => {
            let found: Vec<String> = found.map(|address| address.ip().to_string()).collect();
            found.join(" ")
        }
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn a_public_name_is_looked_at_each_time_that_it_is_resolved() {
    let answers = [
        "203.0.113.7",
        "127.0.0.1",
        "203.0.113.7 10.0.0.1",
        "fe80::1",
    ];
    let guard = guard("https://rebind.test/", &answers);
    assert_eq!(resolved(&guard, "rebind.test").await, "203.0.113.7");
    for ip in ["127.0.0.1", "10.0.0.1", "fe80::1"] {
        let refused = resolved(&guard, "rebind.test").await;
        let start = format!("`rebind.test` was not asked: the name leads to {ip},");
        assert!(refused.starts_with(&start), "{refused}");
    }
}

#[tokio::test]
async fn a_name_of_ones_own_network_leads_there_and_never_to_credentials() {
    let answers = ["127.0.0.1 ::1", "169.254.169.254"];
    let guard = guard("http://localhost/", &answers);
    assert_eq!(resolved(&guard, "localhost").await, "127.0.0.1 ::1");
    let refused = resolved(&guard, "localhost").await;
    assert!(refused.contains("169.254.169.254"), "{refused}");
}

#[tokio::test]
async fn a_proxy_may_be_anywhere() {
    let guard = guard("https://example.org/", &["10.0.0.1"]);
    assert_eq!(resolved(&guard, "proxy.corp.test").await, "10.0.0.1");
}

#[test]
fn redirects_stay_with_whom_was_asked() {
    let stays = |from: &str, to: &str| {
        let (from, to) = (Url::parse(from).unwrap(), Url::parse(to).unwrap());
        stays_there(&from, &to)
    };
    assert!(stays("http://a.test/x", "http://a.test/y?z"));
    assert!(stays("http://a.test/", "https://a.test/"));
    for to in [
        "http://b.test/",
        "http://www.a.test/",
        "http://a.test:8080/",
        "https://a.test:8443/",
        "http://me@a.test/",
        "ftp://a.test/",
    ] {
        assert!(!stays("http://a.test/", to), "{to}");
    }
    assert!(!stays("https://a.test/", "http://a.test/"));
    assert!(!stays("http://127.0.0.1:8080/", "https://127.0.0.1/"));
}
