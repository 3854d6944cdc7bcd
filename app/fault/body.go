package fault

import (
	"bytes"
	"encoding/json"
)

// ErrorBody is the body of every error under /api.
type ErrorBody struct {
	Error ErrorObject `json:"error"`
}

// ErrorObject says what went wrong; clients branch on Code.
type ErrorObject struct {
	Code      Code           `json:"code"`
	Message   string         `json:"message"`
	Details   map[string]any `json:"details,omitempty"`
	RequestID string         `json:"requestId"`
}

// Encode returns the body as JSON with a newline at the end. Its texts are for people, so < and > are not escaped.
func (b ErrorBody) Encode() ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(b)
	return text.Bytes(), err
}
