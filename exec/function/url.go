package function

import (
	"bytes"

	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "PARSE_URL", Forms: []string{"<CHARACTER>, <CHARACTER>", "<CHARACTER>, <CHARACTER>, <CHARACTER>"},
	Type: textForm("ttT", always(types.String())),
	Bind: bindPiece(0, func(r *row) piece {
		u, ok := parseURL(r.text(0))
		if !ok {
			return piece{}
		}
		if !r.has(2) {
			return u.part(r.text(1))
		}
		if string(r.text(1)) != "QUERY" || !u.query.ok {
			return piece{}
		}
		return queryValue(r.text(0), u.query, r.text(2))
	}),
	Doc: Doc{Group: "string", Text: "A part of a URL: HOST, PATH, QUERY, REF, PROTOCOL, AUTHORITY, FILE or USERINFO; with QUERY" +
		" and a key the value of that key. NULL for a bad URL and a part that it has not.",
		Example: "PARSE_URL('http://example.com/p?q=1', 'QUERY', 'q')", Value: "1"},
})

// urlParts says where the parts of a URL stand.
type urlParts struct{ protocol, authority, userInfo, host, path, query, file, ref piece }

func (u *urlParts) part(name []byte) piece {
	switch string(name) {
	case "HOST":
		return u.host
	case "PATH":
		return u.path
	case "QUERY":
		return u.query
	case "REF":
		return u.ref
	case "PROTOCOL":
		return u.protocol
	case "AUTHORITY":
		return u.authority
	case "FILE":
		return u.file
	case "USERINFO":
		return u.userInfo
	}
	return piece{}
}

var urlProtocols = map[string]bool{"HTTP": true, "HTTPS": true, "FTP": true, "FILE": true, "JAR": true, "MAILTO": true}

const longestProtocol = len("MAILTO")

func isProtocol(s []byte) bool {
	var upper [longestProtocol]byte
	return len(s) <= longestProtocol && urlProtocols[string(upper[:copyUpper(upper[:], s)])]
}

// parseURL cuts s as java.net.URL does, which knows a few protocols only.
func parseURL(s []byte) (u urlParts, ok bool) {
	colon := bytes.IndexByte(s, ':')
	if colon < 0 {
		return u, false
	}
	from := 0
	for from < colon && s[from] <= ' ' {
		from++
	}
	if !isProtocol(s[from:colon]) {
		return u, false
	}
	u.protocol = piece{from, colon, true}
	at, end := colon+1, len(s)
	for end > at && s[end-1] <= ' ' {
		end--
	}
	if k := bytes.IndexByte(s[at:end], '#'); k >= 0 {
		u.ref = piece{at + k + 1, end, true}
		end = at + k
	}
	path := end
	if k := bytes.IndexByte(s[at:end], '?'); k >= 0 {
		u.query = piece{at + k + 1, end, true}
		path = at + k
	}
	u.host = piece{at, at, true}
	if bytes.HasPrefix(s[at:path], []byte("//")) {
		from := at + 2
		at = path
		if k := bytes.IndexByte(s[from:path], '/'); k >= 0 {
			at = from + k
		}
		if !u.setAuthority(s, from, at) {
			return u, false
		}
	}
	u.path = piece{at, path, true}
	u.file = piece{at, end, true}
	return u, true
}

func (u *urlParts) setAuthority(s []byte, from, to int) bool {
	u.authority, u.host = piece{from, to, true}, piece{from, to, true}
	if k := bytes.IndexByte(s[from:to], '@'); k >= 0 {
		u.userInfo = piece{from, from + k, true}
		u.host.from = from + k + 1
	}
	host := s[u.host.from:to]
	k := bytes.LastIndexByte(host, ':')
	if k < 0 || bytes.IndexByte(host[k:], ']') >= 0 {
		return true
	}
	for _, c := range host[k+1:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	u.host.to = u.host.from + k
	return true
}

// queryValue finds the first `key=value` of a query.
func queryValue(s []byte, query piece, key []byte) piece {
	for at := query.from; at <= query.to; {
		end := query.to
		if k := bytes.IndexByte(s[at:query.to], '&'); k >= 0 {
			end = at + k
		}
		item := s[at:end]
		if len(item) > len(key) && item[len(key)] == '=' && bytes.HasPrefix(item, key) {
			return piece{at + len(key) + 1, end, true}
		}
		at = end + 1
	}
	return piece{}
}

const urlHex = "0123456789ABCDEF"

var _ = scalar(Scalar{
	Name: "URL_ENCODE", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", always(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		for _, c := range r.text(0) {
			switch {
			case c|32 >= 'a' && c|32 <= 'z', c >= '0' && c <= '9', c == '.', c == '-', c == '*', c == '_':
				dst = append(dst, c)
			case c == ' ':
				dst = append(dst, '+')
			default:
				dst = append(dst, '%', urlHex[c>>4], urlHex[c&15])
			}
		}
		return dst, true
	}),
	Doc: Doc{Group: "string", Text: "The text in the form that URLs take: application/x-www-form-urlencoded, UTF-8.",
		Example: "URL_ENCODE('a b&c')", Value: "a+b%26c"},
})

var _ = scalar(Scalar{
	Name: "URL_DECODE", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", always(types.String())),
	Bind: func(Binding) (Kernel, error) {
		var raw []byte
		return textKernel(func(dst []byte, r *row) ([]byte, bool) {
			var ok bool
			if raw, ok = appendURLDecoded(raw[:0], r.text(0)); !ok {
				return dst, false
			}
			return appendDecoded(dst, raw, utf8Set), true
		}), nil
	},
	Doc: Doc{Group: "string", Text: "The text that URL_ENCODE was given; NULL for a bad escape.",
		Example: "URL_DECODE('a+b%26c')", Value: "a b&c"},
})

// appendURLDecoded appends the bytes that s stands for; ok is false for a bad escape.
func appendURLDecoded(dst, s []byte) (out []byte, ok bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '+':
			dst = append(dst, ' ')
		case '%':
			if i+2 >= len(s) {
				return dst, false
			}
			hi, lo := hexDigit(s[i+1]), hexDigit(s[i+2])
			if hi < 0 || lo < 0 {
				return dst, false
			}
			dst = append(dst, byte(hi<<4|lo))
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return dst, true
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|32 >= 'a' && c|32 <= 'f':
		return int(c|32-'a') + 10
	}
	return -1
}
