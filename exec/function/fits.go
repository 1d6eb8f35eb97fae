package function

import (
	"fmt"
	"unicode/utf8"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Fits is a text or binary value that is as long as its type says, and fails for others: columns of files may hold more
// than they are declared to. Plans call it before sinks; statements have no name for it.
var Fits = &Scalar{
	Name: "FITS", Special: true, Fails: true, Nameless: true,
	Type: func(args []Arg) (Signature, error) {
		return Signature{Args: []types.Type{args[0].Type}, Result: args[0].Type}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		t := b.Result
		text, padded, most := t.Kind.IsText(), t.Kind == types.Char || t.Kind == types.Binary, t.Precision
		return func(c *Call) {
			w := vector.NewText(c.Out)
			for i := range c.Out.Len {
				if !c.Wanted(i) {
					continue
				}
				v := vector.Text(c.Args[0], i)
				n := len(v)
				if text && (padded || n > most) {
					n = utf8.RuneCount(v)
				}
				if n > most || padded && n < most {
					c.FailWith(i, func() error {
						return fmt.Errorf("a value of length %d is being written into %s; cut or pad it, or set "+
							"'table.exec.sink.type-length-enforcer' = 'TRIM_PAD'", n, t.WithNull(true))
					})
				}
				w.Put(i, v)
			}
			w.Finish()
		}, nil
	},
}
