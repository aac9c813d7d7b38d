package unoduo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
)

// Security says whether TLS is spoken. The zero value: plaintext on this machine, and to any other TLS with the
// certificates that the system trusts.
type Security struct {
	// CA is a PEM file with the certificates to trust; with it TLS is spoken to any machine.
	CA string
	// Insecure speaks plaintext to any machine.
	Insecure bool
}

// alive notices a dead peer within 20 seconds; the referee allows a ping every 10 seconds.
var alive = keepalive.ClientParameters{
	Time:                10 * time.Second,
	Timeout:             10 * time.Second,
	PermitWithoutStream: true,
}

// channelTo returns what opens channels to host:port; nothing is connected before the first call on one.
func channelTo(address string, security Security) (func() (*grpc.ClientConn, error), error) {
	transport, err := security.credentials(address)
	if err != nil {
		return nil, err
	}
	return func() (*grpc.ClientConn, error) {
		return grpc.NewClient(
			"passthrough:///"+address, // the name is looked up by the system, each time anew
			grpc.WithTransportCredentials(transport.Clone()),
			grpc.WithKeepaliveParams(alive),
			grpc.WithNoProxy(), // also bots and referee of one machine talk directly
		)
	}, nil
}

func (s Security) credentials(address string) (credentials.TransportCredentials, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no HOST:PORT", address)
	}
	switch {
	case s.CA != "":
		roots, err := readCertificates(s.CA)
		if err != nil {
			return nil, err
		}
		return credentials.NewTLS(&tls.Config{RootCAs: roots}), nil
	case s.Insecure || isLoopback(host):
		return insecure.NewCredentials(), nil
	default:
		return credentials.NewTLS(&tls.Config{}), nil
	}
}

func readCertificates(path string) (*x509.CertPool, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s holds no certificate", path)
	}
	return roots, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// withToken names the caller of what is called under the context.
func withToken(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}
