package function

import (
	"unicode/utf8"

	"streamsql/exec/text"
	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "IS_VALID_UTF8", Forms: []string{"<BINARY>"}, Extension: true,
	Type: textForm("b", strictly(types.Of(types.Boolean))),
	Bind: bindTest(func(r *row) bool { return utf8.Valid(r.text(0)) }),
	Doc: Doc{Group: "string", Text: "Whether the bytes are a text in UTF-8.",
		Example: "IS_VALID_UTF8(X'C3A9')", Value: "TRUE"},
})

var _ = scalar(Scalar{
	Name: "MAKE_VALID_UTF8", Forms: []string{"<BINARY>"}, Extension: true,
	Type: textForm("b", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) { return text.AppendUTF8(dst, r.text(0)), true }),
	Doc: Doc{Group: "string", Text: "The bytes as a text in UTF-8, with the character U+FFFD for what is none.",
		Example: "MAKE_VALID_UTF8(X'6162')", Value: "ab"},
})
