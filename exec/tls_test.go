package exec_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/graph"
)

// authority signs certificates.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func template(name string) *x509.Certificate {
	return &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		DNSNames:  []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
}

// sign writes a certificate and its key into files; a nil authority signs itself.
func (a *authority) sign(t *testing.T, c *x509.Certificate) (made *authority, cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	by, signer := c, k
	if a != nil {
		by, signer = a.cert, a.key
	} else {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign|x509.KeyUsageDigitalSignature
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by, &k.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	made = &authority{key: k}
	if made.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, b []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return made, write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", secret)
}

// TestTLSFiles runs a job whose connections go by files, and refuses files that do not do. No error shows a key.
func TestTLSFiles(t *testing.T) {
	root, rootCert, _ := (*authority)(nil).sign(t, template("root"))
	_, otherRoot, otherKey := (*authority)(nil).sign(t, template("other"))
	_, cert, key := root.sign(t, template("jobs.example"))
	old := template("jobs.example")
	old.NotAfter = time.Now().Add(-time.Minute)
	_, oldCert, oldKey := root.sign(t, old)
	half := template("jobs.example")
	half.ExtKeyUsage = half.ExtKeyUsage[:1]
	_, halfCert, halfKey := root.sign(t, half)
	for _, c := range []struct {
		files graph.TLSFiles
		want  string
	}{
		{graph.TLSFiles{Certificate: cert, Key: key, Authority: rootCert}, ""},
		{graph.TLSFiles{Certificate: cert, Key: key}, "needs all of"},
		{graph.TLSFiles{Certificate: cert, Key: otherKey, Authority: rootCert}, "certificate and key"},
		{graph.TLSFiles{Certificate: cert, Key: key, Authority: otherRoot}, "the certificate does not do"},
		{graph.TLSFiles{Certificate: oldCert, Key: oldKey, Authority: rootCert}, "the certificate does not do"},
		{graph.TLSFiles{Certificate: halfCert, Key: halfKey, Authority: rootCert}, "the certificate does not do"},
		{graph.TLSFiles{Certificate: cert, Key: key, Authority: key}, "no certificate in PEM"},
		{graph.TLSFiles{Certificate: cert, Key: cert + ".none", Authority: rootCert}, "no such file"},
	} {
		var out collector
		g := exchanged(2, 2, graph.Hash, counting{n: 300, marked: true}, tag{log: &tagged{}}, &out)
		g.Exchange = graph.Exchange{Transport: graph.TLS, TLS: c.files}
		_, err := exec.Run(t.Context(), g, exec.Options{MaxRows: 64})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c.files, err)
		}
		if err == nil {
			continue
		}
		secret, _ := os.ReadFile(key)
		for _, line := range strings.Split(string(secret), "\n")[1:2] {
			if strings.Contains(err.Error(), line) {
				t.Errorf("an error shows a key: %v", err)
			}
		}
	}
}
