package filesystem

import "streamsql/exec/connector"

// A feed gives the goroutine of a reader the files to read, one after the other.
type feed interface {
	// next waits for a file; false at the end, and when done is closed.
	next(done <-chan struct{}) (f file, ok bool, err error)
}

// fileList is a feed of files that are known.
type fileList struct {
	files []file
	at    int
}

func (l *fileList) next(<-chan struct{}) (file, bool, error) {
	if l.at == len(l.files) {
		return file{}, false, nil
	}
	l.at++
	return l.files[l.at-1], true, nil
}

// progress is where a reader stands in its splits. Each is a file, or the only one is a place that is watched.
type progress struct {
	files []file
	at    int // the file being read
	// watch, when not nil, is where files appear; begun is the one being read.
	watch *books
	begun *file
}

func newProgress(s *source, splits []connector.Split) (*progress, feed, error) {
	if s.o.Monitor != nil {
		w, err := newWatcher(s, splits)
		if err != nil {
			return nil, nil, err
		}
		return &progress{watch: w.books}, w, nil
	}
	p := &progress{}
	for _, split := range splits {
		f, err := fileOf(split)
		if err != nil {
			return nil, nil, err
		}
		p.files = append(p.files, f)
	}
	return p, &fileList{files: append([]file(nil), p.files...)}, nil
}

// over tells that all files are read.
func (p *progress) over() bool { return p.watch == nil && p.at == len(p.files) }

// begin goes to the next file of the feed.
func (p *progress) begin(f file) {
	if p.watch != nil {
		p.begun = &f
	}
}

// file is the one being read.
func (p *progress) file() *file {
	if p.watch != nil {
		return p.begun
	}
	return &p.files[p.at]
}

// finish ends the file being read, and tells whether a split ends with it.
func (p *progress) finish() (split int, done bool) {
	if p.watch != nil {
		p.watch.finish(p.begun.path)
		p.begun = nil
		return 0, false
	}
	p.at++
	return p.at - 1, true
}

// split is the number of the split being read.
func (p *progress) split() int { return p.at }

func (p *progress) position(i int) []byte {
	if p.watch != nil {
		return p.watch.position(p.begun)
	}
	return p.files[i].position()
}
