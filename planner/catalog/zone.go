package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// LoadZone finds a time zone by its TZDB name, or by an offset: UTC, GMT+08:00, UTC-3, +05:30.
func LoadZone(name string) (*time.Location, error) {
	offset := name
	for _, p := range []string{"UTC", "GMT", "UT"} {
		if strings.HasPrefix(name, p) {
			offset = name[len(p):]
			break
		}
	}
	if name == "Z" || name == "default" || (offset == "" && name != "") {
		return time.UTC, nil
	}
	if offset != "" && (offset[0] == '+' || offset[0] == '-') {
		seconds, err := parseOffset(offset)
		if err != nil {
			return nil, err
		}
		return time.FixedZone(name, seconds), nil
	}
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("catalog: no time zone %q", name)
	}
	return time.LoadLocation(name)
}

// parseOffset reads +h, +hh, +hh:mm and +hhmm as seconds.
func parseOffset(s string) (int, error) {
	sign := 1
	if s[0] == '-' {
		sign = -1
	}
	digits := s[1:]
	hours, minutes, colon := strings.Cut(digits, ":")
	if !colon && len(digits) == 4 {
		hours, minutes = digits[:2], digits[2:]
	}
	h, err := strconv.Atoi(hours)
	if err != nil {
		return 0, err
	}
	m := 0
	if minutes != "" {
		if m, err = strconv.Atoi(minutes); err != nil {
			return 0, err
		}
	}
	if h < 0 || m < 0 || m > 59 || h*60+m > 18*60 {
		return 0, fmt.Errorf("catalog: no offset %q", s)
	}
	return sign * (h*60 + m) * 60, nil
}
