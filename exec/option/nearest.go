package option

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest finds the word of list that was probably meant by word: the one with the fewest edits, letter
// case aside, or "" when none is near. Ties go to the earlier one.
func Nearest(word string, list []string) string {
	return within(word, list, max(1, len(word)/3))
}

// Misspelt finds the word of list that word is with one slip of the pen, letter case aside, or "".
func Misspelt(word string, list []string) string { return within(word, list, 1) }

// Closest are the n words of list that word is likeliest meant for, the likeliest first: those that share the most words between
// their dots and hyphens with it, give or take a slip of the pen, and of these the ones with the fewest edits.
func Closest(word string, list []string, n int) []string {
	type candidate struct {
		text          string
		shared, edits int
	}
	parts := pieces(word)
	var all []candidate
	for _, s := range list {
		c := candidate{text: s, edits: edits([]rune(strings.ToLower(word)), []rune(strings.ToLower(s)))}
		theirs := pieces(s)
		for _, p := range parts {
			if slices.Contains(theirs, p) || len(p) > 2 && Misspelt(p, theirs) != "" {
				c.shared++
			}
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.shared, a.shared), cmp.Compare(a.edits, b.edits))
	})
	var out []string
	for _, c := range all[:min(n, len(all))] {
		out = append(out, c.text)
	}
	return out
}

// pieces are the words of a name.
func pieces(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '.' || r == '-' })
}

// within is the nearest word with at most so many edits, and fewer than word has letters: a letter is near no other.
func within(word string, list []string, most int) string {
	best, near := "", most+1
	w := []rune(strings.ToLower(word))
	for _, s := range list {
		if far := len(w) - utf8.RuneCountInString(s); s == word || max(far, -far) >= near {
			continue // as many edits as that are needed for the length alone, which may be that of a long line
		}
		if d := edits(w, []rune(strings.ToLower(s))); d < near && d < max(1, len(w)) {
			best, near = s, d
		}
	}
	return best
}

// edits counts insertions, deletions, substitutions and swaps of neighbours.
func edits(a, b []rune) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		older, old, row = old, row, older
		row[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			row[j+1] = min(old[j]+cost, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
