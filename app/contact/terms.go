package contact

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/phone"
)

// A contact is found by the beginnings of its terms: the words of the name, the e-mail address, the digits of the telephone
// number. So that a text is found within a word, what is left of a word after each of its letters is a term, too, as is
// what follows a separator in the address, and the number read from its end. Those begin with a sign that no text has, and
// are found after the others.
const (
	within    = "\x01"
	fromEnd   = "\x02"
	leastRest = 4  // letters of a rest
	mostRests = 40 // of a contact
	lastFrom  = 3  // digits at the end of a number that find it
	// TermsVersion changes with what Terms returns. Contacts with terms of an earlier version get new ones.
	TermsVersion = 1
)

// Terms returns the terms by which the contact is found, each once.
func Terms(c *booking.Contact) []string {
	var all, rests []string
	name := FoldSearch(c.Name)
	for _, word := range strings.Fields(name) {
		all = append(all, word)
		all = append(all, strings.Split(word, "-")...)
		for i := range word {
			if i > 0 && utf8.RuneCountInString(word[i:]) >= leastRest {
				rests = append(rests, within+word[i:])
			}
		}
	}
	if email := FoldSearch(fault.EmailKey(c.Email)); email != "" {
		all = append(all, email)
		for i, r := range email {
			if strings.ContainsRune("@._+-", r) && strings.ContainsAny(email[i+1:], "@.") { // no "com" alone
				rests = append(rests, within+email[i+1:])
			}
		}
	}
	if e164, ok := phone.Parse(c.Phone, ""); ok {
		all = append(all, phone.Searched(e164)...)
		all = append(all, fromEnd+reversed(e164[1:]))
	} else if digits := DigitsOf(c.Phone); digits != "" {
		all = append(all, digits, fromEnd+reversed(digits))
	}
	all = append(all, rests[:min(len(rests), mostRests)]...)
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(term string) bool { return term == "" })
}

// renewStep is how many contacts get new terms in one transaction.
const renewStep = 100

// renewTime is how long new terms are given in one turn: what is pruned after this waits.
const renewTime = 10 * time.Second

// renewTerms gives new terms to contacts that have those of an earlier version.
func (s *Service) renewTerms(ctx context.Context) error {
	for begun, renewed := time.Now(), renewStep; renewed == renewStep && time.Since(begun) < renewTime; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			renewed, err = tx.RenewTerms(renewStep)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// FoldSearch returns a text as it is compared in a search: in lower case, without accents, and with a vowel for its umlaut,
// however that is written: Krüger, Krueger and Kruger are one. The beginning of a text is folded to the beginning of the
// folded text.
func FoldSearch(text string) string {
	var b strings.Builder
	var last rune
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		if r == 'e' && strings.ContainsRune("aou", last) && last != 0 {
			last = r
			continue
		}
		plain := letters[r]
		if plain == "" {
			plain = string(r)
		}
		b.WriteString(plain)
		last, _ = utf8.DecodeLastRuneInString(plain)
	}
	return b.String()
}

// letters are those that no accent makes.
var letters = map[rune]string{'ı': "i", 'ß': "ss", 'ø': "o", 'æ': "a", 'œ': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h",
	'ς': "σ", '’': "'"}

// Beginnings returns the beginnings of terms that a word of a search finds, the best first. The search was folded as a
// whole, by FoldSearch, once: what was folded folds to something else.
func Beginnings(folded string) []string {
	all := []string{folded}
	if utf8.RuneCountInString(folded) >= leastRest {
		all = append(all, within+folded)
	}
	return all
}

// EndOf returns the beginning of terms that finds the telephone numbers with these last digits, or "" where they are few.
func EndOf(digits string) string {
	if len(digits) < lastFrom {
		return ""
	}
	return fromEnd + reversed(digits)
}

func reversed(text string) string {
	b := []byte(text)
	slices.Reverse(b)
	return string(b)
}

// DigitsOf returns a telephone number without what people write between its digits.
func DigitsOf(phone string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, phone)
}
