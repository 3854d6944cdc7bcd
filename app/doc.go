// Package app is the core of Daybook: bookings, their history and events, and the one Service by which every door reads
// and changes them. Its types carry the JSON names of the v1 contract (contract.md). It knows nothing of HTTP, SQL or
// pages. Where it stands among the other packages is shown by map.md.
package app
