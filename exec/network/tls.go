package network

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"time"
)

// EphemeralTLS makes keys for the two ends of connections within one machine: TLS 1.3, each end sure of the
// other by a certificate that nobody else has. The keys are never written anywhere.
func EphemeralTLS() (server, client *tls.Config, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("network: making a key: %w", err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "streamsql"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(10 * 365 * 24 * time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IsCA:        true, BasicConstraintsValid: true,
		DNSNames: []string{"streamsql"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, nil, fmt.Errorf("network: making a certificate: %w", err)
	}
	own, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, nil, fmt.Errorf("network: making a certificate: %w", err)
	}
	pair := tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: own}
	return MutualTLS(pair, own)
}

// MutualTLS is the configuration of both ends for a certificate of this process and the authority that both
// trust.
func MutualTLS(own tls.Certificate, authority *x509.Certificate) (server, client *tls.Config, err error) {
	trusted := x509.NewCertPool()
	trusted.AddCert(authority)
	both := []tls.Certificate{own}
	server = &tls.Config{MinVersion: tls.VersionTLS13, Certificates: both, ClientCAs: trusted,
		ClientAuth: tls.RequireAndVerifyClientCert}
	client = &tls.Config{MinVersion: tls.VersionTLS13, Certificates: both, RootCAs: trusted, ServerName: "streamsql"}
	return server, client, nil
}
