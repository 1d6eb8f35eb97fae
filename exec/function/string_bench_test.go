package function

import (
	"bytes"
	"fmt"
	"testing"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// benchTexts makes 1024 texts like Nexmark's: a url or an extra of 70 bytes.
func benchTexts(f func(i int) string) *vector.Column {
	c := &vector.Column{}
	c.Reset(types.String(), 1024)
	w := vector.NewText(c)
	for i := range 1024 {
		w.PutString(i, f(i))
	}
	w.Finish()
	return c
}

func benchURL(i int) string {
	return fmt.Sprintf("https://www.nexmark.com/ab%03d/fghij/klmno/item.htm?query=1&channel_id=%d", i, i*7919)
}

// BenchmarkText measures the calls of Nexmark's q14, q21 and q22 and their like, per batch of 1024 rows;
// the figure to look at is ns/row. A plain loop over the same bytes stands beside the hot ones.
func BenchmarkText(b *testing.B) {
	urls := benchTexts(benchURL)
	for _, x := range []struct {
		name string
		args []string
	}{
		{"COUNT_CHAR", []string{"STRING:c"}},
		{"SPLIT_INDEX", []string{"STRING:/", "BIGINT:3"}},
		{"REGEXP_EXTRACT", []string{"STRING:(&|^)channel_id=([^&]*)", "BIGINT:2"}},
		{"REGEXP_EXTRACT", []string{"STRING:([a-z]+)\\\\.htm", "BIGINT:1"}},
		{"LIKE", []string{"STRING:https%"}},
		{"LIKE", []string{"STRING:%channel%"}},
		{"LIKE", []string{"STRING:%item_htm%"}},
		{"LOWER", nil},
		{"CHAR_LENGTH", nil},
		{"SUBSTRING", []string{"BIGINT:9", "BIGINT:20"}},
		{"CONCAT", []string{"STRING:-"}},
		{"MD5", nil},
	} {
		s := Lookup(x.name)
		cols, given := []*vector.Column{urls}, []Arg{{Type: urls.Type}}
		for _, a := range x.args {
			i := bytes.IndexByte([]byte(a), ':')
			k := constant(parseType(a[:i]), a[i+1:], false)
			cols, given = append(cols, k), append(given, Arg{Type: k.Type, Const: k})
		}
		sig, err := s.Type(given)
		if err != nil {
			b.Fatal(err)
		}
		run, err := s.Bind(Binding{Args: given, Result: sig.Result, Env: testEnv})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%s%v", x.name, x.args), func(b *testing.B) {
			out, call := &vector.Column{}, &Call{}
			b.ReportAllocs()
			for b.Loop() {
				out.Reset(sig.Result, 1024)
				call.Reset(out, cols, nil)
				run(call)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
		})
	}
	plain(b, urls, "COUNT_CHAR", func(t []byte) int { return bytes.Count(t, []byte("c")) })
	plain(b, urls, "SPLIT_INDEX", func(t []byte) int {
		for range 3 {
			t = t[bytes.IndexByte(t, '/')+1:]
		}
		return bytes.IndexByte(t, '/')
	})
	plain(b, urls, "CHAR_LENGTH", func(t []byte) int { return kernel.CodePoints(t) })
}

func plain(b *testing.B, c *vector.Column, name string, f func(t []byte) int) {
	texts := make([][]byte, c.Len)
	for i := range texts {
		texts[i] = vector.Text(c, i)
	}
	sum := make([]int, len(texts))
	b.Run("plain/"+name, func(b *testing.B) {
		for b.Loop() {
			for i, t := range texts {
				sum[i] = f(t)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(texts)), "ns/row")
	})
}
