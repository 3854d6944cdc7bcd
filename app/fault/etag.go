package fault

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// ETag returns the version of v: another one whenever its JSON differs. It panics if v has no JSON.
func ETag(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // callers give what they answer
	}
	sum := sha256.Sum256(text)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// AnswerETag returns the ETag of an answer with the body, of what has that version: another one whenever either differs.
// CheckETag takes it for the version.
func AnswerETag(version string, body []byte) string {
	sum := sha256.Sum256(body)
	return strings.TrimSuffix(version, `"`) + "." + base64.RawURLEncoding.EncodeToString(sum[:9]) + `"`
}

// Agree returns the first error of the checks, called with v, or nil. Methods that delete take such checks, and call
// them in the transaction of the deletion, with v as it is there.
func Agree[T any](v T, checks []func(T) error) error {
	for _, check := range checks {
		if err := check(v); err != nil {
			return err
		}
	}
	return nil
}

// ETagHeader returns the value of an If-Match header with these fields, as CheckETag takes it: "" if there is none, and
// "," if there is one that is empty, which is a list without versions (RFC 9110, 5.6.1).
func ETagHeader(fields []string) string {
	if all := strings.Join(fields, ","); all != "" || len(fields) == 0 {
		return all
	}
	return ","
}

// CheckETag returns precondition_failed if header, made by ETagHeader, is neither "" nor "*" and does not contain the
// version, alone or as AnswerETag has it. what says what has the version, such as "booking".
func CheckETag(header, version, what string) error {
	if header == "" || strings.TrimSpace(header) == "*" {
		return nil
	}
	named := false
	for one := range strings.SplitSeq(header, ",") {
		// An answer that was compressed on its way has W/ before its ETag: it is the same version in other bytes.
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == version || strings.HasPrefix(one, strings.TrimSuffix(version, `"`)+".") {
			return nil
		}
		named = named || one != ""
	}
	if !named {
		return New(PreconditionFailed, "",
			"If-Match is empty, so no version of the %s matches: send an ETag, or leave the header out.", what)
	}
	return New(PreconditionFailed, "",
		"The %s has changed since: get it again, and send the ETag of that answer as If-Match.", what)
}
