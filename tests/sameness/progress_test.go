package sameness

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// far says how far a run is, and how long the whole takes if the rest is like what was.
func (p *progress) far(at int) string {
	took, first := time.Since(p.began), min(*soakFrom, at)
	whole := time.Duration(float64(took) * float64(len(p.list)) / float64(max(at-first, 1)))
	return fmt.Sprintf("%v: %d of %d settings; all take about %v", took.Round(time.Second), at, len(p.list), whole.Round(time.Second))
}

// slowest is how many settings are named that took longest.
const slowest = 5

// report says what was run: of every value how many settings of how many, and which took longest.
func (p *progress) report() {
	p.t.Log(p.far(min(int(p.next.Load()), len(p.list))))
	all, run := map[string]int{}, map[string]int{}
	var list []int
	for i := range p.list {
		for _, v := range p.list[i].values() {
			all[v]++
			if p.took[i] > 0 {
				run[v]++
			}
		}
		if p.took[i] > 0 {
			list = append(list, i)
		}
	}
	kind, line := "", ""
	for _, v := range slices.Sorted(maps.Keys(all)) {
		k, value, _ := strings.Cut(v, "=")
		if k != kind {
			p.tell(line)
			kind, line = k, k+":"
		}
		line += fmt.Sprintf(" %s %d/%d,", value, run[v], all[v])
	}
	p.tell(line)
	slices.SortFunc(list, func(a, b int) int { return int(p.took[b] - p.took[a]) })
	for _, i := range list[:min(slowest, len(list))] {
		p.t.Logf("setting %d took %v: %v", i, p.took[i].Round(time.Millisecond), &p.list[i])
	}
}

func (p *progress) tell(line string) {
	if line != "" {
		p.t.Log(strings.TrimSuffix(line, ","))
	}
}

// values are what a setting is made of, as key=value.
func (s *setting) values() []string {
	out := []string{"query=" + s.query, "input=" + s.input.Name, "safety=" + s.safety.String()}
	for k, v := range s.way {
		out = append(out, k+"="+v)
	}
	return out
}
