package nexmark

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// open makes a source of the full table from options written as `key=value`.
func open(opts ...string) (*source, error) {
	values := map[string]string{}
	for _, o := range opts {
		k, v, _ := strings.Cut(o, "=")
		values[k] = v
	}
	o := Definition.Options()
	if err := option.Decode(o, values); err != nil {
		return nil, err
	}
	s, err := Definition.Source(&connector.Table{Name: "t", Columns: Schema(), Options: o, Env: &function.Env{}})
	if err != nil {
		return nil, err
	}
	return s.(*source), nil
}

func mustOpen(t testing.TB, opts ...string) *source {
	t.Helper()
	s, err := open(opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// cell is the text of row i of a column as the golden encoding has it, without escapes.
func cell(c *vector.Column, i int) string {
	if c.Null(i) {
		return `\N`
	}
	switch c.Type.Kind {
	case types.Int:
		return strconv.Itoa(int(vector.Value[int32](c, i)))
	case types.Varchar:
		return strings.ReplaceAll(string(vector.Text(c, i)), `\`, `\\`)
	case types.Row:
		flat, k := c.At(i)
		var out []string
		for _, child := range flat.Children {
			out = append(out, cell(child, k))
		}
		return strings.Join(out, "\t")
	}
	return strconv.FormatInt(vector.Value[int64](c, i), 10)
}

// eventLines are the rows of a batch of the full table in the golden encoding.
func eventLines(b *vector.Batch) []string {
	var out []string
	for i := range b.Len {
		var cells []string
		for _, c := range b.Cols {
			if s := cell(c, i); s != `\N` {
				cells = append(cells, s)
			}
		}
		out = append(out, strings.Join(cells, "\t")+"\n")
	}
	return out
}

// readAll reads a source with n subtasks to its end, and returns the lines of each.
func readAll(t *testing.T, s *source, n, maxRows int) [][]string {
	t.Helper()
	splits, err := s.Splits(n)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]string, n)
	for i, sp := range splits {
		c := &connector.Context{Subtask: i, Parallelism: n, MaxRows: maxRows}
		r, err := s.Open(c, []connector.Split{sp})
		if err != nil {
			t.Fatal(err)
		}
		for {
			read, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if read.Status == connector.End {
				break
			}
			if read.Status == connector.Wait {
				<-read.Wake
				continue
			}
			if read.Status == connector.Done {
				continue
			}
			if b := read.Batch; b.Len == 0 || b.Len > maxRows {
				t.Fatalf("batch of %d rows, at most %d", b.Len, maxRows)
			}
			out[i] = append(out[i], eventLines(read.Batch)...)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// wanted are the lines of the default configuration, changed by f.
func wanted(t *testing.T, n int64, f func(*Config)) []string {
	t.Helper()
	c := Default()
	f(&c)
	c.Events = n
	var out bytes.Buffer
	if err := Dump(&out, newGenerator(t, c), n, TSV); err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func sorted(lists ...[]string) string {
	all := slices.Concat(lists...)
	for i := range all {
		all[i] = strings.TrimSuffix(all[i], "\n")
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func TestSourceRows(t *testing.T) {
	sizes := []int{1, 3, 1024, 4096}
	if testing.Short() {
		sizes = []int{3, 1024}
	}
	for _, mode := range []string{"stream", "event"} {
		want := wanted(t, 5000, func(c *Config) { c.SeedPerEvent = mode == "event" })
		for _, n := range []int{1, 2, 4} {
			for _, maxRows := range sizes {
				got := readAll(t, mustOpen(t, "events.num=5000", "rng="+mode), n, maxRows)
				if sorted(got...) != sorted(want) {
					t.Errorf("%s, parallelism %d, batches of %d: differs", mode, n, maxRows)
				}
				for i, lines := range got {
					if len(lines) < 100 || strings.TrimSpace(lines[5]) != strings.TrimSpace(want[i*blockLen+5]) {
						t.Errorf("%s, parallelism %d: subtask %d does not start with block %d", mode, n, i, i)
					}
				}
			}
		}
	}
}

func TestSourceUpstream(t *testing.T) {
	var want []string
	for i := range 4 {
		c := Default()
		c.Events = 3001
		c, err := c.Split(i, 4)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines(t, newGenerator(t, c), 4000) {
			if len(l) > 0 {
				want = append(want, string(l))
			}
		}
	}
	got := readAll(t, mustOpen(t, "events.num=3001", "split=upstream"), 4, 100)
	if len(want) != 3001 || sorted(got...) != sorted(want) {
		t.Errorf("differs: %d rows, want 3001", len(slices.Concat(got...)))
	}
}

func TestSourceRestore(t *testing.T) {
	for _, opts := range [][]string{{}, {"rng=event"}, {"split=upstream"}, {"stop-at=2500"}} {
		s := mustOpen(t, append(opts, "events.num=6000")...)
		splits, _ := s.Splits(2)
		all := readAll(t, s, 2, 300)
		for i, sp := range splits {
			c := &connector.Context{MaxRows: 300}
			var got []string
			for left := true; left; {
				r, err := s.Open(c, []connector.Split{sp})
				if err != nil {
					t.Fatal(err)
				}
				for k := 0; k < 2; k++ {
					read, _ := r.Next()
					if left = read.Status == connector.Rows; left {
						got = append(got, eventLines(read.Batch)...)
					}
				}
				sp.Position, _ = r.Position(0)
			}
			if !slices.Equal(got, all[i]) {
				t.Errorf("%v: subtask %d differs after restores: %d rows, want %d", opts, i, len(got), len(all[i]))
			}
		}
	}
	s := mustOpen(t, "events.num=10")
	for _, sp := range []connector.Split{{ID: "x"}, {ID: "rows 1 of 1"}, {ID: "rows 0 of 1", Position: []byte{1}},
		{ID: "rows 0 of 1", Position: bytes.Repeat([]byte{9}, 16)}} {
		if _, err := s.Open(&connector.Context{MaxRows: 1}, []connector.Split{sp}); err == nil {
			t.Errorf("opened %q at %x", sp.ID, sp.Position)
		}
	}
}

func TestSourceErrors(t *testing.T) {
	for opt, want := range map[string]string{
		"events.num=-1":             "'events.num'; expected an integer of at least 0",
		"bid.proportion=-1":         "'bid.proportion'; expected an integer from 0 to 16777216",
		"bid.hot-ratio.auctions=0":  "'bid.hot-ratio.auctions'; expected an integer from 1 to 2147483647",
		"bid.hot-ratio.bidders=0":   "'bid.hot-ratio.bidders'",
		"auction.hot-ratio.sellers": "'auction.hot-ratio.sellers'",
		"first-event.rate=0":        "'first-event.rate'; expected an integer from 1 to 2147483647",
		"stop-at=-2":                "'stop-at'; expected an integer of at least -1",
		"bid.avg-size=17mb":         "'bid.avg-size'",
		"rng=x":                     "'rng'; expected one of stream, event",
		"split=x":                   "'split'; expected one of rows, upstream",
		"base-time=-1":              "'base-time'",
		"rate.shape=TRIANGLE":       "'rate.shape'; expected one of SQUARE, SINE",
		"events=5":                  "unknown option 'events'",
	} {
		if _, err := open(opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", opt, err, want)
		}
	}
	_, err := open("bid.proportion=0", "auction.proportion=0", "person.proportion=0")
	if err == nil || !strings.Contains(err.Error(), "are all 0; at least one") {
		t.Errorf("no proportions: %v", err)
	}
	for _, split := range []string{"rows", "upstream"} {
		_, err = mustOpen(t, "events.num=3", "split="+split).Splits(4)
		if err == nil || err.Error() != "option 'events.num' is 3, less than the parallelism 4; it must be at least 4, or 0 for no end" {
			t.Errorf("fewer events than subtasks, %s: %v", split, err)
		}
	}
}

func TestBounded(t *testing.T) {
	for opts, want := range map[string]bool{
		"": false, "events.num=5": true, "stop-at=5": true, "events.num=5,keep-alive=true": false,
	} {
		if got := mustOpen(t, strings.FieldsFunc(opts, func(r rune) bool { return r == ',' })...).Bounded(); got != want {
			t.Errorf("%q: bounded %v", opts, got)
		}
	}
}

// equals is the condition that the event type is k.
func equals(k Kind) expr.Expr {
	fn := function.Must("=")
	return &expr.Call{Fn: fn, Pos: -1, T: types.Of(types.Boolean), List: []expr.Expr{
		&expr.Column{Index: 0, Name: typeColumn, T: integer}, expr.NewConst(vector.ConstOf(integer, int32(k), 1), "")}}
}

// rowtime is the computed time column of the benchmark's table, with the kinds' fields at some positions.
func rowtime(person, auction, bid int) expr.Expr {
	at := func(i int) expr.Expr {
		c := Schema()[i]
		return expr.NewField(&expr.Column{Index: i, Name: c.Name, T: c.Type}, c.Type.Field(timeField))
	}
	return &expr.Case{T: timestamp, Else: at(bid), Whens: []expr.When{
		{Cond: equals(Person), Then: at(person)}, {Cond: equals(Auction), Then: at(auction)}}}
}

func TestPushWatermark(t *testing.T) {
	for _, c := range []struct {
		rowtime expr.Expr
		delay   int64
		want    bool
	}{
		{rowtime(1, 2, 3), 4000, true},
		{rowtime(1, 2, 3), 0, false},
		{rowtime(2, 1, 3), 4000, false},
		{rowtime(1, 2, 2), 4000, false},
		{rowtime(1, 2, 3).(*expr.Case).Else, 4000, false},
		{nil, 4000, false},
	} {
		s := mustOpen(t, "events.num=5000")
		a := s.Push(connector.Request{Limit: -1, Rowtime: c.rowtime, Delay: c.delay, Filters: []expr.Expr{equals(Bid)}})
		if a.Watermark != c.want || !a.Filters[0] {
			t.Errorf("%v after %d: accepted %+v", c.rowtime, c.delay, a)
		}
		if !c.want {
			continue
		}
		r, err := s.Open(&connector.Context{MaxRows: 100}, []connector.Split{{ID: "rows 0 of 1"}})
		if err != nil {
			t.Fatal(err)
		}
		for read, _ := r.Next(); read.Status == connector.Rows; read, _ = r.Next() {
			p, _ := r.Position(0)
			count := int64(p[0]) | int64(p[1])<<8
			if want := types.EventTime(1609459200000 + count/10 - 4000); read.Watermark != want {
				t.Fatalf("watermark after %d events is %d, want %d", count, read.Watermark, want)
			}
		}
	}
}

func TestPush(t *testing.T) {
	for _, mode := range []string{"stream", "event"} {
		want := wanted(t, 5000, func(c *Config) { c.SeedPerEvent = mode == "event" })
		for k := range kinds {
			s := mustOpen(t, "events.num=5000", "rng="+mode)
			other := &expr.Column{Index: 1, T: Schema()[1].Type}
			a := s.Push(connector.Request{Limit: -1, Filters: []expr.Expr{equals(k), expr.NewField(other, 0)}})
			if !a.Filters[0] || a.Filters[1] {
				t.Fatalf("accepted %v", a.Filters)
			}
			var kept []string
			for _, l := range want {
				if strings.HasPrefix(l, fmt.Sprint(int(k))) {
					kept = append(kept, l)
				}
			}
			for _, n := range []int{1, 3} {
				if got := readAll(t, s, n, 64); sorted(got...) != sorted(kept) {
					t.Errorf("%s: rows of kind %d differ", mode, k)
				}
			}
		}
	}
}

func TestPushColumns(t *testing.T) {
	for _, mode := range []string{"stream", "event"} {
		want := wanted(t, 3000, func(c *Config) { c.SeedPerEvent = mode == "event" })
		s := mustOpen(t, "events.num=3000", "rng="+mode)
		s.Push(connector.Request{Limit: -1, Need: []connector.Path{{0}, {2}, {3, 0}, {3, 4}}})
		for i, l := range slices.Concat(readAll(t, s, 1, 256)...) {
			cells := strings.Split(strings.TrimSuffix(want[i], "\n"), "\t")
			switch cells[0] {
			case "0":
				cells = cells[:1]
			case "2":
				cells = []string{"2", cells[1], `\N`, `\N`, `\N`, cells[5], `\N`, `\N`}
			}
			if got, want := strings.TrimSuffix(l, "\n"), strings.Join(cells, "\t"); got != want {
				t.Fatalf("%s: row %d is %q, want %q", mode, i, got, want)
			}
		}
	}
}

func TestAllFiltered(t *testing.T) {
	s := mustOpen(t, "events.num=200000", "person.proportion=0")
	s.Push(connector.Request{Limit: -1, Filters: []expr.Expr{equals(Person)}})
	if got := readAll(t, s, 1, 10); len(got[0]) != 0 {
		t.Errorf("%d rows", len(got[0]))
	}
}

func TestColumnsByName(t *testing.T) {
	o := Definition.Options()
	if err := option.Decode(o, map[string]string{"events.num": "50"}); err != nil {
		t.Fatal(err)
	}
	openTable := func(cols ...connector.Column) (connector.Source, error) {
		return Definition.Source(&connector.Table{Columns: cols, Options: o, Env: &function.Env{}})
	}
	row := types.RowOf(types.Field{Name: "price", Type: bigint}, types.Field{Name: "auction", Type: bigint})
	src, err := openTable(connector.Column{Name: "bid", Type: row}, connector.Column{Name: "event_type", Type: integer})
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, src.(*source), 1, 10)[0][2]; got != "26223\t1000\t2\n" {
		t.Errorf("third row is %q", got)
	}
	for want, c := range map[string]connector.Column{
		"has no column 'bids'; did you mean 'bid'? it has event_type, person, auction, bid": {Name: "bids", Type: row},
		"'event_type' of connector 'nexmark' has type INT, not BIGINT":                      {Name: "event_type", Type: bigint},
		"'bid.price' of connector 'nexmark' has type BIGINT, not INT": {Name: "bid",
			Type: types.RowOf(types.Field{Name: "price", Type: integer})},
		"'bid' of connector 'nexmark' has type ROW<": {Name: "bid", Type: row.WithNull(false)},
	} {
		if _, err := openTable(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestPace(t *testing.T) {
	s := mustOpen(t, "events.num=20", "max-emit-speed=false", "first-event.rate=100")
	began := time.Now()
	got := readAll(t, s, 1, 10)
	if took := time.Since(began); len(got[0]) != 20 || took < 150*time.Millisecond {
		t.Errorf("%d events after %v; the last is due after 200 ms", len(got[0]), took)
	}
}

func TestKeepAlive(t *testing.T) {
	s := mustOpen(t, "events.num=20", "keep-alive=true")
	r, err := s.Open(&connector.Context{MaxRows: 100}, []connector.Split{{ID: "rows 0 of 1"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []connector.Status{connector.Rows, connector.Done, connector.Wait, connector.Wait} {
		read, err := r.Next()
		if err != nil || read.Status != want {
			t.Fatalf("status %v, %v; want %v", read.Status, err, want)
		}
		if want == connector.Done {
			continue
		}
		select {
		case <-read.Wake:
			t.Fatal("woken")
		default:
		}
	}
}

// BenchmarkSource reads whole events through the connector.
func BenchmarkSource(b *testing.B) {
	s := mustOpen(b)
	r, err := s.Open(&connector.Context{MaxRows: 1024}, []connector.Split{{ID: "rows 0 of 1"}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		read, _ := r.Next()
		rows += read.Batch.Len
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

func TestSourceAllocates(t *testing.T) {
	for _, rng := range []string{"rng=stream", "rng=event"} {
		s := mustOpen(t, rng)
		r, err := s.Open(&connector.Context{MaxRows: 1024}, []connector.Split{{ID: "rows 0 of 1"}})
		if err != nil {
			t.Fatal(err)
		}
		next := func() {
			if read, err := r.Next(); err != nil || read.Batch.Len != 1024 {
				t.Fatalf("%+v, %v", read, err)
			}
		}
		next()
		if n := testing.AllocsPerRun(50, next); n > 0 {
			t.Errorf("%s: %v allocations per batch", rng, n)
		}
	}
}

// TestSourceResume: what three subtasks left is read by any number of them, every event once, and from one stream in
// its order by a single one.
func TestSourceResume(t *testing.T) {
	for _, opts := range [][]string{{}, {"rng=event"}, {"split=upstream"}} {
		s := mustOpen(t, append(opts, "events.num=40000")...)
		splits, _ := s.Splits(3)
		want := sorted(slices.Concat(readAll(t, s, 3, 300)...))
		var before []string
		for i := range splits {
			r, err := s.Open(&connector.Context{MaxRows: 300}, splits[i:i+1])
			if err != nil {
				t.Fatal(err)
			}
			for range 5 + 7*i {
				read, _ := r.Next()
				before = append(before, eventLines(read.Batch)...)
			}
			splits[i].Position, _ = r.Position(0)
		}
		for n := 1; n <= 7; n++ {
			left, err := s.Resume(n, splits)
			if err != nil {
				t.Fatal(err)
			}
			got := slices.Clone(before)
			for i := range n {
				var own []connector.Split
				for k := i; k < len(left); k += n {
					own = append(own, left[k])
				}
				got = append(got, readSplits(t, s, own)...)
			}
			if sorted(got) != want {
				t.Errorf("%v: what %d subtasks read of what three left differs: %d events", opts, n, len(got))
			}
		}
		for _, id := range []string{"rows 0 of 0", "rows 1", "upstream 3 of 3", "other 0 of 1"} {
			if _, err := s.Resume(1, []connector.Split{{ID: id}}); err == nil {
				t.Errorf("%v: resumed %q", opts, id)
			}
		}
	}
	s := mustOpen(t, "events.num=20000")
	if got, want := readSplits(t, s, must(s.Splits(4))), readSplits(t, s, must(s.Splits(1))); !slices.Equal(got, want) {
		t.Error("four splits of one stream do not come in its order")
	}
}

func must(splits []connector.Split, _ error) []connector.Split { return splits }

// readSplits reads some splits by one reader.
func readSplits(t *testing.T, s *source, splits []connector.Split) []string {
	t.Helper()
	r, err := s.Open(&connector.Context{MaxRows: 1024}, splits)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for done := 0; ; {
		switch read, err := r.Next(); {
		case err != nil:
			t.Fatal(err)
		case read.Status == connector.Rows:
			out = append(out, eventLines(read.Batch)...)
		case read.Status == connector.Done:
			done++
		case read.Status == connector.End:
			if done != len(splits) {
				t.Errorf("%d of %d splits are done", done, len(splits))
			}
			return out
		}
	}
}
