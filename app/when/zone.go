package when

import (
	"sync"
	"time"
)

// zones caches loaded locations: loading one takes longer than computing a day's slots.
var zones sync.Map

// Zone returns the location of an IANA name.
func Zone(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	z, err := time.LoadLocation(name)
	if err == nil {
		zones.Store(name, z)
	}
	return z, err
}
