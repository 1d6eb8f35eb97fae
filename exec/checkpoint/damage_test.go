package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestDamage flips every bit and cuts at every length of every file, and puts foreign bytes in its place:
// the start is refused with the file's name, and nothing is changed.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	d := open(t, Disk{}, dir, testPlan)
	e := begin(t, d)
	f := e.Data(0, 1)
	packed, err1 := f.Append(Block{Place: Place{0, 1, 1}, Table: "t", Groups: []Span{{3, 9}}}, stateOf(1, 1))
	plain, err2 := f.Append(Block{Place: Place{0, 1, 1}, Table: "u"}, noise(40))
	m := &Metadata{Plan: testPlan.Plan, MaxParallelism: 128, Blocks: []Block{packed, plain},
		Splits: []Split{{ID: "s", Position: []byte("p")}}}
	if err := errors.Join(err1, err2, f.Close(), e.Commit(m), d.Close()); err != nil {
		t.Fatal(err)
	}
	data := packed.File
	good := snapshot(t, dir)
	if len(good) != 4 {
		t.Fatal(good)
	}
	try := func(name, what, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before := snapshot(t, dir)
		d, err := Open(Disk{}, dir, testPlan)
		var damage *Damage
		switch {
		case err == nil:
			t.Errorf("%s, %s: opened", name, what)
			_ = d.Close()
		case !errors.As(err, &damage):
			t.Errorf("%s, %s: %v", name, what, err)
		case damage.File != path && (name != jobName || damage.File != filepath.Join(dir, "chk-1")):
			t.Errorf("%s, %s: names %s", name, what, damage.File)
		case damage.Offset < 0 || damage.Offset > int64(max(len(text), len(good[filepath.Base(damage.File)]))) || damage.Check == "":
			t.Errorf("%s, %s: %v", name, what, damage)
		}
		if !reflect.DeepEqual(before, snapshot(t, dir)) {
			t.Fatalf("%s, %s: the directory was changed", name, what)
		}
	}
	for _, name := range []string{"chk-1", data, jobName} {
		text := good[name]
		for i := range text {
			b := []byte(text)
			b[i] ^= 1 << (i % 8)
			try(name, fmt.Sprint("bit flipped at ", i), string(b))
			try(name, fmt.Sprint("cut at ", i), text[:i])
		}
		try(name, "foreign", strings.Repeat("PK\x03\x04", 100))
		if name != data {
			try(name, "longer", text+"x")
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, data)); err != nil {
		t.Fatal(err)
	}
	_, err := Open(Disk{}, dir, testPlan)
	if want := filepath.Join(dir, data) + " is damaged at offset 0: the file is missing"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Error(err)
	}
}

// TestNewestDamaged: the newest is refused although an older one is good, and stepping back is possible.
func TestNewestDamaged(t *testing.T) {
	dir := t.TempDir()
	o := testPlan
	o.Retain = 2
	d := open(t, Disk{}, dir, o)
	take(t, d, 2)
	_ = d.Close()
	if err := os.WriteFile(filepath.Join(dir, "chk-2"), []byte("?"), 0o600); err != nil {
		t.Fatal(err)
	}
	var damage *Damage
	if _, err := Open(Disk{}, dir, o); !errors.As(err, &damage) {
		t.Fatal(err)
	}
	o.From = 1
	d = open(t, Disk{}, dir, o)
	if got, err := d.Read(d.Restored().Blocks[0], nil); string(got) != "1" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	if got := visible(t, d); got != ".ID-1-0-0 .ID-2-0-0 .ID-completed chk-1 chk-2 job lock" {
		t.Errorf("before the next checkpoint: %s", got)
	}
	take(t, d, 1)
	if got := visible(t, d); got != ".ID-1-0-0 .ID-3-0-0 .ID-completed chk-1 chk-3 job lock" {
		t.Errorf("after the next checkpoint: %s", got)
	}
}

// TestSwapped: good bytes in the wrong place are no good bytes.
func TestSwapped(t *testing.T) {
	dir := t.TempDir()
	o := testPlan
	o.Retain = 2
	d := open(t, Disk{}, dir, o)
	take(t, d, 2)
	prefix := d.prefix()
	_ = d.Close()
	good := snapshot(t, dir)
	for to, from := range map[string]string{"chk-2": "chk-1", prefix + "2-0-0": prefix + "1-0-0"} {
		if err := os.WriteFile(filepath.Join(dir, to), []byte(good[from]), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(Disk{}, dir, o)
		var damage *Damage
		if !errors.As(err, &damage) || damage.File != filepath.Join(dir, to) {
			t.Errorf("%s in place of %s: %v", from, to, err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), []byte(good[to]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEarlier: a checkpoint of an earlier format is refused, and the error says that it is whole and what to do.
func TestEarlier(t *testing.T) {
	dir := t.TempDir()
	d := open(t, Disk{}, dir, testPlan)
	take(t, d, 1)
	_ = d.Close()
	path := filepath.Join(dir, "chk-1")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	body := b[:len(b)-4]
	binary.LittleEndian.PutUint32(body[8:], metaVersion-1)
	if err := os.WriteFile(path, binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, castagnoli)), 0o600); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s was made by another version of the program: it has format version %d, this program reads version %d; "+
		"finish the job with that one, or begin anew in another directory", path, metaVersion-1, metaVersion)
	if _, err = Open(Disk{}, dir, testPlan); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Error(err)
	}
}

func sampleMetadata() *Metadata {
	return &Metadata{Epoch: 7, Began: 99, Finished: true, Plan: "a\nb", MaxParallelism: 128, Watermark: -1,
		Splits:       []Split{{Place{0, 1, 2}, "s", []byte("p"), true}},
		Marks:        []Mark{{Place{0, 3, 0}, "m", 5, false}},
		Committables: []Committable{{Place{1, 1, 1}, []byte("c")}},
		Blocks:       []Block{{Place{0, 1, 0}, "t", []Span{{0, 128}}, ".j-1-0-0", 12, 30, 40, 77}, {Table: "u"}}}
}

// sealed gives a body the header and the checksum that it needs to be read.
func sealed(body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(metaMagic), metaVersion)
	b = append(binary.LittleEndian.AppendUint64(b, uint64(len(body))), body...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// FuzzMetadata reads any bytes, as a file and as the body of one: an error that names the file, or what is
// written the same way again.
func FuzzMetadata(f *testing.F) {
	good := sampleMetadata().encode("j")
	f.Add(good)
	f.Add(good[metaHeader : len(good)-4])
	f.Add((&Metadata{}).encode("")[metaHeader:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, b := range [][]byte{b, sealed(b)} {
			m, err := decodeMetadata("chk", "j", b)
			var damage *Damage
			if err != nil {
				if !errors.As(err, &damage) || damage.File != "chk" || damage.Offset < 0 || damage.Offset > int64(len(b)) {
					t.Fatal(err)
				}
				continue
			}
			again, err := decodeMetadata("chk", "j", m.encode("j"))
			if err != nil || !reflect.DeepEqual(m, again) {
				t.Fatalf("read %+v\nwritten and read %+v, %v", m, again, err)
			}
		}
	})
}

// FuzzBlock reads a block out of any bytes: an error that names the file, or as many bytes as are listed.
func FuzzBlock(f *testing.F) {
	file := func(codec uint32, payload []byte, length int) []byte {
		b := binary.LittleEndian.AppendUint32([]byte(dataMagic), dataVersion)
		var h [blockHeader]byte
		frameHeader(&h, codec, payload, length, dataHeader)
		return slices.Concat(b, h[:], payload)
	}
	f.Add(file(stored, []byte("abc"), 3), int64(dataHeader), 3, 3)
	f.Add(file(compressed, []byte("\x03\x08abc"), 3), int64(dataHeader), 5, 3)
	f.Add([]byte("abc"), int64(-1), 1, 1)
	f.Fuzz(func(t *testing.T, b []byte, offset int64, storedLength, length int) {
		if storedLength < 0 || storedLength > 1<<20 || length < 0 || length > 1<<20 || len(b) > 1<<20 {
			return
		}
		m := newMemory()
		for _, b := range [][]byte{b, file(compressed, b, length)} {
			m.live["x"] = &inode{data: b}
			r, err := m.Open("x")
			if err != nil {
				t.Fatal(err)
			}
			k := &Block{Table: "t", Offset: offset, Stored: storedLength, Length: length}
			if len(b) >= dataHeader+blockHeader {
				k.Sum = binary.LittleEndian.Uint32(b[dataHeader+16:]) // else no frame is ever the one that is meant
			}
			var buf []byte
			payload, codec, err := frame(r, "x", k, &buf)
			out := []byte("kept")
			if err == nil {
				out, err = expand("x", k, payload, codec, out)
			}
			var damage *Damage
			switch {
			case err == nil && (len(out) != 4+length || string(out[:4]) != "kept"):
				t.Fatalf("%d bytes of %d", len(out)-4, length)
			case err != nil && (!errors.As(err, &damage) || damage.File != "x"):
				t.Fatal(err)
			}
			if err := checkData(r, "x"); err != nil && !errors.As(err, &damage) {
				t.Fatal(err)
			}
			k.Offset, k.Stored = dataHeader, len(b)-dataHeader-blockHeader
		}
	})
}

// TestGone: a directory whose completed checkpoints were taken away is no first start, and nothing in it is changed.
func TestGone(t *testing.T) {
	dir := t.TempDir()
	d := open(t, Disk{}, dir, testPlan)
	if err := errors.Join(d.Close(), open(t, Disk{}, dir, testPlan).Close()); err != nil {
		t.Fatal(err) // none was completed: the next start is a first one too
	}
	d = open(t, Disk{}, dir, testPlan)
	take(t, d, 2)
	_ = d.Close()
	if err := os.Rename(filepath.Join(dir, "chk-2"), filepath.Join(t.TempDir(), "chk-2")); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, dir)
	for _, restore := range []bool{true, false} {
		o := testPlan
		o.Restore = restore
		var gone *Gone
		if _, err := Open(Disk{}, dir, o); !errors.As(err, &gone) || gone.Path != dir || gone.Job != d.Job() {
			t.Errorf("restore %v: %v", restore, err)
		}
	}
	if !reflect.DeepEqual(before, snapshot(t, dir)) {
		t.Error("the directory was changed")
	}
}
