package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"streamsql/planner/parse"
)

// offers are what may stand at a place: words that begin with what stands there already.
type offers struct {
	typed string // what stands there
	words []string
	// note is shown above the line: how the function is called that the word is.
	note string
}

// completer gives the editor what may follow.
type completer struct{ s *Shell }

func (s *Shell) completer() completer { return completer{s} }

// mostOffered is how many words are shown at most.
const mostOffered = 200

// Do is called with the line and the place in it when the user asks.
func (c completer) Do(line []rune, pos int) (rest [][]rune, length int) {
	defer func() {
		if recover() != nil { // a session is worth more than a completed word
			rest, length = nil, 0
		}
	}()
	before := strings.NewReplacer(string(pastedTab), "\t", string(lineEnd), "\n").Replace(string(line[:pos]))
	o := c.s.complete(c.s.text.Pending(), before)
	if o.note != "" {
		if e, ok := c.s.reader.(*editor); ok {
			_, _ = e.rl.Stdout().Write([]byte(o.note + "\n"))
		}
	}
	if len(o.words) > mostOffered {
		return nil, 0
	}
	width, _ := c.s.t.Size()
	typed := utf8.RuneCountInString(o.typed)
	for _, w := range o.words {
		if len(o.words) > 1 && runewidth.StringWidth(w)+4 > width { // what does not fit cannot be shown
			continue
		}
		rest = append(rest, []rune(w)[typed:])
	}
	if runewidth.StringWidth(o.typed) != typed { // the editor counts characters, not places
		return rest, 0
	}
	return rest, typed
}

// complete says what may stand behind a text of which the last line is line.
func (s *Shell) complete(before, line string) offers {
	if strings.TrimSpace(before) == "" && strings.HasPrefix(strings.TrimLeft(line, " \t"), `\`) {
		return s.completeCommand(strings.TrimLeft(line, " \t"))
	}
	text := before + line
	if list := parse.Script(text); len(list) > 0 {
		if last := list[len(list)-1]; !last.Terminated {
			text = text[last.Pos:]
		} else {
			text = ""
		}
	}
	toks := parse.Tokens(text)
	if n := len(toks); n > 0 && toks[n-1].Kind == parse.OtherToken && text[toks[n-1].Pos] == '\'' {
		return s.completeText(toks[:n-1], text[toks[n-1].Pos+1:])
	}
	typed := ""
	if n := len(toks); n > 0 && toks[n-1].Kind == parse.WordToken && toks[n-1].End == len(text) {
		typed, toks = text[toks[n-1].Pos:], toks[:n-1]
	}
	return s.completeWord(toks, typed)
}

// fitting makes offers of the words that begin with what was typed, in any case; those in upper case follow the case of
// what was typed.
func fitting(typed string, lists ...[]string) offers {
	o := offers{typed: typed}
	lower := typed != "" && typed == strings.ToLower(typed) && typed != strings.ToUpper(typed)
	for _, list := range lists {
		for _, w := range list {
			if len(w) < len(typed) || !strings.EqualFold(w[:len(typed)], typed) {
				continue
			}
			if lower && w == strings.ToUpper(w) {
				w = strings.ToLower(w)
			}
			o.words = append(o.words, w)
		}
	}
	slices.Sort(o.words)
	o.words = slices.Compact(o.words)
	return o
}

// completeCommand is about a line with a backslash.
func (s *Shell) completeCommand(line string) offers {
	name, args, more := strings.Cut(line, " ")
	if !more {
		var names []string
		for _, k := range commands() {
			names = append(names, k.name+" ")
		}
		return fitting(name, names)
	}
	typed := args[strings.LastIndexAny(args, " \t")+1:]
	words := strings.Fields(args)
	switch name {
	case `\i`, `\ir`, `\e`, `\o`, `\g`:
		return files(typed)
	case `\d`, `\dt`, `\dv`:
		return fitting(typed, s.tables())
	case `\df`:
		return fitting(typed, upper(s.names("SHOW FUNCTIONS")))
	case `\h`:
		return fitting(args, statementNames(), upper(s.names("SHOW FUNCTIONS")))
	case `\set`, `\unset`:
		var names []string
		for k := range s.vars {
			names = append(names, k)
		}
		return fitting(typed, names)
	case `\x`, `\timing`:
		return fitting(typed, []string{"on", "off"})
	case `\pset`:
		return s.completeLook(typed, words)
	case `\stop`, `\fg`, `\why`:
		return fitting(typed, s.r.JobIDs())
	}
	return offers{}
}

func (s *Shell) completeLook(typed string, words []string) offers {
	if len(words) > 1 || len(words) == 1 && typed == "" {
		switch words[0] {
		case "format":
			return fitting(typed, formats())
		case "mode":
			return fitting(typed, Modes)
		case "pager":
			return fitting(typed, []string{"on", "off"})
		}
		return offers{}
	}
	var names []string
	for _, l := range looks() {
		names = append(names, l.name+" ")
	}
	return fitting(typed, names)
}

func upper(list []string) []string {
	for i := range list {
		list[i] = strings.ToUpper(list[i])
	}
	return list
}

// files offers the names of files that begin with a path.
func files(typed string) offers {
	dir, base := filepath.Split(typed)
	at := dir
	if at == "" {
		at = "."
	}
	list, err := os.ReadDir(at)
	if err != nil {
		return offers{}
	}
	o := offers{typed: typed}
	for _, e := range list {
		n := e.Name()
		if !strings.HasPrefix(n, base) || base == "" && strings.HasPrefix(n, ".") {
			continue
		}
		if e.IsDir() {
			n += "/"
		}
		o.words = append(o.words, dir+n)
	}
	return o
}
