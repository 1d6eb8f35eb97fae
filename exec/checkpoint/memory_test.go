package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
)

var errInjected = errors.New("injected failure")

// memory is a file system of one directory that tells what is durable from what is not, and fails at the
// n-th call.
type memory struct {
	mu      sync.Mutex
	made    bool
	live    map[string]*inode
	durable map[string]*inode
	pending []change // of live since the last sync
	locked  bool

	calls  int
	failAt int
	after  bool // the failing call has its effect all the same, a write half of it
	dies   bool // every call after it fails too
	room   int  // bytes left, if not negative
}

type inode struct {
	data, synced []byte
	opens        int
}

// change is an atomic change of the directory: names and what they stand for then.
type change map[string]*inode

func newMemory() *memory {
	return &memory{live: map[string]*inode{}, durable: map[string]*inode{}, room: -1}
}

// step counts a call. It tells whether the call has an effect.
func (m *memory) step() (works bool, err error) {
	m.calls++
	switch {
	case m.failAt == 0 || m.calls < m.failAt:
		return true, nil
	case m.calls == m.failAt:
		return m.after, errInjected
	case m.dies:
		return false, errInjected
	}
	return true, nil
}

func (m *memory) change(c change) {
	for name, i := range c {
		if i == nil {
			delete(m.live, name)
		} else {
			m.live[name] = i
		}
	}
	m.pending = append(m.pending, c)
}

// crash ends the process, and with power the machine too: what was not synced may be there or not.
func (m *memory) crash(power bool, r *rand.Rand) {
	m.locked, m.failAt, m.calls = false, 0, 0
	if !power {
		return
	}
	for _, c := range m.pending {
		if r.IntN(2) == 0 {
			continue
		}
		for name, i := range c {
			if i == nil {
				delete(m.durable, name)
			} else {
				m.durable[name] = i
			}
		}
	}
	m.live, m.pending = maps.Clone(m.durable), nil
	for _, i := range m.live {
		if r.IntN(2) == 0 || len(i.data) < len(i.synced) {
			i.data = slices.Clone(i.synced)
			continue
		}
		i.data = i.data[:len(i.synced)+r.IntN(len(i.data)-len(i.synced)+1)]
	}
}

func (m *memory) MakeDir(string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	works, err := m.step()
	m.made = m.made || works
	return err
}

func (m *memory) ReadDir(name string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return nil, err
	}
	if !m.made {
		return nil, fs.ErrNotExist
	}
	return slices.Sorted(maps.Keys(m.live)), nil
}

func (m *memory) Create(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	works, err := m.step()
	i := &inode{}
	if works {
		m.change(change{filepath.Base(name): i})
	}
	if err != nil {
		return nil, err
	}
	i.opens++
	return &memoryFile{m, i}, nil
}

func (m *memory) Open(name string) (Reader, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return nil, err
	}
	i := m.live[filepath.Base(name)]
	if i == nil {
		return nil, fs.ErrNotExist
	}
	i.opens++
	return &memoryFile{m, i}, nil
}

func (m *memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	works, err := m.step()
	i := m.live[filepath.Base(from)]
	if i == nil {
		return fs.ErrNotExist
	}
	if works {
		m.change(change{filepath.Base(from): nil, filepath.Base(to): i})
	}
	return err
}

func (m *memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	works, err := m.step()
	i := m.live[filepath.Base(name)]
	if i == nil {
		return fs.ErrNotExist
	}
	if works {
		if m.room >= 0 {
			m.room += len(i.data)
		}
		m.change(change{filepath.Base(name): nil})
	}
	return err
}

func (m *memory) SyncDir(string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	works, err := m.step()
	if works {
		m.durable, m.pending = maps.Clone(m.live), nil
	}
	return err
}

func (m *memory) Lock(name string) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.step(); err != nil {
		return nil, err
	}
	if m.locked {
		return nil, &Locked{File: name, PID: 1}
	}
	m.locked = true
	m.change(change{filepath.Base(name): {}})
	return memoryLock{m}, nil
}

type memoryLock struct{ m *memory }

func (l memoryLock) Close() error {
	l.m.locked = false
	return nil
}

type memoryFile struct {
	m *memory
	i *inode
}

func (f *memoryFile) Write(p []byte) (int, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	works, err := f.m.step()
	n := len(p)
	if err != nil {
		n /= 2
	}
	if !works {
		n = 0
	}
	if f.m.room >= 0 && f.m.room < n {
		n, err = f.m.room, fmt.Errorf("no space left on device")
	}
	if f.m.room >= 0 {
		f.m.room -= n
	}
	f.i.data = append(f.i.data, p[:n]...)
	return n, err
}

func (f *memoryFile) ReadAt(p []byte, at int64) (int, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if _, err := f.m.step(); err != nil {
		return 0, err
	}
	if at >= int64(len(f.i.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.i.data[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) Size() (int64, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	_, err := f.m.step()
	return int64(len(f.i.data)), err
}

func (f *memoryFile) Sync() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	works, err := f.m.step()
	if works {
		f.i.synced = slices.Clone(f.i.data)
	}
	return err
}

func (f *memoryFile) Close() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	f.i.opens--
	_, err := f.m.step()
	return err
}

// opens are the files that are open.
func (m *memory) opens() (n int) {
	for _, i := range m.live {
		n += i.opens
	}
	return n
}
