//! What the end of a connection means.

use std::error::Error as StdError;

use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::error::RefereeError;

const DOMAIN: &str = "unoduo.v1";

/// Reasons that may pass, beside those of code Unavailable.
const PASSING: [&str; 4] = ["SLOW_READER", "TOO_MANY_CALLS", "INBOX_FULL", "TOO_MANY_MATCHES"];

/// What the referee says when it ends a session, or the way to it when it fails.
pub(crate) fn session_lost(status: &Status, address: &str) -> RefereeError {
    let code = status.code();
    if let Some(info) = status.get_details_error_info().filter(|info| info.domain == DOMAIN) {
        let mut lost = RefereeError::of_network(code, status.message().into(), code == Code::Unavailable);
        lost.may_pass |= PASSING.contains(&info.reason.as_str());
        lost.field = info.metadata.get("field").cloned().unwrap_or_default();
        lost.reason = info.reason;
        return lost;
    }
    // Codes that gRPC sets by itself when the way to the referee fails.
    if matches!(code, Code::Unavailable | Code::Cancelled | Code::Internal | Code::Unknown | Code::DeadlineExceeded) {
        return unreachable(status.message(), status.source(), address);
    }
    RefereeError::of_network(code, status.message().into(), false)
}

/// The referee has ended the session as sessions end.
pub(crate) fn session_over() -> RefereeError {
    RefereeError::of_network(Code::Ok, "the referee ended the session".into(), true)
}

/// What an error of the transport, and those behind it, say of the way to an address.
pub(crate) fn unreachable(words: &str, mut source: Option<&(dyn StdError + 'static)>, address: &str) -> RefereeError {
    let mut words = words.to_owned();
    while let Some(behind) = source {
        words = format!("{words}: {behind}");
        source = behind.source();
    }
    let (message, may_pass) = trouble(&words, address);
    RefereeError::of_network(Code::Unavailable, message, may_pass)
}

/// What the words of the transport mean, and whether it may pass.
fn trouble(words: &str, address: &str) -> (String, bool) {
    if let Some((_, certificate)) = words.rsplit_once("invalid peer certificate: ") {
        let verdict = match certificate {
            "CaUsedAsEndEntity" | "Other(OtherError(CaUsedAsEndEntity))" => {
                "is that of an authority, which no server may have (basicConstraints CA:TRUE)".into()
            }
            "UnknownIssuer" => "is not trusted: its issuer is not known".into(),
            _ if certificate.contains("not valid for") => format!("is for another name: {certificate}"),
            _ => format!("is not trusted: {certificate}"),
        };
        return (format!("the certificate of the referee at {address} {verdict}"), false);
    }
    let has = |part| words.contains(part);
    if has("InvalidContentType") || has("received corrupt message") || has("HTTP/2 was not negotiated") {
        (format!("the referee at {address} does not speak TLS"), false)
    } else if has("Connection refused") {
        (format!("nobody listens at {address}"), true)
    } else if has("failed to lookup address") {
        (format!("the name in {address} is not known"), true)
    } else if has("frame with invalid size") || has("because of a broken pipe") {
        (format!("no connection to {address} comes about; perhaps the referee there speaks TLS"), true)
    } else {
        (format!("the connection to the referee at {address} was lost"), true)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tonic_types::{ErrorDetails, StatusExt};

    use super::*;

    fn refusal(code: Code, reason: &str, domain: &str) -> Status {
        let field = HashMap::from([("field".to_owned(), "join.seat".to_owned())]);
        Status::with_error_details(code, "refused", ErrorDetails::with_error_info(reason, domain, field))
    }

    #[test]
    fn session_lost_says_what_the_referee_says() {
        for (code, reason, may_pass) in [
            (Code::Unauthenticated, "TOKEN_UNKNOWN", false),
            (Code::Unavailable, "DRAINING", true),
            (Code::ResourceExhausted, "SLOW_READER", true),
            (Code::ResourceExhausted, "TOO_MANY_MALFORMED", false),
            (Code::Internal, "INTERNAL", false),
        ] {
            let lost = session_lost(&refusal(code, reason, DOMAIN), "host:1");
            assert_eq!((lost.code, lost.may_pass), (code, may_pass), "{reason}");
            assert_eq!(lost.to_string(), format!("refused ({reason} in join.seat)"));
        }
        let other = session_lost(&refusal(Code::NotFound, "OTHER", "elsewhere"), "");
        assert_eq!((other.reason.as_str(), other.may_pass), ("", false));
        assert_eq!(other.to_string(), "refused (NOT_FOUND)");
    }

    #[test]
    fn session_lost_says_what_is_wrong_with_the_way() {
        for (words, due, may_pass) in [
            (
                "invalid peer certificate: certificate not valid for name \"b\"; certificate is only valid for a",
                "the certificate of the referee at host:1 is for another name: certificate not valid for name \"b\"",
                false,
            ),
            (
                "invalid peer certificate: UnknownIssuer",
                "the certificate of the referee at host:1 is not trusted: its issuer is not known",
                false,
            ),
            (
                "invalid peer certificate: certificate expired",
                "the certificate of the referee at host:1 is not trusted: certificate expired",
                false,
            ),
            ("received corrupt message of type InvalidContentType", "the referee at host:1 does not speak TLS", false),
            ("tcp connect error: Connection refused (os error 111)", "nobody listens at host:1", true),
            ("dns error: failed to lookup address information", "the name in host:1 is not known", true),
            ("frame with invalid size", "perhaps the referee there speaks TLS", true),
            ("stream closed because of a broken pipe", "perhaps the referee there speaks TLS", true),
            ("h2 protocol error", "the connection to the referee at host:1 was lost", true),
        ] {
            let lost = session_lost(&Status::unavailable(words), "host:1");
            assert!(lost.message.contains(due), "{words}: {}", lost.message);
            assert_eq!(lost.may_pass, may_pass, "{words}");
        }
    }
}
