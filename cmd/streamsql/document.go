package main

import (
	"encoding/json"
	"io"
)

// writeJSON writes a document, such as that of --json, indented.
func writeJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(document)
}
