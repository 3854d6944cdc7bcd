package oauth

import "net/http"

// ErrorCode is an error of the protocol, as clients know it.
type ErrorCode string

// The errors, each with where it comes from.
const (
	InvalidRequest          ErrorCode = "invalid_request"           // RFC 6749 §4.1.2.1, §5.2
	UnsupportedResponseType ErrorCode = "unsupported_response_type" // RFC 6749 §4.1.2.1
	AccessDenied            ErrorCode = "access_denied"             // RFC 6749 §4.1.2.1
	InvalidScope            ErrorCode = "invalid_scope"             // RFC 6749 §4.1.2.1, §5.2
	InvalidClient           ErrorCode = "invalid_client"            // RFC 6749 §5.2
	InvalidGrant            ErrorCode = "invalid_grant"             // RFC 6749 §5.2
	UnsupportedGrantType    ErrorCode = "unsupported_grant_type"    // RFC 6749 §5.2
	InvalidTarget           ErrorCode = "invalid_target"            // RFC 8707 §2
	InvalidRedirectURI      ErrorCode = "invalid_redirect_uri"      // RFC 7591 §3.2.2
	InvalidClientMetadata   ErrorCode = "invalid_client_metadata"   // RFC 7591 §3.2.2
	TemporarilyUnavailable  ErrorCode = "temporarily_unavailable"   // RFC 6749 §4.1.2.1
)

// Error is an error response of the protocol. Its text is for the developers of clients.
type Error struct {
	Code ErrorCode
	Text string
	// Redirect is the address at which the browser delivers the error to the client; "" if no address can be trusted,
	// so that the error is shown to the person instead.
	Redirect string
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Text }

// Status returns the HTTP status of the response to a client: 401 if the client is not known, so that it registers
// again (RFC 6749 §5.2), and else 400.
func (e *Error) Status() int {
	switch e.Code {
	case InvalidClient:
		return http.StatusUnauthorized
	case TemporarilyUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

func refuse(code ErrorCode, text string) *Error { return &Error{Code: code, Text: text} }
