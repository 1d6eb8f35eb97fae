package planner

import (
	"streamsql/planner/bind"
	"streamsql/planner/syntax"
)

// Codes lists every error code that a statement can give, with its meaning.
func Codes() []bind.Code {
	list := []bind.Code{
		{Code: syntax.CodeSyntax, Meaning: "a word or sign stands where none can"},
		{Code: syntax.CodeIncomplete, Meaning: "the text ends before the statement does"},
		{Code: syntax.CodeLexical, Meaning: "a character or literal that SQL does not have"},
		{Code: syntax.CodeReserved, Meaning: "a reserved word used as a name; put it in back-ticks"},
		{Code: syntax.CodeLiteral, Meaning: "the text of a literal is no value"},
		{Code: syntax.CodeWidening, Meaning: "accepted by default, refused by 'streamsql.dialect' = 'flink'"},
		{Code: syntax.CodeLimit, Meaning: "larger or deeper than a limit that the message names"},
		{Code: syntax.CodeSubstitute, Meaning: "${NAME} in a script has no value; give one with -v NAME=value"},
		{Code: syntax.CodeDefinition, Meaning: "clauses of a statement contradict each other"},
	}
	list = append(list, bind.Codes()...)
	return append(list,
		bind.Code{Code: CodeRuntime, Meaning: "an expression had no value for a row that was reached, so the job failed"},
		bind.Code{Code: CodeJob, Meaning: "no job of the session has this id, or it cannot be stopped in this way"},
		bind.Code{Code: CodeCommand, Meaning: "a line with a backslash that is no command of the shell, or one that failed; \\? lists them"},
		bind.Code{Code: syntax.CodeOutside, Meaning: "a file, a row of it or a device that a job reads or writes is not as it should be"},
		bind.Code{Code: syntax.CodeNotSupported, Meaning: "valid SQL that is not built"})
}

// CodeRuntime is the code of an expression that fails while a job runs.
const CodeRuntime syntax.Code = "SQ0301"

// CodeJob is the code of statements about jobs that are not there, or cannot be stopped so.
const CodeJob syntax.Code = "SQ0302"

// CodeCommand is the code of the shell's commands, which begin with a backslash.
const CodeCommand syntax.Code = "SQ0303"
