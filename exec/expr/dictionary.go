package expr

import (
	"errors"
	"slices"

	"streamsql/exec/function"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// dictNode computes a pure subtree once per dictionary entry when all the columns it reads share one
// code array (E4), and row by row otherwise. The subtree's columns are its atoms: input columns and
// fields of them.
type dictNode struct {
	in    *input
	env   *function.Env
	e     Expr
	fails bool
	plain node
	reads []Expr // the atoms
	atoms []node
	sub   *Evaluator // made by the first batch that needs it
	known []*derived
	cols  []*vector.Column
	fresh []int32
	taken []vector.Column
	out   vector.Column
}

// maxDerived is how many sets of dictionaries a node remembers results for.
const maxDerived = 8

func (c *compiler) overDictionary(e Expr, plain node) (node, error) {
	if isAtom(e) || !Pure(e) {
		return plain, nil
	}
	if p := e.Type().Physical(); p == types.PhysRow || p == types.PhysList || p == types.PhysNone {
		return plain, nil
	}
	atoms := c.atoms(e)
	if len(atoms) == 0 || len(atoms) > maxAtoms {
		return plain, nil
	}
	n := &dictNode{in: c.in, env: c.env, e: e, fails: CanFail(e), plain: plain, reads: atoms,
		taken: make([]vector.Column, len(atoms))}
	for _, a := range atoms {
		m, err := c.compile(a)
		if err != nil {
			return nil, err
		}
		n.atoms = append(n.atoms, m)
	}
	return n, nil
}

// compileSub compiles the subtree over its atoms. It waits for the first dictionary, since most nodes of a
// deep tree never see one.
func (d *dictNode) compileSub() error {
	if d.sub != nil {
		return nil
	}
	sub := &Evaluator{out: make([]*vector.Column, 1)}
	c := newCompiler(&sub.in, d.env)
	c.plain = true
	replaced := overAtoms(d.e, d.reads)
	c.count(replaced)
	root, err := c.compile(replaced)
	if err != nil {
		return err
	}
	sub.roots = []node{root}
	d.sub = sub
	return nil
}

func isAtom(e Expr) bool {
	switch x := e.(type) {
	case *Column:
		return true
	case *Field:
		return isAtom(x.Row)
	}
	return false
}

// maxAtoms is how many columns an expression may read that is computed per dictionary entry: more do not share
// one code array.
const maxAtoms = 8

// atoms lists the distinct atoms of e, or maxAtoms+1 of them when there are more. A node's are put together from
// its arguments', so that deep trees cost no more than their nodes.
func (c *compiler) atoms(e Expr) []Expr {
	if isAtom(e) {
		return []Expr{e}
	}
	if list, ok := c.read[e]; ok {
		return list
	}
	var out []Expr
	for _, a := range e.Args() {
		for _, x := range c.atoms(a) {
			known := slices.ContainsFunc(out, func(y Expr) bool { return c.keys.number(x) == c.keys.number(y) })
			if !known && len(out) <= maxAtoms {
				out = append(out, x)
			}
		}
	}
	c.read[e] = out
	return out
}

func indexOf(atoms []Expr, e Expr) int {
	return slices.IndexFunc(atoms, func(a Expr) bool { return Equal(a, e) })
}

// overAtoms replaces each atom of e by the column of its place in atoms.
func overAtoms(e Expr, atoms []Expr) Expr {
	if isAtom(e) {
		return &Column{indexOf(atoms, e), e.String(), e.Type()}
	}
	args := e.Args()
	if len(args) == 0 {
		return e
	}
	out := make([]Expr, len(args))
	for i, a := range args {
		out[i] = overAtoms(a, atoms)
	}
	return e.With(out)
}

func (d *dictNode) eval(active []uint64) (*vector.Column, error) {
	d.cols = d.cols[:0]
	for _, a := range d.atoms {
		col, err := a.eval(nil)
		if err != nil {
			return nil, err
		}
		if !d.joins(col) {
			return d.plain.eval(active)
		}
		d.cols = append(d.cols, col)
	}
	r := d.find()
	codes := d.cols[0].Codes
	if r.count < r.size {
		if err := d.compileSub(); err != nil {
			return nil, err
		}
		if err := d.derive(r, codes, active); err != nil {
			return nil, err
		}
	}
	d.out.SetDict(d.e.Type(), codes, &r.dict)
	return &d.out, nil
}

// joins tells whether col can stand beside the columns already found: a shared, flat dictionary without
// NULL rows and with the same codes.
func (d *dictNode) joins(col *vector.Column) bool {
	if col.Enc != vector.Dict || col.Dict.ID == 0 || col.Valid != nil || col.Dict.Values.Enc != vector.Flat || col.Len == 0 {
		return false
	}
	if len(d.cols) == 0 {
		return true
	}
	first := d.cols[0]
	return &first.Codes[0] == &col.Codes[0] && len(first.Codes) == len(col.Codes)
}

// find returns the results for the present dictionaries, made when they are new.
func (d *dictNode) find() *derived {
	size := d.cols[0].Dict.Values.Len
	for _, c := range d.cols[1:] {
		size = min(size, c.Dict.Values.Len)
	}
	for _, r := range d.known {
		if r.of(d.cols) {
			r.resize(size)
			return r
		}
	}
	r := newDerived(d.e.Type(), d.cols)
	r.resize(size)
	if len(d.known) == maxDerived {
		d.known = d.known[1:]
	}
	d.known = append(d.known, r)
	return r
}

// derive computes the entries that occur for the first time.
func (d *dictNode) derive(r *derived, codes []int32, active []uint64) error {
	d.fresh = d.fresh[:0]
	if d.fails && active != nil {
		for i, k := range codes {
			if kernel.Bit(active, i) && !kernel.Bit(r.done, int(k)) {
				kernel.SetBit(r.done, int(k))
				d.fresh = append(d.fresh, k)
			}
		}
	} else {
		for _, k := range codes {
			if !kernel.Bit(r.done, int(k)) {
				kernel.SetBit(r.done, int(k))
				d.fresh = append(d.fresh, k)
			}
		}
	}
	if len(d.fresh) == 0 {
		return nil
	}
	if !d.fails && d.fixed() && 2*(r.count+len(d.fresh)) > r.size {
		d.addRest(r)
	}
	cols := make([]*vector.Column, len(d.cols))
	for i, c := range d.cols {
		vector.Take(&d.taken[i], c.Dict.Values, d.fresh)
		cols[i] = &d.taken[i]
	}
	out, err := d.sub.Eval(cols, len(d.fresh))
	if err != nil {
		return atRow(err, d.fresh, codes, active)
	}
	r.store(d.fresh, out[0])
	return nil
}

// fixed tells that all entries are there: of a dictionary that is derived itself those that did not occur may be missing.
func (d *dictNode) fixed() bool {
	return !slices.ContainsFunc(d.cols, func(c *vector.Column) bool { return !c.Dict.Fixed })
}

// addRest marks all entries that are left: when most of them occur anyway, having them all spares every
// later batch the search for new ones.
func (d *dictNode) addRest(r *derived) {
	for k := range r.size {
		if !kernel.Bit(r.done, k) {
			kernel.SetBit(r.done, k)
			d.fresh = append(d.fresh, int32(k))
		}
	}
}

// atRow turns the failing entry into the first row that holds it.
func atRow(err error, fresh, codes []int32, active []uint64) error {
	var e *Error
	if !errors.As(err, &e) || e.Row < 0 {
		return err
	}
	for i, k := range codes {
		if k == fresh[e.Row] && (active == nil || kernel.Bit(active, i)) {
			moved := *e
			moved.Row = i
			return &moved
		}
	}
	return err
}
