package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A copy that a full disk ends leaves nothing of itself, so that the room which is left stays.
func TestFullDiskKeepsNoHalfOfABackup(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("only root can mount a small disk:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	db := openTest(t)
	if _, err := db.side.ExecContext(t.Context(), "CREATE TABLE big AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4096) "+
		"SELECT hex(randomblob(512)) AS text FROM n"); err != nil {
		t.Fatal(err)
	}
	err := db.Backup(t.Context(), filepath.Join(dir, "copy"))
	if err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("a backup of 4 MB on a disk of 2: %v", err)
	}
	wantFiles(t, filepath.Join(dir, "copy"))
	if err := os.WriteFile(filepath.Join(dir, "room"), make([]byte, 1<<20), 0o600); err != nil {
		t.Error(err)
	}
}
