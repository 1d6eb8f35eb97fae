package nexmark

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
)

// Hot is the number of entries of Static.Channels and Static.URLs that half of all bids share; they come first.
const Hot = 4

const channels = 10_000

// Static is the data that all generators of one seed share. Nothing in it changes after NewStatic.
type Static struct {
	// Pool is the text that the extra columns are cut from.
	Pool []byte
	// Channels and URLs are the 10,004 pairs that a bid picks one of.
	Channels, URLs []string
	// Names are the 99 person names, Cities and States the places.
	Names, Cities, States []string

	pool *[poolSize + 4]byte
}

var (
	firstNames = strings.Fields("Peter Paul Luke John Saul Vicky Kate Julie Sarah Deiter Walter")
	lastNames  = strings.Fields("Shultz Abrams Spencer White Bartels Walton Smith Jones Noris")
	cityNames  = strings.Split("Phoenix,Los Angeles,San Francisco,Boise,Portland,Bend,Redmond,Seattle,Kent,Cheyenne", ",")
	stateNames = strings.Fields("AZ CA ID OR WA WY")
)

// NewStatic builds the shared data of a master seed: the pool is drawn from the seed itself, the URLs from the next one.
func NewStatic(seed uint64) *Static {
	t := &Static{Cities: cityNames, States: stateNames, pool: new([poolSize + 4]byte)}
	t.Pool = t.pool[:poolSize]
	r := random(seed)
	r.fresh(t.Pool)
	for _, first := range firstNames {
		for _, last := range lastNames {
			t.Names = append(t.Names, first+" "+last)
		}
	}
	t.pairs(seed + 1)
	return t
}

// pairs draws the channels and their URLs.
func (t *Static) pairs(seed uint64) {
	r := random(seed)
	t.Channels = append(make([]string, 0, Hot+channels), "Google", "Facebook", "Baidu", "Apple")
	// The texts are written one behind the other and cut apart at the end.
	urls, names := make([]byte, 0, channels*90), make([]byte, 0, channels*13)
	urlEnds, nameEnds := make([]int, 0, Hot+channels), make([]int, 0, channels)
	for range Hot {
		urls = r.baseURL(urls)
		urlEnds = append(urlEnds, len(urls))
	}
	for i := range uint32(channels) {
		urls = r.baseURL(urls)
		if r.below(10) > 0 {
			// The smallest integer has no absolute value of its own width: it stays negative, as upstream has it.
			id := int32(bits.Reverse32(i))
			urls = strconv.AppendInt(append(urls, "&channel_id="...), int64(max(id, -id)), 10)
		}
		urlEnds = append(urlEnds, len(urls))
		names = strconv.AppendInt(append(names, "channel-"...), int64(i), 10)
		nameEnds = append(nameEnds, len(names))
	}
	t.URLs = cut(make([]string, 0, Hot+channels), string(urls), urlEnds)
	t.Channels = cut(t.Channels, string(names), nameEnds)
}

// cut appends the pieces of s that end at some places.
func cut(list []string, s string, ends []int) []string {
	from := 0
	for _, to := range ends {
		list = append(list, s[from:to])
		from = to
	}
	return list
}

// baseURL appends a URL without a channel.
func (r *random) baseURL(url []byte) []byte {
	url = append(url, "https://www.nexmark.com"...)
	for range 3 {
		var part [4]byte
		_, n := r.text(part[:], 5, '_')
		url = append(append(url, '/'), part[:n]...)
	}
	return append(url, "/item.htm?query=1"...)
}

// prefix returns the four bytes of the pool at off as a view holds them.
func prefix(pool *[poolSize + 4]byte, off uint32) uint32 {
	off &= poolSize - 1
	return binary.LittleEndian.Uint32(pool[off : off+4])
}
