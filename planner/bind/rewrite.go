package bind

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"streamsql/planner/catalog"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// Record has what stands in Flink's dialect for pieces of the statements bound from now on appended to a list, as far as
// it takes columns or files to know it; nil ends that. Tables that the list declares are declared once it is kept.
func (b *Binder) Record(to *[]syntax.Rewrite) { b.record, b.made = to, maps.Clone(b.kept) }

// Keep says that the statements of the list which is being recorded are written, so that no later one declares
// their tables again.
func (b *Binder) Keep() { b.kept = b.made }

// rewrite records what Flink has for a piece of the statement's text, once.
func (w *work) rewrite(at syntax.Span, pieces ...syntax.Piece) { w.rewriteBehind(at, "", pieces...) }

// rewriteBehind does so with a statement that has to run first.
func (w *work) rewriteBehind(at syntax.Span, before string, pieces ...syntax.Piece) {
	w.recorded(syntax.Rewrite{Span: at, Pieces: pieces, Before: before})
}

// widened does so with what is beyond Flink and takes the binder to see. Without pieces Flink has nothing for it.
func (w *work) widened(x parse.Widening, at syntax.Span, pieces ...syntax.Piece) {
	w.recorded(syntax.Rewrite{Span: at, Pieces: pieces, What: x.What, Instead: x.Instead})
}

// strict refuses in Flink's dialect what is beyond it.
func (w *work) strict(x parse.Widening, at syntax.Node) error {
	if !w.cat.Settings().Flink() {
		return nil
	}
	return failf(at, CodeDialect, "Flink has no %s", x.What).WithHint("RESET 'streamsql.dialect' allows it")
}

// beyond refuses in Flink's dialect what it has nothing for, and tells of it in the other one.
func (w *work) beyond(x parse.Widening, at syntax.Node) error {
	if err := w.strict(x, at); err != nil {
		return err
	}
	w.widened(x, at.At())
	return nil
}

// functionBeyond is a function, or an aggregate, that Flink has not.
func functionBeyond(kind, name string) parse.Widening {
	return parse.Widening{What: kind + " " + name, Instead: "write it with the functions that Flink has", Columns: true}
}

func (w *work) recorded(new syntax.Rewrite) {
	if w.record == nil || w.apart || new.Span == (syntax.Span{}) { // as what a view has beyond
		return
	}
	if !slices.ContainsFunc(*w.record, func(r syntax.Rewrite) bool { return r.Span == new.Span }) {
		*w.record = append(*w.record, new)
	}
}

func asText(text string) syntax.Piece { return syntax.Piece{Text: text} }

// listedPieces separates pieces by commas.
func listedPieces(items [][]syntax.Piece) []syntax.Piece {
	var out []syntax.Piece
	for i, it := range items {
		if i > 0 {
			out = append(out, asText(", "))
		}
		out = append(out, it...)
	}
	return out
}

// declared is the name of a temporary table that stands for files which no statement declares, and the statement that
// declares it; that is empty where one did so before.
func (w *work) declared(word string, t *catalog.Table) (name, statement string) {
	text := strings.TrimRight(createTableText(t), "\n")
	if have, ok := w.made[text]; ok {
		return have, ""
	}
	for n := 1; ; n++ {
		name = word + "_" + strconv.Itoa(n)
		full := catalog.Name{Catalog: t.Name.Catalog, Database: t.Name.Database, Object: name}
		if !slices.Contains(slices.Collect(maps.Values(w.made)), name) && w.cat.Table(full) == nil {
			break
		}
	}
	if w.record != nil {
		if w.made == nil {
			w.made = map[string]string{}
		}
		w.made[text] = name
	}
	return name, strings.Replace(text, t.Name.Quoted(), name, 1)
}

// rewriteFiles declares files of FROM as a temporary table. name is what the table is called where nothing renames it.
func (w *work) rewriteFiles(at syntax.Span, t *catalog.Table, name string, alias *syntax.Alias) {
	if w.record == nil || w.apart {
		return
	}
	table, statement := w.declared("files", t)
	pieces := []syntax.Piece{asText(table)}
	switch {
	case alias != nil:
		pieces = append(pieces, asText(" "), syntax.Piece{Span: alias.Span})
	case name != "":
		pieces = append(pieces, asText(" AS "+catalog.Quote(name)))
	}
	w.rewriteBehind(at, statement, pieces...)
}

// rewriteCopy makes a COPY a temporary table and an INSERT into it.
func (w *work) rewriteCopy(c *syntax.Copy, t *catalog.Table, overwrite bool) {
	if w.record == nil || w.apart {
		return
	}
	table, statement := w.declared("copied", t)
	into := "INSERT INTO "
	if overwrite {
		into = "INSERT OVERWRITE "
	}
	w.rewriteBehind(c.Span, statement, asText(into+table+" "), syntax.Piece{Span: c.Query.At()})
}
