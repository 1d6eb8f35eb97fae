package connector

// Measured is a Reader of input that ends, which knows how much of it it has given.
type Measured interface {
	Reader
	// Share is the part of the input that was given, from 0 to 1; false when that is not known.
	Share() (float64, bool)
}
