package checkpoint

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Locked says that another process works in the directory.
type Locked struct {
	File string
	// PID is the holder's, or 0 if it has not said so yet.
	PID int
}

func (l *Locked) Error() string {
	who := "another process"
	if l.PID > 0 {
		who = fmt.Sprintf("process %d", l.PID)
	}
	return fmt.Sprintf("%s is held by %s: one process at a time works in a checkpoint directory", l.File, who)
}

// writeHolder says in a lock file whose it is.
func writeHolder(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// readHolder is the pid in a lock file.
func readHolder(f *os.File) int {
	var b [32]byte
	n, _ := f.ReadAt(b[:], 0) // the end of the file is an error too, and an unreadable pid is only unknown
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil {
		return 0
	}
	return pid
}
