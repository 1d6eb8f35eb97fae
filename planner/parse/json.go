package parse

import "streamsql/planner/syntax"

// jsonCall shapes the JSON functions, whose arguments have clauses of their own.
func (s *shaper) jsonCall(c callShape, name string) {
	c.call.JSON = &syntax.JSONClauses{}
	switch name {
	case "JSON_OBJECT", "JSON_OBJECTAGG":
		s.jsonPairs(c)
	case "JSON_ARRAY", "JSON_ARRAYAGG":
		s.jsonItems(c, name == "JSON_ARRAYAGG")
	default:
		s.jsonPath(c)
	}
}

// jsonPairs shapes [KEY] k VALUE v, k : v, .. [NULL|ABSENT ON NULL].
func (s *shaper) jsonPairs(c callShape) {
	for !s.sign(")") && !s.jsonOnNullNext() {
		if s.is("KEY") && !s.peek(1).is("VALUE") && !s.peek(1).sign(",") && !s.peek(1).sign(".") {
			s.i++
		}
		s.callArg(c)
		if !s.accept("VALUE") && !s.acceptSign(":") {
			s.unexpected("VALUE and the value of the key")
		}
		s.callArg(c)
		s.jsonFormat(c)
		if !s.acceptSign(",") {
			break
		}
	}
	s.jsonOnNull(c)
}

// jsonItems shapes a, b, .. [NULL|ABSENT ON NULL].
func (s *shaper) jsonItems(c callShape, aggregate bool) {
	for !s.sign(")") && !s.jsonOnNullNext() {
		s.callArg(c)
		s.jsonFormat(c)
		if aggregate || !s.acceptSign(",") {
			break
		}
	}
	s.jsonOnNull(c)
}

// jsonFormat reads FORMAT JSON behind a value and notes it for the last argument.
func (s *shaper) jsonFormat(c callShape) {
	if !s.accept("FORMAT", "JSON") {
		return
	}
	j := c.call.JSON
	for len(j.Format) < len(c.slots) {
		j.Format = append(j.Format, false)
	}
	j.Format[len(j.Format)-1] = true
}

func (s *shaper) jsonOnNullNext() bool {
	return s.is("NULL", "ABSENT") && s.peek(1).is("ON") && s.peek(2).is("NULL")
}

func (s *shaper) jsonOnNull(c callShape) {
	if !s.jsonOnNullNext() {
		return
	}
	c.call.JSON.OnNull = syntax.NullOnNull
	if s.is("ABSENT") {
		c.call.JSON.OnNull = syntax.AbsentOnNull
	}
	s.i += 3
}

// jsonPath shapes (document, path [RETURNING type] [wrapper] [x ON EMPTY] [x ON ERROR]).
func (s *shaper) jsonPath(c callShape) {
	j := c.call.JSON
	s.callArg(c)
	s.jsonFormat(c)
	s.expectSign(",")
	s.callArg(c)
	if s.accept("RETURNING") {
		at := s.i
		j.Returning = s.typeName() // without [NOT] NULL: NULL ON EMPTY may follow
		j.Returning.Span = s.since(at)
	}
	s.jsonWrapper(j)
	for !s.sign(")") {
		b := s.jsonBehavior(c)
		s.expect("ON")
		switch {
		case s.accept("EMPTY") && j.OnEmpty == nil:
			j.OnEmpty = b
		case s.accept("ERROR") && j.OnError == nil:
			j.OnError = b
		default:
			s.unexpected("EMPTY or ERROR, each once")
		}
	}
}

func (s *shaper) jsonWrapper(j *syntax.JSONClauses) {
	switch {
	case s.accept("WITHOUT"):
		s.accept("ARRAY")
		j.Wrapper = syntax.WithoutWrapper
	case s.accept("WITH"):
		j.Wrapper = syntax.WithWrapper
		if s.accept("CONDITIONAL") {
			j.Wrapper = syntax.WithConditionalWrapper
		} else {
			s.accept("UNCONDITIONAL")
		}
		s.accept("ARRAY")
	default:
		return
	}
	s.expect("WRAPPER")
}

// jsonBehavior shapes what stands before ON EMPTY and ON ERROR.
func (s *shaper) jsonBehavior(c callShape) *syntax.JSONBehavior {
	start, b := s.i, &syntax.JSONBehavior{}
	switch {
	case s.accept("NULL"):
		b.Answer = syntax.JSONNull
	case s.accept("ERROR"):
		b.Answer = syntax.JSONError
	case s.accept("TRUE"):
		b.Answer = syntax.JSONTrue
	case s.accept("FALSE"):
		b.Answer = syntax.JSONFalse
	case s.accept("UNKNOWN"):
		b.Answer = syntax.JSONUnknown
	case s.accept("EMPTY"):
		b.Answer = syntax.JSONEmptyArray
		if s.accept("OBJECT") {
			b.Answer = syntax.JSONEmptyObject
		} else {
			s.expect("ARRAY")
		}
	case s.accept("DEFAULT"):
		b.Answer = syntax.JSONDefault
		s.arg(c.bracket, &b.Default)
	default:
		s.unexpected("NULL, ERROR, DEFAULT x or EMPTY, and ON EMPTY or ON ERROR")
	}
	b.Span = s.since(start)
	return b
}
