package catalog

import (
	"regexp"
	"strings"

	"daybook/app/fault"
)

// SecretLook returns the secret that a reference in a set-up file leads to, or "" if it is not looked up.
type SecretLook func(reference string) (string, error)

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

// CheckReference returns an error unless the text is env:NAME or file:/PATH. The error does not quote the text, which may
// be a secret.
func CheckReference(at, text string) error {
	scheme, name, _ := strings.Cut(text, ":")
	switch {
	case len(text) > maxText:
	case scheme == "env" && variable.MatchString(name), scheme == "file" && strings.HasPrefix(name, "/"):
		return nil
	}
	return fault.Invalid(at, "must be env:NAME or file:/PATH, which say where the secret is: it never stands in the file")
}
