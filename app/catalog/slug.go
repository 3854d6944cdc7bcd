package catalog

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

var notInSlug = regexp.MustCompile(`[^a-z0-9]+`)

// spelled are letters that no accent makes, as addresses have them.
var spelled = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "å", "a", "ł", "l", "đ", "d",
	"’", "", "'", "")

// SlugOf makes a slug of a name: "Salon Ana" is salon-ana. It is "" where the name has none of a-z and 0-9.
func SlugOf(name string) string {
	plain := norm.NFD.String(spelled.Replace(strings.ToLower(norm.NFC.String(name))))
	plain = strings.Map(func(r rune) rune {
		if r >= 0x300 && r < 0x370 { // an accent
			return -1
		}
		return r
	}, plain)
	slug := strings.Trim(notInSlug.ReplaceAllString(plain, "-"), "-")
	return strings.Trim(slug[:min(len(slug), 40)], "-")
}

// FreeSlug returns a slug for a new event type of that title: another one where it is taken.
func (s *Setup) FreeSlug(title string) string {
	slug := SlugOf(title)
	if slug == "" {
		slug = "service"
	}
	free := slug
	for n := 2; s.EventType(free) != nil; n++ {
		end := "-" + strconv.Itoa(n)
		free = slug[:min(len(slug), 40-len(end))] + end
	}
	return free
}

// FreeKey returns a key for something new of that name, of at most 36 of a-z, 0-9 and - and a number that makes it one which
// isn't taken. otherwise is that of a name that has none of these letters.
func FreeKey(name, otherwise string, taken func(key string) bool) string {
	key := SlugOf(name)
	key = cmp.Or(strings.TrimRight(key[:min(len(key), 36)], "-"), otherwise)
	free := key
	for n := 2; taken(free); n++ {
		free = key + "-" + strconv.Itoa(n)
	}
	return free
}
