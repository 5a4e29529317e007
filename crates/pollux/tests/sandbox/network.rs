//! Attempts to reach somebody outside.

use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use pollux_exec::sandbox::{Denied, Grant, Network, Rung};

use super::support::{Site, installed, rungs};

/// Scripts with the ports of listeners in `$TCP`, `$TCP6` and `$UDP`, a socket in `$SOCK`, and the
/// name of one that has no file in `$NAME`.
const ATTEMPTS: &[(&str, &str)] = &[
    ("bash", "exec 3<>/dev/tcp/127.0.0.1/$TCP"),
    ("bash", "exec 3<>/dev/tcp/localhost/$TCP"),
    ("bash", "exec 3<>/dev/tcp/0.0.0.0/$TCP"),
    ("bash", "exec 3<>/dev/tcp/127.1.2.3/$TCP"),
    ("bash", "exec 3<>/dev/tcp/::1/$TCP6"),
    ("bash", "echo x > /dev/udp/127.0.0.1/$UDP"),
    ("curl", "curl -m 5 http://127.0.0.1:$TCP/"),
    ("curl", "curl -m 5 http://[::1]:$TCP6/"),
    ("curl", "curl -m 5 --unix-socket $SOCK http://x/"),
    ("curl", "curl -m 5 --abstract-unix-socket $NAME http://x/"),
    ("wget", "wget -T 5 -t 1 -O- http://127.0.0.1:$TCP/"),
    (
        "perl",
        "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => \"127.0.0.1:$ENV{TCP}\") or die'",
    ),
    (
        "perl",
        "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer => $ENV{SOCK}) or die'",
    ),
    (
        "perl",
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un(\"\\0$ENV{NAME}\")) or die'",
    ),
    (
        "perl",
        "perl -MSocket -e 'socket(S, AF_INET, SOCK_DGRAM, 0); send(S, \"x\", 0, pack_sockaddr_in($ENV{UDP}, inet_aton(\"127.0.0.1\"))) or die'",
    ),
    (
        "perl",
        "perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => \"127.0.0.1:$ENV{TCP}\") and die'; exit 1",
    ),
    (
        "perl",
        "setsid perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => \"127.0.0.1:$ENV{TCP}\") or die'",
    ),
];

struct Listeners {
    tcp: TcpListener,
    tcp6: Option<TcpListener>,
    udp: UdpSocket,
    unix: UnixListener,
    nameless: UnixListener,
    variables: String,
}

impl Listeners {
    fn new(site: &Site) -> Self {
        let tcp = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
        let tcp6 = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).ok();
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        // The path of a socket must be short.
        let socket = site.path("outside/s");
        let unix = UnixListener::bind(&socket).unwrap();
        let name = format!("pollux-test-{}", tcp.local_addr().unwrap().port());
        let nameless = SocketAddr::from_abstract_name(&name).unwrap();
        let nameless = UnixListener::bind_addr(&nameless).unwrap();
        let port6 = tcp6
            .as_ref()
            .map_or(1, |tcp| tcp.local_addr().unwrap().port());
        let variables = format!(
            "export TCP={} TCP6={port6} UDP={} SOCK='{}' NAME={name};",
            tcp.local_addr().unwrap().port(),
            udp.local_addr().unwrap().port(),
            socket.display(),
        );
        tcp.set_nonblocking(true).unwrap();
        if let Some(tcp) = &tcp6 {
            tcp.set_nonblocking(true).unwrap();
        }
        udp.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        nameless.set_nonblocking(true).unwrap();
        Self {
            tcp,
            tcp6,
            udp,
            unix,
            nameless,
            variables,
        }
    }

    /// Whether anybody has called since the last time.
    fn were_reached(&self) -> bool {
        self.tcp.accept().is_ok()
            || self.tcp6.as_ref().is_some_and(|tcp| tcp.accept().is_ok())
            || self.udp.recv(&mut [0; 16]).is_ok()
            || self.unix.accept().is_ok()
            || self.nameless.accept().is_ok()
    }
}

#[tokio::test]
async fn nobody_outside_is_reached() {
    assert!(ATTEMPTS.len() >= 15);
    for rung in rungs() {
        for network in [Network::Off, Network::Loopback] {
            let mut site = Site::new(rung);
            site.network = network;
            let listeners = Listeners::new(&site);
            let cell = site.cell();
            // The self-test has called in vain.
            assert!(!listeners.were_reached());
            for (program, script) in ATTEMPTS.iter().filter(|(program, _)| installed(program)) {
                let script = format!("{} {script}", listeners.variables);
                let exit = site.run(&cell, &script).await;
                let place = format!("{} {} {program}: {script}", rung.name(), network.name());
                assert!(!listeners.were_reached(), "{place}");
                // A datagram to nobody is no failure.
                let udp = script.contains("UDP") && network == Network::Loopback;
                let failed = exit.end != pollux_exec::ShellEnd::Exited(0);
                assert!(failed || udp, "{place}");
            }
        }
    }
}

#[tokio::test]
async fn the_network_can_be_allowed() {
    for rung in rungs() {
        let mut site = Site::new(rung);
        site.network = Network::On;
        let listeners = Listeners::new(&site);
        let script = format!("{} exec 3<>/dev/tcp/127.0.0.1/$TCP", listeners.variables);
        let exit = site.run(&site.cell(), &script).await;
        assert!(
            listeners.were_reached(),
            "{}: {}",
            rung.name(),
            exit.stderr.text()
        );
    }
}

#[tokio::test]
async fn commands_reach_themselves_over_a_loopback_of_their_own() {
    if !rungs().contains(&Rung::Namespaces) || !installed("perl") {
        return;
    }
    let site = Site::new(Rung::Namespaces);
    let script = r#"perl -MIO::Socket::INET -e '
        my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die "listen: $!";
        my $c = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $s->sockport) or die "connect: $!";
        print "met"'"#;
    let exit = site.run(&site.cell(), script).await;
    assert_eq!(exit.stdout.text(), "met", "{}", exit.stderr.text());
}

#[tokio::test]
async fn a_missing_network_is_recognised_and_can_be_granted() {
    for rung in rungs() {
        let site = Site::new(rung);
        let listeners = Listeners::new(&site);
        let cell = site.cell();
        let script = "echo 'curl: (6) Could not resolve host: x' >&2; exit 6";
        let exit = site.run(&cell, script).await;
        assert_eq!(exit.denied, Some(Denied::Network));
        let granted = cell.granting(&Grant::Network);
        let script = format!("{} exec 3<>/dev/tcp/127.0.0.1/$TCP", listeners.variables);
        site.run(&granted, &script).await;
        assert!(listeners.were_reached(), "{}", rung.name());
    }
}
