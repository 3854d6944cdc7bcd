package web

import "fmt"

// AnswerText returns the answer to a question of an event type, as people read it.
func (c *Call) AnswerText(a any) string {
	switch v := a.(type) {
	case bool:
		if v {
			return c.T("dash_yes")
		}
		return c.T("dash_no")
	case nil:
		return "–"
	}
	return fmt.Sprint(a)
}
