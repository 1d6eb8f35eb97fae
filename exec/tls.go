package exec

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"

	"streamsql/exec/graph"
	"streamsql/exec/network"
)

// openTLS is how the connections of a job are encrypted: by the files that are named, or by keys of its own.
func openTLS(f graph.TLSFiles) (server, client *tls.Config, err error) {
	if f == (graph.TLSFiles{}) {
		return network.EphemeralTLS()
	}
	var texts [3][]byte
	for i, name := range []string{f.Certificate, f.Key, f.Authority} {
		if name == "" {
			return nil, nil, errors.New("exec: the transport tls needs all of 'streamsql.tls.certificate', 'streamsql.tls.key' and " +
				"'streamsql.tls.authority', or none of them")
		}
		if texts[i], err = os.ReadFile(name); err != nil {
			return nil, nil, fmt.Errorf("exec: the transport tls: %w", err)
		}
	}
	server, client, err = network.PEMTLS(texts[0], texts[1], texts[2])
	if err != nil {
		return nil, nil, fmt.Errorf("exec: the transport tls by %s, %s and %s: %w", f.Certificate, f.Key, f.Authority, err)
	}
	return server, client, nil
}
