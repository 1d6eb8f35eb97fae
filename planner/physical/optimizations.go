package physical

// Optimizations are the names and meanings of what operators may do beyond what their rows need. Each can be switched off
// (Planner.Off) and changes no row; what rewrites plans is a rule instead.
var Optimizations = [][2]string{
	{localAggregation, "folds rows by key before they go over an exchange"},
	{appendRank, "keeps for a rank over rows that stay no more of them than there are places"},
	{sharedDistinct, "keeps the values of DISTINCT calls with the same arguments once, with a bit for each FILTER"},
	{clusteredKeys, "keeps integers near each other together, where they are keys or values of a DISTINCT"},
	{memoisedText, "makes the text of DATE_FORMAT once for the rows in a row that have it, such as those of one day"},
}

const (
	localAggregation = "local-aggregation"
	appendRank       = "append-rank"
	sharedDistinct   = "shared-distinct"
	clusteredKeys    = "clustered-keys"
	memoisedText     = "memoised-text"
)
