package unoduo

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func refusal(t *testing.T, code codes.Code, reason, domain string) error {
	t.Helper()
	info := &errdetails.ErrorInfo{Reason: reason, Domain: domain, Metadata: map[string]string{"field": "join.seat"}}
	detailed, err := status.New(code, "refused").WithDetails(info)
	if err != nil {
		t.Fatal(err)
	}
	return detailed.Err()
}

func TestSessionLostSaysWhatTheRefereeSays(t *testing.T) {
	for _, c := range []struct {
		code    codes.Code
		reason  string
		mayPass bool
	}{
		{codes.Unauthenticated, "TOKEN_UNKNOWN", false},
		{codes.Unavailable, "DRAINING", true},
		{codes.ResourceExhausted, "SLOW_READER", true},
		{codes.ResourceExhausted, "TOO_MANY_MALFORMED", false},
		{codes.Internal, "INTERNAL", false},
	} {
		lost := sessionLost(refusal(t, c.code, c.reason, domain), "host:1")
		if lost.Code != c.code || lost.Reason != c.reason || lost.Field != "join.seat" || lost.mayPass != c.mayPass ||
			lost.Error() != fmt.Sprintf("refused (%s in join.seat)", c.reason) {
			t.Errorf("%s: %+v", c.reason, lost)
		}
	}
	if lost := sessionLost(refusal(t, codes.NotFound, "OTHER", "elsewhere"), ""); lost.Reason != "" || lost.mayPass {
		t.Errorf("the reason of another domain: %+v", lost)
	}
	if lost := sessionLost(io.EOF, ""); lost.Code != codes.OK || !lost.mayPass {
		t.Errorf("the end: %+v", lost)
	}
}

func TestSessionLostSaysWhatIsWrongWithTheWay(t *testing.T) {
	for _, c := range []struct {
		details, due string
		mayPass      bool
	}{
		{`"transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate is valid for a, not b"`,
			"the certificate of the referee at host:1 is for another name: certificate is valid for a, not b", false},
		{`x509: certificate signed by unknown authority`,
			"the certificate of the referee at host:1 is not trusted: certificate signed by unknown authority", false},
		{`tls: first record does not look like a TLS handshake`, "the referee at host:1 does not speak TLS", false},
		{`dial tcp 127.0.0.1:1: connect: connection refused`, "nobody listens at host:1", true},
		{`lookup host: no such host`, "the name in host:1 is not known", true},
		{`error reading server preface: EOF`, "perhaps the referee there speaks TLS", true},
		{`error reading from server: EOF`, "the connection to the referee at host:1 was lost", true},
	} {
		lost := sessionLost(status.Error(codes.Unavailable, c.details), "host:1")
		if !strings.Contains(lost.Message, c.due) || lost.mayPass != c.mayPass {
			t.Errorf("%s: %s, may pass %v", c.details, lost.Message, lost.mayPass)
		}
	}
}
