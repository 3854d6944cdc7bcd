// Package when has instants, as stored and as written, and the time zones that were loaded. Of Daybook it
// imports fault only.
package when
