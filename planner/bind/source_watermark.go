package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

const sourceWatermark = "SOURCE_WATERMARK"

// isSourceWatermark tells SOURCE_WATERMARK(), which as a whole WATERMARK leaves it to the source to say how far it is.
func (w *work) isSourceWatermark(e syntax.Expr) bool {
	c, ok := e.(*syntax.Call)
	if !ok || !strings.EqualFold(c.Name.String(), sourceWatermark) {
		return false
	}
	if len(c.Args) > 0 || c.Over != nil || plainCall(c, sourceWatermark) != nil {
		return false
	}
	_, hidden := w.cat.Function(w.fullName(c.Name))
	return !hidden
}

// watermark is a table's watermark over its columns. One that is left to the source stands as its column: the table is
// described, not read.
func (w *work) watermark(t *catalog.Table, columns *scope) (expr.Expr, error) {
	if w.isSourceWatermark(t.Watermark.Expr) {
		return columns.relations[0].at(t.Column(t.Watermark.Column)), nil
	}
	return w.expr(t.Watermark.Expr, columns)
}

// lacksWatermark refuses to read a table that leaves its watermark to the source: no connector's source has one.
func (w *work) lacksWatermark(t *catalog.Table, at syntax.Node, connector string) error {
	if t.Watermark == nil || !w.isSourceWatermark(t.Watermark.Expr) {
		return nil
	}
	c := t.Watermark.Column
	return failf(at, CodeConnector, "table %s cannot be read: it declares SOURCE_WATERMARK(), and connector '%s' has no watermark of its own",
		t.Name.Object, connector).WithHint("compute it: WATERMARK FOR %s AS %[1]s - INTERVAL '5' SECOND", catalog.Quote(c))
}
