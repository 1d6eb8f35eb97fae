package network

import (
	"bufio"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"streamsql/exec/option"
)

func optionSize(n int) option.Size { return option.Size(n) }

// newProxy stands between consumers and a producer: it cuts the stream into odd pieces, delays them, and
// changes the order of frames of different channels. After cut bytes, when that is above 0, it ends the connection.
func newProxy(t *testing.T, target string, cut int) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil {
				in.Close()
				continue
			}
			running.Go(func() { shuffleFrames(out, in); out.Close(); in.Close() })
			running.Go(func() { trickle(in, out, cut); out.Close(); in.Close() })
		}
	})
	t.Cleanup(func() { l.Close(); running.Wait() })
	return l.Addr().String()
}

// trickle copies in odd pieces.
func trickle(from io.Reader, to net.Conn, cut int) {
	r := rand.New(rand.NewPCG(1, 2))
	buf := make([]byte, 1000)
	total := 0
	for {
		n, err := from.Read(buf[:1+r.IntN(len(buf)-1)])
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
			if total += n; cut > 0 && total > cut {
				return
			}
		}
		if err != nil {
			return
		}
		if r.IntN(50) == 0 {
			time.Sleep(time.Duration(r.IntN(500)) * time.Microsecond)
		}
	}
}

// shuffleFrames copies frames from the producer, of those at hand any that is the first of its channel.
func shuffleFrames(from net.Conn, to net.Conn) {
	r := rand.New(rand.NewPCG(3, 4))
	type frame struct {
		channel uint32
		bytes   []byte
	}
	frames := make(chan frame, 16)
	go func() {
		defer close(frames)
		in := bufio.NewReader(from)
		for {
			var head [headSize]byte
			h, err := readHeader(in, &head, 1<<20)
			if err != nil {
				return
			}
			b := append(head[:], make([]byte, h.length)...)
			if _, err := io.ReadFull(in, b[headSize:]); err != nil {
				return
			}
			frames <- frame{h.channel, b}
		}
	}()
	defer func() {
		from.Close()
		for range frames {
		}
	}()
	var held []frame
	for {
		for len(held) < 8 {
			if len(held) > 0 {
				select {
				case f, ok := <-frames:
					if !ok {
						return
					}
					held = append(held, f)
					continue
				default:
				}
				break
			}
			f, ok := <-frames
			if !ok {
				return
			}
			held = append(held, f)
		}
		i := r.IntN(len(held))
		for k := range i { // the first of its channel
			if held[k].channel == held[i].channel {
				i = k
				break
			}
		}
		if slices.ContainsFunc(held[:i+1], func(f frame) bool { return frameKind(f.bytes[4]) == announceFrame }) {
			i = 0 // it tells of many channels
		}
		if _, err := to.Write(held[i].bytes); err != nil {
			return
		}
		held = append(held[:i], held[i+1:]...)
	}
}
