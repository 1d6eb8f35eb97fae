package syntax

var literalText = [...]string{
	NullLiteral: "NULL", BoolLiteral: "BOOLEAN", IntegerLiteral: "integer", DecimalLiteral: "DECIMAL", DoubleLiteral: "DOUBLE",
	StringLiteral: "string", BinaryLiteral: "binary", DateLiteral: "DATE", TimeLiteral: "TIME", TimestampLiteral: "TIMESTAMP",
	TimestampLTZLiteral: "TIMESTAMP WITH LOCAL TIME ZONE",
}

// String names the kind.
func (k LiteralKind) String() string { return literalText[k] }

var joinText = [...]string{Inner: "INNER", Left: "LEFT", Right: "RIGHT", Full: "FULL", Cross: "CROSS", Comma: ","}

// String returns the word before JOIN, or a comma.
func (k JoinKind) String() string { return joinText[k] }

var setText = [...]string{Union: "UNION", Intersect: "INTERSECT", Except: "EXCEPT"}

// String returns the operator as SQL writes it.
func (o SetOperator) String() string { return setText[o] }

var groupText = [...]string{
	GroupExpr: "expression", GroupTuple: "tuple", GroupingSets: "GROUPING SETS", Rollup: "ROLLUP", Cube: "CUBE",
}

// String names the kind.
func (k GroupKind) String() string { return groupText[k] }

var columnText = [...]string{Physical: "physical", Computed: "computed", Metadata: "METADATA", Reference: "reference"}

// String names the kind.
func (k ColumnKind) String() string { return columnText[k] }

var likeText = [...]string{PlainLike: "LIKE", SimilarTo: "SIMILAR TO"}

// String returns the operator as SQL writes it.
func (k LikeKind) String() string { return likeText[k] }

var boundText = [...]string{
	UnboundedPreceding: "UNBOUNDED PRECEDING", Preceding: "PRECEDING", CurrentRow: "CURRENT ROW",
	Following: "FOLLOWING", UnboundedFollowing: "UNBOUNDED FOLLOWING",
}

// String returns the words behind the offset.
func (k BoundKind) String() string { return boundText[k] }

var collectionText = [...]string{Array: "ARRAY", Map: "MAP", Multiset: "MULTISET"}

// String returns the constructor's word.
func (k CollectionKind) String() string { return collectionText[k] }
