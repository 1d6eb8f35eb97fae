package nexmark

import (
	"fmt"
	"io"
	"strconv"

	"streamsql/exec/kernel"
)

// Format is a text form of events, one line each.
type Format int

const (
	// TSV has the kind's number, then its columns, separated by tabs; backslashes are doubled.
	TSV Format = iota
	// JSON has one object, with the kind's number as its first member, event_type.
	JSON
)

const dumpBatch = 1024

// Dump writes the next n events of g, fewer when it ends earlier. A writer that fails ends it with its error.
func Dump(w io.Writer, g *Generator, n int64, f Format) error {
	e := NewEvents(dumpBatch)
	var out []byte
	for n > 0 && g.Remaining() > 0 {
		e.Reset()
		n -= int64(g.Append(e, int(min(n, dumpBatch))))
		out = out[:0]
		for i := range e.Len {
			out = g.static.line(out, e, i, f)
		}
		if _, err := w.Write(out); err != nil {
			return fmt.Errorf("nexmark: write events: %w", err)
		}
	}
	return nil
}

// line appends event i of a batch and a line feed.
func (t *Static) line(out []byte, e *Events, i int, f Format) []byte {
	kind := Kind(e.Types[i])
	l := lineWriter{out: out, json: f == JSON}
	l.first(int64(kind))
	row := int(e.Codes[kind][i])
	switch kind {
	case Person:
		t.person(&l, &e.Persons, row)
	case Auction:
		t.auction(&l, &e.Auctions, row)
	default:
		t.bid(&l, &e.Bids, row)
	}
	return l.end()
}

func (t *Static) person(l *lineWriter, p *Persons, row int) {
	l.number("id", p.ID[row])
	l.text("name", t.Names[p.Name[row]])
	l.view("emailAddress", &p.Email[row], p.Text)
	l.view("creditCard", &p.Card[row], p.Text)
	l.text("city", t.Cities[p.City[row]])
	l.text("state", t.States[p.State[row]])
	l.number("dateTime", p.Time[row])
	l.view("extra", &p.Extra[row], t.Pool, p.Fresh)
}

func (t *Static) auction(l *lineWriter, a *Auctions, row int) {
	l.number("id", a.ID[row])
	l.view("itemName", &a.Item[row], a.Text)
	l.view("description", &a.Description[row], a.Text)
	l.number("initialBid", a.InitialBid[row])
	l.number("reserve", a.Reserve[row])
	l.number("dateTime", a.Time[row])
	l.number("expires", a.Expires[row])
	l.number("seller", a.Seller[row])
	l.number("category", a.Category[row])
	l.view("extra", &a.Extra[row], t.Pool, a.Fresh)
}

func (t *Static) bid(l *lineWriter, b *Bids, row int) {
	l.number("auction", b.Auction[row])
	l.number("bidder", b.Bidder[row])
	l.number("price", b.Price[row])
	l.text("channel", t.Channels[b.Channel[row]])
	l.text("url", t.URLs[b.Channel[row]])
	l.number("dateTime", b.Time[row])
	l.view("extra", &b.Extra[row], t.Pool, b.Fresh)
}

// lineWriter builds one line in either format.
type lineWriter struct {
	out  []byte
	json bool
}

func (l *lineWriter) first(kind int64) {
	if l.json {
		l.out = append(l.out, `{"event_type":`...)
	}
	l.out = strconv.AppendInt(l.out, kind, 10)
}

func (l *lineWriter) name(name string) {
	if l.json {
		l.out = append(append(append(l.out, `,"`...), name...), `":`...)
		return
	}
	l.out = append(l.out, '\t')
}

func (l *lineWriter) number(name string, v int64) {
	l.name(name)
	l.out = strconv.AppendInt(l.out, v, 10)
}

func (l *lineWriter) view(name string, v *kernel.View, bufs ...[]byte) {
	l.text(name, string(v.Bytes(bufs)))
}

// text appends a text; all texts are printable ASCII.
func (l *lineWriter) text(name, v string) {
	l.name(name)
	if l.json {
		l.out = append(l.out, '"')
	}
	for i := range len(v) {
		if v[i] == '\\' || l.json && v[i] == '"' {
			l.out = append(l.out, '\\')
		}
		l.out = append(l.out, v[i])
	}
	if l.json {
		l.out = append(l.out, '"')
	}
}

func (l *lineWriter) end() []byte {
	if l.json {
		l.out = append(l.out, '}')
	}
	return append(l.out, '\n')
}
