package text

import (
	"context"
	"net/netip"
)

// CalledFrom has all requests come from an address.
func (d *Door) CalledFrom(a netip.Addr) { d.clientIP = func(context.Context) netip.Addr { return a } }
