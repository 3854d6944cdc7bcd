package fault

// statuses are the HTTP statuses of the codes.
var statuses = map[Code]int{
	BadRequest: 400, Unauthorized: 401, Forbidden: 403, NotFound: 404, MethodNotAllowed: 405, Conflict: 409,
	PreconditionFailed: 412, PayloadTooLarge: 413, UnsupportedMediaType: 415, RateLimited: 429,
	Internal: 500, Unavailable: 503,
}

// Status returns the HTTP status of a code; 500 for an unknown one.
func (c Code) Status() int {
	if s, ok := statuses[c]; ok {
		return s
	}
	return statuses[Internal]
}

// CodeOf returns the code of an HTTP status from 400 on: the one with that status, else the general one of its class.
func CodeOf(status int) Code {
	for code, s := range statuses {
		if s == status {
			return code
		}
	}
	switch {
	case status == 410:
		return NotFound
	case status >= 500:
		return Internal
	}
	return BadRequest
}
