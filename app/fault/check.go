package fault

import (
	"net/mail"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The most characters of texts that several resources have.
const (
	MaxName   = 200 // of a person, a host or a workspace
	MaxEmail  = 254 // octets, too
	MaxPhone  = 40
	MaxLocale = 35  // what localeForm allows
	MaxReason = 500 // why a booking is moved, cancelled or declined
	MaxSearch = 200 // what something is looked up by, where nothing shorter is known
)

// KeyForm is the form of the keys of answers and metadata.
var KeyForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// CheckLine trims a one-line text and checks its length in characters; control characters and invalid UTF-8 are errors.
// Errors: bad_request.
func CheckLine(field, text string, least, most int) (string, error) {
	return checkRunes(field, text, least, most, func(r rune) bool { return !unicode.IsControl(r) })
}

// CheckText does the same as CheckLine for a text that may have several lines.
func CheckText(field, text string, most int) (string, error) {
	return checkRunes(field, text, 0, most, func(r rune) bool {
		return !unicode.IsControl(r) || r == '\n' || r == '\r' || r == '\t'
	})
}

func checkRunes(field, text string, least, most int, allowed func(rune) bool) (string, error) {
	if !utf8.ValidString(text) {
		return "", Invalid(field, "must be UTF-8")
	}
	text = strings.TrimSpace(text)
	n := 0
	for _, r := range text {
		if !allowed(r) {
			return "", Invalid(field, "must not contain control characters")
		}
		n++
	}
	switch {
	case n < least && n == 0:
		return "", Invalid(field, "is required")
	case n < least:
		return "", Invalid(field, "must have at least %d characters", least)
	case n > most:
		return "", Invalid(field, "must have at most %d characters", most)
	}
	return text, nil
}

// CheckEmail trims an e-mail address and refuses what is not one (RFC 5322 addr-spec, at most MaxEmail octets).
func CheckEmail(field, text string) (string, error) {
	text, err := CheckLine(field, text, 1, MaxEmail)
	if err != nil {
		return "", err
	}
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > MaxEmail ||
		!strings.Contains(text[strings.LastIndexByte(text, '@')+1:], ".") && !strings.HasSuffix(text, "@localhost") {
		return "", Invalid(field, "must be an e-mail address such as ana@example.com")
	}
	return text, nil
}

// EmailKey returns the form in which addresses are compared.
func EmailKey(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func SameEmail(a, b string) bool { return EmailKey(a) == EmailKey(b) }

var phoneForm = regexp.MustCompile(`^\+?[0-9 ()./-]{3,40}$`)

// CheckPhone accepts a telephone number as people write it; "" means none.
func CheckPhone(field, text string) (string, error) {
	text, err := CheckLine(field, text, 0, MaxPhone)
	if err != nil || text == "" {
		return "", err
	}
	if !phoneForm.MatchString(text) {
		return "", Invalid(field, "must be a telephone number such as +49 30 901820")
	}
	return text, nil
}

var localeForm = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$`)

// CheckLocale accepts a BCP 47 language tag; "" means none.
func CheckLocale(field, text string) (string, error) {
	if text = strings.TrimSpace(text); text != "" && !localeForm.MatchString(text) {
		return "", Invalid(field, "must be a language tag such as en or de-AT")
	}
	return text, nil
}
