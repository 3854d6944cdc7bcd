package sqlite

import (
	"fmt"
	"net/url"
	"strings"
)

// role is what a connection is for; it decides its pragmas.
type role int

const (
	writing     role = iota // the writer's only connection
	reading                 // the readers' pool
	maintaining             // checkpoints, migrations, backups, the change probe
)

// dsn names the file for a connection of this role. It contains the pragmas because they apply to a single connection,
// and the pool opens connections at any time. busy_timeout comes first because the other pragmas may have to wait.
func (o *Options) dsn(r role) string {
	pragmas := []string{"busy_timeout(5000)"}
	switch r {
	case writing:
		// What is deleted is overwritten, so that the file has nothing of a person who was erased.
		pragmas = append(pragmas, "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "temp_store(MEMORY)",
			"cache_size(-65536)", "secure_delete(1)")
		if o.Serving {
			pragmas = append(pragmas, "wal_autocheckpoint(0)")
		}
	case reading:
		pragmas = append(pragmas, "query_only(1)", "temp_store(MEMORY)", "cache_size(-8192)",
			fmt.Sprintf("mmap_size(%d)", o.MMapBytes))
	case maintaining:
		pragmas = append(pragmas, "synchronous(FULL)", "cache_size(-2048)")
	}
	return "file:" + (&url.URL{Path: o.Path}).EscapedPath() + "?_pragma=" + strings.Join(pragmas, "&_pragma=")
}
