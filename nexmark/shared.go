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

// lazyShared asks for the shared data when the first reader opens: planning opens sources only to ask them.
type lazyShared struct {
	seed uint64
	once sync.Once
	data *shared
}

func (l *lazyShared) get() *shared {
	l.once.Do(func() { l.data = sharedOf(l.seed) })
	return l.data
}

// latest is the shared data that was asked for last. It is a few megabytes, and what it takes to draw them is most of a
// job of few events; sources of one process mostly have one seed.
var latest struct {
	sync.Mutex
	seed uint64
	data *shared
}

func sharedOf(seed uint64) *shared {
	latest.Lock()
	defer latest.Unlock()
	if latest.data == nil || latest.seed != seed {
		latest.seed, latest.data = seed, newShared(seed)
	}
	return latest.data
}

func newShared(seed uint64) *shared {
	t := NewStatic(seed)
	return &shared{
		t, dictionary(t.Names), dictionary(t.Cities), dictionary(t.States), dictionary(t.Channels), dictionary(t.URLs),
	}
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
