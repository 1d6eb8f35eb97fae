package checkpoint

// SpanOf is the range of key groups of a subtask, those whose rows an exchange brings to it (network.SubtaskOf).
func SpanOf(subtask, parallelism, maxParallelism int) Span {
	return Span{
		From: (subtask*maxParallelism + parallelism - 1) / parallelism,
		To:   ((subtask+1)*maxParallelism + parallelism - 1) / parallelism,
	}
}

func (s Span) overlaps(o Span) bool { return s.From < o.To && o.From < s.To }
