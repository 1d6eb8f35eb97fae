package network

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
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
	name := "streamsql"
	if own.Leaf != nil && len(own.Leaf.DNSNames) > 0 {
		name = own.Leaf.DNSNames[0]
	}
	server = &tls.Config{MinVersion: tls.VersionTLS13, Certificates: both, ClientCAs: trusted,
		ClientAuth: tls.RequireAndVerifyClientCert}
	client = &tls.Config{MinVersion: tls.VersionTLS13, Certificates: both, RootCAs: trusted, ServerName: name}
	return server, client, nil
}

// PEMTLS is the configuration of both ends for a certificate, its key and the authority in PEM. The certificate
// has to name a host and to be good for both ends of a connection. Errors say nothing of the key's content.
func PEMTLS(certificate, key, authority []byte) (server, client *tls.Config, err error) {
	own, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, nil, fmt.Errorf("network: certificate and key: %w", err)
	}
	block, _ := pem.Decode(authority)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, nil, errors.New("network: authority: no certificate in PEM")
	}
	root, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("network: authority: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	for _, use := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
		if _, err := own.Leaf.Verify(x509.VerifyOptions{Roots: pool, KeyUsages: []x509.ExtKeyUsage{use}}); err != nil {
			return nil, nil, fmt.Errorf("network: the certificate does not do: %w", err)
		}
	}
	if len(own.Leaf.DNSNames) == 0 {
		return nil, nil, errors.New("network: the certificate names no host")
	}
	return MutualTLS(own, root)
}
