package script

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestStreamPieces: wherever a text is cut into pieces, what runs is what it says as a whole.
func TestStreamPieces(t *testing.T) {
	const text = "\ufeffCREATE TABLE o (a INT) WITH ('connector' = 'blackhole'); SELECT ';' AS a; -- one; ${NONE}\nSELECT /* ; */ 2 /* ; */ ; SELECT `b` FROM (VALUES ('${Q}')) AS t(`b`);;" +
		"SELECT '${N:-x;y}'; SELECT ${S}; " +
		"EXPLAIN STATEMENT SET BEGIN INSERT INTO o SELECT 1; INSERT INTO o SELECT 2; END;\nSELECT 5"
	vars := map[string]string{"Q": "it''s;", "S": "3; SELECT 4"}
	lookup := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	whole, want, _ := newRunner()
	whole.Lookup = lookup
	if err := whole.Run(t.Context(), strings.TrimPrefix(text, ByteOrderMark), ""); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 2, 3, 7, 50, len(text)} {
		r, out, _ := newRunner()
		r.Lookup = lookup
		if err := r.Stream(t.Context(), &pieces{text, size}, "stdin"); err != nil {
			t.Fatal(size, err)
		}
		if out.String() != want.String() {
			t.Errorf("in pieces of %d bytes:\n%s\nas a whole:\n%s", size, out, want)
		}
	}
}

// pieces reads a text in pieces of a size.
type pieces struct {
	text string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b, p.text[:min(p.size, len(p.text))])
	p.text = p.text[n:]
	return n, nil
}

// TestStreamErrors: an error names its place in all that was read.
func TestStreamErrors(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1;\nSELECT b\nFROM (VALUES (1)) AS t(a);\nSELECT 2;": "stdin:2:8",
		"SELECT 1;\n\n SELECT ${MISSING};":                           "stdin:3:9",
		"SELECT 1;\nSELECT 'a":                                       "stdin:2:8",
		"SELECT 1;\nSELECT 1 +":                                      "stdin:2:",
	} {
		r, out, _ := newRunner()
		r.Lookup = func(string) (string, bool) { return "", false }
		err := r.Stream(t.Context(), &pieces{text, 5}, "stdin")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if !strings.HasSuffix(out.String(), "\n1\n") {
			t.Errorf("%q: %s", text, out)
		}
	}
}

// TestStreamEnds: waiting for text ends with its context, when all is stopped, and with a failed read.
func TestStreamEnds(t *testing.T) {
	never, w := io.Pipe()
	defer w.Close()
	r, _, _ := newRunner()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	time.AfterFunc(10*time.Millisecond, func() { cancel(cause) })
	if err := r.Stream(ctx, never, ""); !errors.Is(err, cause) {
		t.Error(err)
	}
	r, _, errs := newRunner()
	begun(t, r, errs, "SET 'execution.checkpointing.savepoint-dir' = '"+t.TempDir()+"';")
	time.AfterFunc(10*time.Millisecond, func() {
		if !r.Stop(context.Background()) {
			t.Error("nothing was stopped")
		}
	})
	if err := errors.Join(r.Stream(t.Context(), never, ""), r.Wait()); err != nil {
		t.Error(err)
	}
	broken, w := io.Pipe()
	w.CloseWithError(cause)
	r, _, _ = newRunner()
	if err := r.Stream(t.Context(), broken, ""); !errors.Is(err, cause) {
		t.Error(err)
	}
}
