package function

import (
	"bytes"

	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "SUBSTRING_INDEX", Forms: []string{"<CHARACTER>, <CHARACTER>, <INTEGER>"}, Extension: true,
	Type: textForm("tti", strictly(types.String())),
	Bind: bindPiece(0, func(r *row) piece {
		return beforeDelimiter(r.text(0), r.text(1), r.integer(2))
	}),
	Doc: Doc{Group: "string", Text: "The text before the n-th place where a delimiter stands, or for a negative number behind the" +
		" n-th from the end; the whole text where there are fewer. Empty for 0 and an empty delimiter.",
		Example: "SUBSTRING_INDEX('www.apache.org', '.', 2)", Value: "www.apache"},
})

func beforeDelimiter(s, delim []byte, n int64) piece {
	if n == 0 || len(delim) == 0 {
		return piece{0, 0, true}
	}
	if n < 0 {
		to := len(s)
		for ; n < 0; n++ {
			at := bytes.LastIndex(s[:to], delim)
			if at < 0 {
				return piece{0, len(s), true}
			}
			to = at
		}
		return piece{to + len(delim), len(s), true}
	}
	from := 0
	for ; n > 0; n-- {
		at := bytes.Index(s[from:], delim)
		if at < 0 {
			return piece{0, len(s), true}
		}
		from += at + len(delim)
	}
	return piece{0, from - len(delim), true}
}
