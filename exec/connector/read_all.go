package connector

import (
	"errors"
	"fmt"

	"streamsql/exec/vector"
)

// ReadAll reads a bounded source to its end and gives take every batch, lent for the call. It waits while the source
// has nothing: it is for tables that must be whole before the first row of a job goes on.
func ReadAll(c *Context, s Source, take func(*vector.Batch) error) (err error) {
	if !s.Bounded() {
		return errors.New("the source does not end")
	}
	splits, err := s.Splits(1)
	if err != nil {
		return err
	}
	r, err := s.Open(c, splits)
	if err != nil {
		return err
	}
	defer func() {
		if e := r.Close(); err == nil && e != nil {
			err = fmt.Errorf("close: %w", e)
		}
	}()
	for {
		x, err := r.Next()
		if err != nil {
			return err
		}
		switch x.Status {
		case End:
			return nil
		case Wait:
			<-x.Wake
		case Rows:
			if x.Batch == nil {
				continue
			}
			if err := take(x.Batch); err != nil {
				return err
			}
		}
	}
}
