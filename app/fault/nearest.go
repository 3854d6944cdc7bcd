package fault

import (
	"slices"
	"strings"
)

// Unknown returns the bad_request for a name that what (such as "field of this request") does not have. It names the
// known one that was probably meant, or lists them all. path is what precedes the name in details.field.
func Unknown(path, name, what string, known []string) *Error {
	advice := "it takes " + strings.Join(known, ", ")
	if near := Nearest(name, known); near != "" {
		advice = "did you mean " + path + near + "?"
	} else if len(known) == 0 {
		advice = "it takes none"
	}
	return Invalid(path+name, "is no %s; %s", what, advice)
}

// Nearest returns the known name that was probably meant by name, or "" when none is similar. Case, - and _ don't
// count.
func Nearest(name string, known []string) string {
	best, least := "", 64
	name = plain(name)
	for _, k := range slices.Sorted(slices.Values(known)) {
		p := plain(k)
		d := Distance(name, p)
		begins := min(len(name), len(p)) > 2 && (strings.HasPrefix(name, p) || strings.HasPrefix(p, name))
		if d < least && (begins || d < 4 && 2*d < len(p)) {
			best, least = k, d
		}
	}
	return best
}

func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

// Distance returns how many letters must be changed, added or removed to turn a into b (Levenshtein); long texts count
// as far apart.
func Distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
