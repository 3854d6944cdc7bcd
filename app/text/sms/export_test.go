package sms

import (
	"net/http"
	"time"
)

// Within shortens how long a call may take.
func (c *Client) Within(d time.Duration) *Client {
	c.timeout = d
	return c
}

// Over makes the client send by another transport.
func (c *Client) Over(t http.RoundTripper) *Client {
	c.transport = t
	return c
}
