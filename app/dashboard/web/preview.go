package web

import (
	"net/http"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/views/dash"
)

// ShowPreview answers a form that asks how the booking page would look, without saving anything: with the page of that
// set-up, or with what is wrong in the form. Frames of this server's pages may show the answer.
func (c *Call) ShowPreview(s *catalog.Setup, eventType string, wrong *fault.Error) error {
	switch {
	case wrong != nil:
		texts := make([]string, 0, 1+len(wrong.Others))
		for _, e := range Parts(wrong) {
			texts = append(texts, c.Sentence(e))
		}
		h := c.Header()
		h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'",
			"frame-ancestors 'self'", 1))
		h.Set("X-Frame-Options", "SAMEORIGIN")
		return c.Show(http.StatusUnprocessableEntity, dash.PreviewProblem(c.Frame("", ""), texts))
	case c.Preview == nil:
		return fault.Missing("preview", eventType)
	}
	c.Header().Del("X-Frame-Options")
	c.Preview(c.ResponseWriter, c.Request, s, eventType)
	return nil
}
