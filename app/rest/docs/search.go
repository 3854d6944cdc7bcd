package docs

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	view "daybook/views/docs"
)

const (
	maxQuery = 100 // bytes of a search
	maxWords = 8   // of a search; those behind are not looked for
	maxHits  = 20
)

// index is what can be found: the parts of all pages, each from a heading to the next.
type index struct{ parts []part }

type part struct {
	page, heading, path string
	text                string
	lower               string // heading and text, to be compared
}

var (
	headingLine = regexp.MustCompile(`(?m)^#{1,3} `)
	marks       = regexp.MustCompile("[`*|#]+|---+")
	link        = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	unnamed     = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// add cuts a page into its parts.
func (x *index) add(p page) {
	for _, text := range headingLine.Split(p.text, -1) {
		heading, rest, _ := strings.Cut(text, "\n")
		if heading == "" {
			continue
		}
		anchor := "#" + strings.ReplaceAll(strings.ToLower(unnamed.ReplaceAllString(heading, "")), " ", "-")
		heading = marks.ReplaceAllString(heading, "")
		rest = link.ReplaceAllString(rest, "$1")
		rest = strings.Join(strings.Fields(marks.ReplaceAllString(rest, " ")), " ")
		at := part{page: p.title, heading: heading, path: address(p.path) + anchor, text: rest}
		at.lower = strings.ToLower(p.title + "\n" + heading + "\n" + rest)
		x.parts = append(x.parts, at)
	}
}

// search returns the parts that have all words, those first whose heading or page has them.
func (x *index) search(query string) []view.Hit {
	words := strings.Fields(strings.ToLower(query))
	words = words[:min(len(words), maxWords)]
	if len(words) == 0 {
		return nil
	}
	type ranked struct {
		*part
		points int
	}
	var all []ranked
	for i := range x.parts {
		p := &x.parts[i]
		points := 0
		for _, word := range words {
			n := strings.Count(p.lower, word)
			if n == 0 {
				points = 0
				break
			}
			points += min(n, 5)
			if strings.Contains(strings.ToLower(p.heading), word) {
				points += 20
			}
			if strings.Contains(strings.ToLower(p.page), word) {
				points += 10
			}
		}
		if points > 0 {
			all = append(all, ranked{p, points})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.points, a.points) })
	hits := make([]view.Hit, 0, maxHits)
	for _, r := range all[:min(len(all), maxHits)] {
		hits = append(hits, view.Hit{Page: r.page, Heading: r.heading, Address: r.path, Text: around(r.text, words[0])})
	}
	return hits
}

// around returns what stands around the first place of a word, some 160 characters of it.
func around(text, word string) string {
	const reach = 80
	runes := []rune(text)
	at := strings.Index(strings.ToLower(text), word)
	if at < 0 || at > len(text) {
		at = 0
	}
	middle := len([]rune(strings.ToLower(text)[:at]))
	from, to := max(0, middle-reach), min(len(runes), middle+reach)
	cut := string(runes[min(from, len(runes)):to])
	if from > 0 {
		cut = "… " + cut
	}
	if to < len(runes) {
		cut += " …"
	}
	return cut
}
