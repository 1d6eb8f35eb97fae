package parse

// Dialect says how closely the parser keeps to Flink.
type Dialect uint8

// The dialects.
const (
	// Default accepts what Flink accepts and the widenings of widening.go.
	Default Dialect = iota
	// Flink refuses every widening.
	Flink
)

// Options change what the parser accepts.
type Options struct {
	Dialect Dialect
}
