package nexmark

import (
	"strings"
	"sync"

	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// shared is what all readers of a source have in common: the static data, and dictionaries over its lists.
type shared struct {
	static                                *Static
	names, cities, states, channels, urls *vector.Dictionary
}

// lazyShared makes the shared data when the first reader opens: planning opens sources only to ask them.
type lazyShared struct {
	seed uint64
	once sync.Once
	data *shared
}

func (l *lazyShared) get() *shared {
	l.once.Do(func() {
		t := NewStatic(l.seed)
		l.data = &shared{
			t, dictionary(t.Names), dictionary(t.Cities), dictionary(t.States), dictionary(t.Channels), dictionary(t.URLs),
		}
	})
	return l.data
}

func dictionary(list []string) *vector.Dictionary {
	bytes := []byte(strings.Join(list, ""))
	v := make([]kernel.View, len(list))
	at := 0
	for i, s := range list {
		v[i] = kernel.MakeView(bytes, 0, at, len(s))
		at += len(s)
	}
	c := &vector.Column{}
	vector.SetViews(c, text, v, bytes)
	return vector.FixedDictionary(c)
}
