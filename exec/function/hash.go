package function

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"

	"streamsql/exec/types"
)

func hashFunction(name, text, value string, sum func(dst, s []byte) []byte) *Scalar {
	size := hex.EncodedLen(len(sum(nil, nil)))
	return scalar(Scalar{
		Name: name, Forms: []string{"<CHARACTER>"},
		Type: textForm("x", strictly(types.CharOf(size))),
		Bind: func(Binding) (Kernel, error) {
			var raw []byte
			return textKernel(func(dst []byte, r *row) ([]byte, bool) {
				raw = sum(raw[:0], r.text(0))
				return hex.AppendEncode(dst, raw), true
			}), nil
		},
		Doc: Doc{Group: "hash", Text: "The " + text + " of the text as hexadecimal digits.", Example: name + "('abc')", Value: value},
	})
}

var (
	_ = hashFunction("MD5", "MD5 hash", "900150983cd24fb0d6963f7d28e17f72", appendMD5)
	_ = hashFunction("SHA1", "SHA-1 hash", "a9993e364706816aba3e25717850c26c9cd0d89d", appendSHA1)
	_ = hashFunction("SHA224", "SHA-224 hash", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7", appendSHA224)
	_ = hashFunction("SHA256", "SHA-256 hash",
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", appendSHA256)
	_ = hashFunction("SHA384", "SHA-384 hash",
		"cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7", appendSHA384)
	_ = hashFunction("SHA512", "SHA-512 hash", "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"+
		"2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f", appendSHA512)
)

func appendMD5(dst, s []byte) []byte    { h := md5.Sum(s); return append(dst, h[:]...) }
func appendSHA1(dst, s []byte) []byte   { h := sha1.Sum(s); return append(dst, h[:]...) }
func appendSHA224(dst, s []byte) []byte { h := sha256.Sum224(s); return append(dst, h[:]...) }
func appendSHA256(dst, s []byte) []byte { h := sha256.Sum256(s); return append(dst, h[:]...) }
func appendSHA384(dst, s []byte) []byte { h := sha512.Sum384(s); return append(dst, h[:]...) }
func appendSHA512(dst, s []byte) []byte { h := sha512.Sum512(s); return append(dst, h[:]...) }

var sha2 = map[int64]func(dst, s []byte) []byte{
	224: appendSHA224, 256: appendSHA256, 384: appendSHA384, 512: appendSHA512,
}

var _ = scalar(Scalar{
	Name: "SHA2", Forms: []string{"<CHARACTER>, <INTEGER>"}, Fails: true,
	Type: func(args []Arg) (Signature, error) {
		sig, err := textForm("xi", strictly(types.VarcharOf(128)))(args)
		if err == nil && args[1].Const != nil && !args[1].IsNull() {
			if n := literalInteger(args[1]); sha2[n] == nil {
				return sig, Refuse("SHA2 has no length of %d bits; use 224, 256, 384 or 512", n)
			}
		}
		return sig, err
	},
	Bind: func(Binding) (Kernel, error) {
		var raw []byte
		return textKernel(func(dst []byte, r *row) ([]byte, bool) {
			sum := sha2[r.integer(1)]
			if sum == nil {
				r.failWith(func() error {
					return fmt.Errorf("SHA2 has no length of %d bits; use 224, 256, 384 or 512", r.integer(1))
				})
				return dst, true
			}
			raw = sum(raw[:0], r.text(0))
			return hex.AppendEncode(dst, raw), true
		}), nil
	},
	Doc: Doc{Group: "hash", Text: "The SHA-2 hash of 224, 256, 384 or 512 bits of the text as hexadecimal digits.",
		Example: "SHA2('abc', 224)", Value: "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
})
