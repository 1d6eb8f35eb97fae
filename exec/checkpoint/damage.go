package checkpoint

import "fmt"

// Damage says what is wrong with a file of a checkpoint: nothing of it is used.
type Damage struct {
	File   string
	Offset int64
	// Check is the check that failed.
	Check string
	// Version says that another version of the program may be able to read the file.
	Version bool
}

func (d *Damage) Error() string {
	if d.Version {
		return fmt.Sprintf("%s was made by another version of the program: %s; finish the job with that one, or begin anew "+
			"in another directory", d.File, d.Check)
	}
	return fmt.Sprintf("%s is damaged at offset %d: %s", d.File, d.Offset, d.Check)
}

// otherVersion is the damage of a file whose format has another version than the one that is read.
func otherVersion(file string, is, read uint32) error {
	return &Damage{File: file, Offset: 8, Version: true,
		Check: fmt.Sprintf("it has format version %d, this program reads version %d", is, read)}
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
