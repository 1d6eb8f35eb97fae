// Package nexmark embeds the answers that Nexmark queries must give: one line per query and input with
// row count and checksums, computed by independent engines over the seeded event stream.
//
// It does not know how rows become checksums; cmd/streamsql/bench does.
package nexmark

import _ "embed"

// Results is results.tsv: query, input, rows, sha256, msum64, with a header line.
//
//go:embed results.tsv
var Results string
