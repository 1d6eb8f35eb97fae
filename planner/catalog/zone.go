package catalog

import (
	"fmt"
	"time"

	"streamsql/exec/function"
)

// farthestZone is by how many seconds a zone is ahead of UTC or behind it at most.
const farthestZone = 18 * 3600

// LoadZone finds a time zone by its TZDB name, or by an offset: UTC, GMT+08:00, UTC-3, +05:30.
func LoadZone(name string) (*time.Location, error) {
	if name == "default" {
		return time.UTC, nil
	}
	z, err := function.ZoneByID(name)
	if err != nil {
		return nil, err
	}
	if _, ahead := time.Unix(0, 0).In(z).Zone(); ahead < -farthestZone || ahead > farthestZone {
		return nil, fmt.Errorf("time zone '%s' is more than 18 hours from UTC", name)
	}
	return z, nil
}
