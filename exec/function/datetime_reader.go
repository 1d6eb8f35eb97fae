package function

// DateReader reads wall clocks by a pattern of java.time.
type DateReader struct{ pattern *datePattern }

// NewDateReader compiles a pattern; it fails where that is none, or has letters that are printed only.
func NewDateReader(pattern string) (*DateReader, error) {
	p, err := compileReader(pattern)
	return &DateReader{p}, err
}

// Read reads all of s. It gives the days since 1970 and the nanoseconds of the day; what the pattern leaves out is as on
// 1970-01-01 00:00:00.
func (d *DateReader) Read(s string) (days, nanos int64, ok bool) { return d.pattern.read([]byte(s)) }
