use std::{fs, net::IpAddr, path::PathBuf, time::Duration};

use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use crate::error::Error;

/// A dead peer is noticed within twice this time; the referee allows a ping every 10 seconds.
const ALIVE: Duration = Duration::from_secs(10);

/// Says whether TLS is spoken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Security {
    /// Plaintext on this machine, and to any other TLS with the certificates that the system trusts.
    #[default]
    Usual,
    /// TLS to any machine, with the certificates of this PEM file to trust.
    Ca(PathBuf),
    /// Plaintext to any machine.
    Insecure,
}

/// How to connect to host:port; nothing is connected yet.
pub(crate) fn endpoint(address: &str, security: &Security) -> Result<Endpoint, Error> {
    let host = host_of(address).ok_or_else(|| Error::Setup(format!("{address:?} is no HOST:PORT")))?;
    let tls = tls(host, security)?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let setup = |error| Error::Setup(format!("{address:?} cannot be connected to: {error}"));
    let endpoint = Endpoint::from_shared(format!("{scheme}://{address}"))
        .map_err(setup)?
        .http2_keep_alive_interval(ALIVE)
        .keep_alive_timeout(ALIVE)
        .keep_alive_while_idle(true);
    match tls {
        Some(config) => endpoint.tls_config(config).map_err(setup),
        None => Ok(endpoint),
    }
}

fn tls(host: &str, security: &Security) -> Result<Option<ClientTlsConfig>, Error> {
    let config = ClientTlsConfig::new().domain_name(host);
    match security {
        Security::Ca(path) => {
            let unreadable = |why: &str| Error::Setup(format!("{}: {why}", path.display()));
            let pem = fs::read_to_string(path).map_err(|error| unreadable(&error.to_string()))?;
            if !pem.contains("-----BEGIN CERTIFICATE-----") {
                return Err(unreadable("it holds no certificate"));
            }
            Ok(Some(config.ca_certificate(Certificate::from_pem(pem))))
        }
        Security::Insecure => Ok(None),
        Security::Usual if is_loopback(host) => Ok(None),
        Security::Usual => Ok(Some(config.with_native_roots())),
    }
}

/// The host of `host:port`, or of `[host]:port`.
fn host_of(address: &str) -> Option<&str> {
    let (host, port) = address.rsplit_once(':')?;
    port.parse::<u16>().ok()?;
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match inner {
        Some(inner) => Some(inner),
        None if host.is_empty() || host.contains(':') => None,
        None => Some(host),
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_is_plaintext_on_this_machine_only_unless_told_otherwise() {
        for (address, security, due) in [
            ("127.0.0.1:1", Security::Usual, "http"),
            ("[::1]:1", Security::Usual, "http"),
            ("localhost:1", Security::Usual, "http"),
            ("192.0.2.1:1", Security::Usual, "https"),
            ("referee.example:1", Security::Usual, "https"),
            ("referee.example:1", Security::Insecure, "http"),
        ] {
            let made = endpoint(address, &security).unwrap();
            assert_eq!(made.uri().scheme_str(), Some(due), "{address}, {security:?}");
        }
    }

    #[test]
    fn addresses_and_certificates_are_checked_before_anything_is_connected() {
        for address in ["nowhere", ":1", "host:", "host:port", "::1:1"] {
            assert!(endpoint(address, &Security::Usual).is_err(), "{address}");
        }
        let no_certificate = Security::Ca(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into());
        assert!(endpoint("host:1", &no_certificate).is_err());
        assert!(endpoint("host:1", &Security::Ca("absent.pem".into())).is_err());
    }
}
