package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"daybook/app/disk"
)

// place puts a file at a path, whole or not at all: it is written beside it, and takes the name when all of it is on
// the disk. A fresh file must not be there yet. own gives it to its owner before that; it may be nil.
func place(path string, content io.Reader, mode fs.FileMode, fresh bool, own func(name string) error) (err error) {
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = io.Copy(part, content)
	if err == nil {
		err = part.Chmod(mode)
	}
	if err == nil && own != nil {
		err = own(part.Name())
	}
	if err == nil {
		err = part.Sync()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return fmt.Errorf("can't write %s, which is what it was: %w", path, err)
	}
	if fresh {
		err = os.Link(part.Name(), path)
	} else {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(path))
}

// same tells whether the file has the content already.
func same(path string, content []byte) bool {
	there, err := os.ReadFile(path)
	return err == nil && bytes.Equal(there, content)
}

// sameFile tells whether two files have the same content.
func sameFile(one, two string) bool {
	a, err1 := os.Stat(one)
	b, err2 := os.Stat(two)
	if err1 != nil || err2 != nil || a.Size() != b.Size() {
		return false
	}
	if os.SameFile(a, b) {
		return true
	}
	content, err := os.ReadFile(one)
	return err == nil && same(two, content)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// running names the file of the running program, also when its name was given to another file or removed.
func running() (string, error) {
	if exists("/proc/self/exe") {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}
