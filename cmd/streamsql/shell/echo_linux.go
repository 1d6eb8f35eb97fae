package shell

import "golang.org/x/sys/unix"

// echo has a terminal show what is typed, or not. The keys keep their meanings.
func echo(terminal int, on bool) error {
	t, err := unix.IoctlGetTermios(terminal, unix.TCGETS)
	if err != nil {
		return err
	}
	if t.Lflag &^= unix.ECHO; on {
		t.Lflag |= unix.ECHO
	}
	return unix.IoctlSetTermios(terminal, unix.TCSETS, t)
}
