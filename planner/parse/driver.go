package parse

import (
	"fmt"
	"io"
	"sync"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
)

// value is what TiDB's parser gets when it asks for a literal. The normalised text has none,
// so no value ever reaches the lowering; the parser only refuses to work without the hooks.
type value struct {
	ast.TexprNode
	held any
}

var installDriver = sync.OnceFunc(func() {
	ast.NewValueExpr = func(v any, _, _ string) ast.ValueExpr { return &value{held: v} }
	ast.NewParamMarkerExpr = func(int) ast.ParamMarkerExpr { return &marker{} }
	ast.NewDecimal = func(s string) (any, error) { return s, nil }
	ast.NewHexLiteral = func(s string) (any, error) { return s, nil }
	ast.NewBitLiteral = func(s string) (any, error) { return s, nil }
})

func (v *value) SetValue(x any)                     { v.held = x }
func (v *value) GetValue() any                      { return v.held }
func (v *value) GetDatumString() string             { return fmt.Sprint(v.held) }
func (v *value) GetString() string                  { return fmt.Sprint(v.held) }
func (v *value) GetProjectionOffset() int           { return -1 }
func (v *value) SetProjectionOffset(int)            {}
func (v *value) Restore(c *format.RestoreCtx) error { c.WritePlainf("%v", v.held); return nil }
func (v *value) Format(w io.Writer)                 { fmt.Fprint(w, v.held) }

func (v *value) Accept(visitor ast.Visitor) (ast.Node, bool) {
	n, _ := visitor.Enter(v)
	return visitor.Leave(n)
}

// marker is a ? of a prepared statement, which the dialect does not have.
type marker struct{ value }

func (m *marker) SetOrder(int) {}
