package syntax_test

import (
	"strings"
	"testing"

	"streamsql/planner/syntax"
)

func TestRender(t *testing.T) {
	cases := []struct {
		src  string
		err  *syntax.Error
		want string
	}{
		{
			"SELECT 1;\n\nSELECT auction, pirce FROM bid",
			syntax.Errorf("SQ0203", syntax.Span{Pos: 27, End: 32}, "column '%s' not found in bid", "pirce").WithHint("did you mean 'price'?"),
			`error[SQ0203]: column 'pirce' not found in bid
  --> q1.sql:3:17
   3 | SELECT auction, pirce FROM bid
     |                 ^^^^^
 hint: did you mean 'price'?
 help: streamsql help SQ0203
`,
		},
		{
			"\tSELECT 'ü' x\r\nFROM",
			syntax.Errorf(syntax.CodeIncomplete, syntax.Span{Pos: 20, End: 20}, "the end"),
			"error[SQ0102]: the end\n  --> q1.sql:2:5\n   2 | FROM\n     |     ^\n help: streamsql help SQ0102\n",
		},
		{
			"\tSELECT 'ü' x\r\nFROM",
			syntax.NotSupported(syntax.Span{Pos: 8, End: 99}, "that", "write this"),
			"error[SQ0901]: not supported: that\n  --> q1.sql:1:9\n   1 | \tSELECT 'ü' x\n     | \t       ^^^^^\n hint: write this\n help: streamsql help SQ0901\n",
		},
	}
	for _, c := range cases {
		if got := c.err.Render(c.src, "q1.sql"); got != c.want {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
	}
}

func TestRenderLongLine(t *testing.T) {
	src := "SELECT " + strings.Repeat("x + ", 1<<18) + "!" + strings.Repeat(" + y", 1<<18)
	pos := strings.IndexByte(src, '!')
	got := syntax.Errorf(syntax.CodeLexical, syntax.Span{Pos: pos, End: pos + 1}, "no").Render(src, "")
	lines := strings.Split(got, "\n")
	if len(got) > 800 || strings.IndexByte(lines[3], '^') < 0 || []rune(lines[2])[len([]rune(lines[3]))-1] != '!' {
		t.Errorf("%s", got)
	}
}

func TestIncomplete(t *testing.T) {
	if !syntax.Incomplete(syntax.Errorf(syntax.CodeIncomplete, syntax.Span{}, "x")) || syntax.Incomplete(nil) ||
		syntax.Incomplete(syntax.Errorf(syntax.CodeSyntax, syntax.Span{}, "x")) {
		t.Error("Incomplete tells the codes apart wrongly")
	}
}
