package checkpoint

import "fmt"

// Damage says what is wrong with a file of a checkpoint: nothing of it is used.
type Damage struct {
	File   string
	Offset int64
	// Check is the check that failed.
	Check string
}

func (d *Damage) Error() string {
	return fmt.Sprintf("%s is damaged at offset %d: %s", d.File, d.Offset, d.Check)
}

// Uncertain says that a checkpoint may or may not have been completed. The job has to stop without
// committing or aborting anything of it: the next start finds out.
type Uncertain struct {
	Epoch int64
	Err   error
}

func (u *Uncertain) Error() string {
	return fmt.Sprintf("checkpoint: it is not known whether chk-%d is complete: %v", u.Epoch, u.Err)
}

// Unwrap gives the cause.
func (u *Uncertain) Unwrap() error { return u.Err }
