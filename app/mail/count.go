package mail

import "sync/atomic"

// Counts are how many mails this server has settled since it started. A mail that fails and is tried again is among
// Failed each time, and in the end among Sent or GivenUp.
type Counts struct {
	Sent, Failed, GivenUp, Dropped atomic.Int64
}

// Counts returns those of this server, which grow.
func (s *Service) Counts() *Counts { return &s.counted }

func (c *Counts) add(o *Outcome) {
	switch {
	case o.Released:
	case o.State == Sent:
		c.Sent.Add(1)
	case o.State == Failed:
		c.GivenUp.Add(1)
	case o.State == Dropped:
		c.Dropped.Add(1)
	default:
		c.Failed.Add(1)
	}
}
