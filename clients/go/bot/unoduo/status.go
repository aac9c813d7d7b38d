package unoduo

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const domain = "unoduo.v1"

var (
	// Reasons that may pass, beside those of code Unavailable.
	passing = []string{"SLOW_READER", "TOO_MANY_CALLS", "INBOX_FULL", "TOO_MANY_MATCHES"}
	// Codes that gRPC sets by itself when the way to the referee fails.
	ofTransport = []codes.Code{
		codes.Unavailable, codes.Canceled, codes.Internal, codes.Unknown, codes.DeadlineExceeded,
	}
)

// sessionLost returns why a stream to an address has ended.
func sessionLost(err error, address string) *RefereeError {
	if errors.Is(err, io.EOF) {
		return &RefereeError{Code: codes.OK, Message: "the referee ended the session", mayPass: true}
	}
	stated := status.Convert(err)
	lost := &RefereeError{Code: stated.Code(), Message: stated.Message()}
	for _, detail := range stated.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == domain {
			lost.Reason, lost.Field = info.GetReason(), info.GetMetadata()["field"]
		}
	}
	if lost.Reason == "" && slices.Contains(ofTransport, lost.Code) {
		lost.Message, lost.mayPass = trouble(stated.Message(), address)
	} else {
		lost.mayPass = lost.Code == codes.Unavailable || slices.Contains(passing, lost.Reason)
	}
	return lost
}

// trouble returns what the words of gRPC about a connection mean, and whether it may pass.
func trouble(details, address string) (message string, mayPass bool) {
	// What Go says of a certificate begins so and ends with the quotation that gRPC puts it in.
	_, certificate, found := strings.Cut(strings.TrimSuffix(details, `"`), "x509: ")
	switch {
	case found && isAboutName(certificate):
		return fmt.Sprintf("the certificate of the referee at %s is for another name: %s", address, certificate), false
	case found:
		return fmt.Sprintf("the certificate of the referee at %s is not trusted: %s", address, certificate), false
	case strings.Contains(details, "does not look like a TLS handshake"):
		return fmt.Sprintf("the referee at %s does not speak TLS", address), false
	case strings.Contains(details, "connection refused"):
		return fmt.Sprintf("nobody listens at %s", address), true
	case strings.Contains(details, "no such host"):
		return fmt.Sprintf("the name in %s is not known", address), true
	case strings.Contains(details, "server preface"):
		return fmt.Sprintf("no connection to %s comes about; perhaps the referee there speaks TLS", address), true
	default:
		return fmt.Sprintf("the connection to the referee at %s was lost", address), true
	}
}

func isAboutName(certificate string) bool {
	return strings.Contains(certificate, "certificate is valid for") ||
		strings.Contains(certificate, "not valid for any names") ||
		strings.Contains(certificate, "doesn't contain any IP SANs")
}
