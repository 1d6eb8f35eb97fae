package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// repeated is a text of one byte again and again.
type repeated byte

func (r repeated) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(r)
	}
	return len(b), nil
}

// TestStandardInputIsNoScript: whatever comes ends with an error of a line or two and exit code 1, soon.
func TestStandardInputIsNoScript(t *testing.T) {
	noise := make([]byte, 1<<20)
	r := rand.NewChaCha8([32]byte{7})
	_, _ = r.Read(noise)
	long, deep := int64(100<<20), int64(1<<20)
	if testing.Short() {
		long, deep = 5<<20, 1<<18
	}
	for name, in := range map[string]io.Reader{
		"noise":         bytes.NewReader(noise),
		"invalid UTF-8": strings.NewReader("SELECT \xff\xfe;"),
		"a program":     bytes.NewReader(append([]byte("\x7fELF\x02\x01\x01\x00"), noise[:1000]...)),
		"a long line":   io.LimitReader(repeated('x'), long),
		"an open quote": io.MultiReader(strings.NewReader("SELECT '"), io.LimitReader(repeated('x'), long)),
		"brackets":      io.LimitReader(repeated('('), deep),
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			from := time.Now()
			if code := run([]string{"sql"}, in, &out, &errs); code != exitFailed {
				t.Errorf("exit code %d, want %d", code, exitFailed)
			}
			if took := time.Since(from); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
			if n := errs.Len(); n == 0 || n > 2000 || !strings.HasPrefix(errs.String(), "error[SQ01") || out.Len() > 0 {
				t.Errorf("%d bytes of errors, %d of rows: %.300q", n, out.Len(), errs.String())
			}
			if i := strings.IndexFunc(errs.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }); i >= 0 {
				t.Errorf("the error has %q in it", errs.String()[i])
			}
		})
	}
}
