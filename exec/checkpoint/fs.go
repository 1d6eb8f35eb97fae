package checkpoint

import (
	"errors"
	"io"
)

// FS is what the store asks of a file system. Names are paths. Errors for what is not there satisfy
// errors.Is(err, fs.ErrNotExist).
type FS interface {
	// MakeDir makes a directory and those above it, durably.
	MakeDir(name string) error
	// ReadDir lists the names in a directory.
	ReadDir(name string) ([]string, error)
	// Create makes an empty file for writing, in place of one that is there.
	Create(name string) (File, error)
	// Open opens a file for reading.
	Open(name string) (Reader, error)
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir makes what was created, renamed and removed in a directory durable.
	SyncDir(name string) error
	// Lock takes the lock file, made if missing, until it is closed; *Locked if another holds it. The
	// system lets go of it when the process dies.
	Lock(name string) (io.Closer, error)
}

// File is a file being written. Close does not make anything durable.
type File interface {
	io.Writer
	Sync() error
	Close() error
}

// Reader is a file being read, from several goroutines.
type Reader interface {
	io.ReaderAt
	io.Closer
	Size() (int64, error)
}

// readFile reads a whole file of a size that was written as one piece.
func readFile(fs FS, name string, most int64) (b []byte, err error) {
	f, err := fs.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	if size > most {
		return nil, &Damage{File: name, Offset: most, Check: "the file is longer than any that is written here"}
	}
	b = make([]byte, size)
	if n, err := f.ReadAt(b, 0); n < len(b) {
		return nil, err
	}
	return b, nil
}

// writeFile makes a file under a name of its own and gives it the final one when it is durable. The
// directory is not yet synced.
func writeFile(fs FS, aside, name string, b []byte) error {
	f, err := fs.Create(aside)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return fs.Rename(aside, name)
}
