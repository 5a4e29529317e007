//! Where on the network a host is: for everybody, only for this machine and its neighbours, or
//! nowhere that anybody should be sent.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where a host is. The later ones are the more delicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    /// In the internet.
    Public,
    /// This machine, or a network that strangers do not reach.
    Private,
    /// Where machines in a cloud keep their credentials, and what is no single machine's address.
    Never,
}

/// Endings of names that mean something only where one is.
const LOCAL: [&str; 5] = [".localhost", ".local", ".internal", ".lan", ".home.arpa"];

/// Amazon's machines ask for their credentials here.
const AMAZON: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

impl Zone {
    /// Where a host is by its name. Names can lead elsewhere than they say: what they resolve to
    /// counts as well.
    pub(crate) fn of_host(host: &str) -> Self {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(ip) = bare.parse::<IpAddr>() {
            return Self::of(ip);
        }
        let is_local = !host.contains('.') || LOCAL.iter().any(|end| host.ends_with(end));
        if is_local {
            Self::Private
        } else {
            Self::Public
        }
    }

    /// Where an address is.
    pub(crate) fn of(ip: IpAddr) -> Self {
        match ip {
            IpAddr::V4(ip) => Self::of_v4(ip),
            IpAddr::V6(ip) => Self::of_v6(ip),
        }
    }

    fn of_v4(ip: Ipv4Addr) -> Self {
        match ip.octets() {
            // Link-local, and all that no single machine has.
            [169, 254, ..] | [224..=255, ..] => Self::Never,
            // This machine, private networks, those behind a provider, and what is for tests of
            // equipment.
            [0 | 10 | 127, ..]
            | [100, 64..=127, ..]
            | [172, 16..=31, ..]
            | [192, 168, ..]
            | [192, 0, 0, _]
            | [198, 18..=19, ..] => Self::Private,
            _ => Self::Public,
        }
    }

    fn of_v6(ip: Ipv6Addr) -> Self {
        let inner = |high: u16, low: u16| {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            Self::of_v4(Ipv4Addr::new(a, b, c, d))
        };
        match ip.segments() {
            _ if ip == AMAZON => Self::Never,
            [0xfe80..=0xfebf | 0xff00..=0xffff, ..] => Self::Never,
            [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Self::Private,
            // Addresses of the older kind in the clothes of the newer.
            [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
            | [0, 0, 0, 0, 0xffff, 0, high, low]
            | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
            | [0x2002, high, low, ..] => inner(high, low),
            [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] | [0x64, 0xff9b, 1, ..] | [0x2001, 0, ..] => {
                Self::Private
            }
            _ => Self::Public,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_where_they_are_however_they_are_written() {
        for (zone, hosts) in [
            (
                Zone::Public,
                "example.org 93.184.216.34 203.0.113.7 172.15.0.1 172.32.0.1 100.128.0.1 \
                 [2606:4700::1111] [::ffff:8.8.8.8] [64:ff9b::808:808] [2002:808:808::]",
            ),
            (
                Zone::Private,
                "localhost intranet printer.local db.internal nas.lan x.localhost a.home.arpa \
                 127.0.0.1 127.9.9.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 \
                 100.64.0.1 192.0.0.192 198.18.0.1 [::1] [::] [fd12::1] [fec0::1] \
                 [::ffff:127.0.0.1] [::7f00:1] [::ffff:0:10.0.0.1] [64:ff9b::a00:1] \
                 [64:ff9b:1::1] [2002:7f00:1::] [2001::1]",
            ),
            (
                Zone::Never,
                "169.254.169.254 169.254.0.1 224.0.0.1 255.255.255.255 [fe80::1] [febf::1] \
                 [ff02::1] [fd00:ec2::254] [::ffff:169.254.169.254] [64:ff9b::a9fe:a9fe] \
                 [2002:a9fe:a9fe::]",
            ),
        ] {
            for host in hosts.split_whitespace() {
                assert_eq!(Zone::of_host(host), zone, "{host}");
            }
        }
    }
}
