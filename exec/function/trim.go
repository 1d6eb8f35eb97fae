package function

import (
	"bytes"
	"unicode/utf8"

	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "TRIM", Forms: []string{"[BOTH|LEADING|TRAILING] [<CHARACTER>] FROM <CHARACTER>"}, Special: true,
	Type: trimType,
	Bind: func(b Binding) (Kernel, error) {
		side := textsOf(b.Args[0].Const).str(0)
		return pieceKernel(2, func(r *row) piece {
			return trimmed(r.text(2), r.text(1), side != "TRAILING", side != "LEADING")
		}), nil
	},
	Doc: Doc{Group: "string", Text: "The text without the given characters, blanks by default, at its start, its end or both.",
		Example: "TRIM(BOTH 'x' FROM 'xxabcx')", Value: "abc"},
})

func trimType(args []Arg) (Signature, error) {
	if len(args) != 3 || args[0].Type.Kind != types.Symbol || args[0].Const == nil {
		return Signature{}, Mismatch()
	}
	sig, err := textForm("tt", varying(1, false))(args[1:])
	sig.Args = append([]types.Type{args[0].Type}, sig.Args...)
	return sig, err
}

func trimFunction(name, text, example, value string, lead, trail bool) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{"<CHARACTER>", "<CHARACTER>, <CHARACTER>"},
		Type: textForm("tT", varying(0, false)),
		Bind: bindPiece(0, func(r *row) piece {
			chars := blank
			if r.has(1) {
				chars = r.text(1)
			}
			return trimmed(r.text(0), chars, lead, trail)
		}),
		Doc: Doc{Group: "string", Text: text, Example: example, Value: value},
	})
}

var blank = []byte(" ")

var (
	_ = trimFunction("BTRIM", "The text without the given characters, blanks by default, at its start and end.",
		"BTRIM('xyabcyx', 'xy')", "abc", true, true)
	_ = trimFunction("LTRIM", "The text without the given characters, blanks by default, at its start.",
		"LTRIM('  abc')", "abc", true, false)
	_ = trimFunction("RTRIM", "The text without the given characters, blanks by default, at its end.",
		"RTRIM('abcxx', 'x')", "abc", false, true)
)

// trimmed is s without the code points of chars at the wanted ends.
func trimmed(s, chars []byte, lead, trail bool) piece {
	from, to := 0, len(s)
	for lead && from < to {
		_, size := utf8.DecodeRune(s[from:to])
		if !bytes.Contains(chars, s[from:from+size]) {
			break
		}
		from += size
	}
	for trail && from < to {
		_, size := utf8.DecodeLastRune(s[from:to])
		if !bytes.Contains(chars, s[to-size:to]) {
			break
		}
		to -= size
	}
	return piece{from, to, true}
}
