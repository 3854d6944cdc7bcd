package docs

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	view "daybook/views/docs"
)

const (
	maxQuery     = 100 // bytes of a search
	maxWords     = 8   // of a search; those behind are not looked for
	maxHits      = 20
	maxSuggested = 6
)

// index is what can be found: the parts of all pages, each from a heading to the next.
type index struct{ parts []part }

type part struct {
	page, heading, path string
	text                string
	rank                int // of its section, in points

	lower         string          // heading, page and text, to be compared
	title         string          // heading and what it is also called, in lower case
	name          string          // the stems of heading
	titled, paged map[string]bool // the stems of title, and of the page's
	words         map[string]int  // how often the stems of lower are there
}

var (
	headingLine = regexp.MustCompile(`^#{1,3} `)
	// alsoLine is a line of a guide that shows nothing: what people look for who should find the heading above it.
	alsoLine = regexp.MustCompile(`^\[also\]: # "(.*)"\s*$`)
	marks    = regexp.MustCompile("[`*|#]+|---+")
	link     = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	unnamed  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// add cuts a page into its parts. A line within a sample is no heading.
func (x *index) add(p page, rank int) {
	var heading, also string
	var rest strings.Builder
	named := map[string]int{}
	end := func() {
		if heading == "" {
			return
		}
		anchor := strings.ReplaceAll(strings.ToLower(unnamed.ReplaceAllString(heading, "")), " ", "-")
		if n := named[anchor]; n > 0 {
			anchor += "-" + strconv.Itoa(n) // as goldmark names the second of a page
		}
		named[anchor]++
		heading = marks.ReplaceAllString(heading, "")
		text := link.ReplaceAllString(rest.String(), "$1")
		text = strings.Join(strings.Fields(marks.ReplaceAllString(text, " ")), " ")
		at := part{page: p.title, heading: heading, path: address(p.path) + "#" + anchor, text: text, rank: rank}
		at.title = strings.ToLower(heading + " " + also)
		at.lower = strings.ToLower(at.title + "\n" + p.title + "\n" + text)
		at.name = stems(wordsOf(strings.ToLower(heading)))
		at.titled, at.paged, at.words = map[string]bool{}, map[string]bool{}, map[string]int{}
		for _, word := range wordsOf(at.title) {
			at.titled[stem(word)] = true
		}
		for _, word := range wordsOf(strings.ToLower(p.title)) {
			at.paged[stem(word)] = true
		}
		for _, word := range wordsOf(at.lower) {
			at.words[stem(word)]++
		}
		x.parts = append(x.parts, at)
	}
	inSample := false
	for line := range strings.Lines(p.text) {
		if strings.HasPrefix(line, "```") {
			inSample = !inSample
		}
		switch called := alsoLine.FindStringSubmatch(line); {
		case inSample:
			rest.WriteString(line)
		case called != nil:
			also = called[1]
		case headingLine.MatchString(line):
			end()
			_, heading, _ = strings.Cut(strings.TrimSpace(line), " ")
			also = ""
			rest.Reset()
		default:
			rest.WriteString(line)
		}
	}
	end()
}

// small are words of questions that say nothing of what is looked for.
var small = map[string]bool{"a": true, "an": true, "the": true, "to": true, "of": true, "in": true, "on": true, "for": true,
	"with": true, "and": true, "or": true, "is": true, "are": true, "be": true, "do": true, "does": true, "how": true,
	"what": true, "when": true, "where": true, "why": true, "can": true, "i": true, "my": true, "me": true, "it": true, "use": true}

// called are the names that other programs have for what has another one here.
var called = map[string]string{
	"appointment": "booking", "reservation": "booking", "reserve": "hold", "meeting": "booking",
	"customer": "contact", "client": "contact", "guest": "invitee", "attendee": "invitee",
	"service": "event", "product": "event", "slot": "time", "employee": "host", "staff": "host", "stylist": "host",
	"token": "key", "delete": "remove", "move": "reschedule", "postpone": "reschedule", "timezone": "zone",
	"callback": "webhook", "noshow": "show", "vacation": "off", "throttling": "rate", "iframe": "embed", "widget": "embed",
}

// search returns the parts that have all words of a query, or else as many as any part has; those first whose heading
// has them, and guides before the contract.
func (x *index) search(query string, most int) []view.Hit {
	var words []string
	all := wordsOf(strings.ToLower(query))
	for _, word := range all {
		if !small[word] {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		words = all
	}
	words = words[:min(len(words), maxWords)]
	if len(words) == 0 {
		return []view.Hit{}
	}
	type ranked struct {
		*part
		found, points int
	}
	var parts []ranked
	found, asked := 1, stems(words)
	for i := range x.parts {
		r := ranked{part: &x.parts[i]}
		for _, word := range words {
			best := r.worth(word)
			if other := called[strings.TrimSuffix(word, "s")]; other != "" {
				best = max(best, r.worth(other))
			}
			if best > 0 {
				r.found++
				r.points += best
			}
		}
		if r.found >= found {
			found = r.found
			r.points += r.rank
			if r.name == asked {
				r.points += 20
			}
			parts = append(parts, r)
		}
	}
	parts = slices.DeleteFunc(parts, func(r ranked) bool { return r.found < found })
	slices.SortStableFunc(parts, func(a, b ranked) int { return cmp.Compare(b.points, a.points) })
	hits := make([]view.Hit, 0, most)
	for _, r := range parts[:min(len(parts), most)] {
		hits = append(hits, view.Hit{Page: r.page, Heading: r.heading, Address: r.path, Text: around(r.text, words[0])})
	}
	return hits
}

// worth returns the points that a word is worth to a part: 0 when it isn't there.
func (p *part) worth(word string) int {
	s := stem(word)
	points := 2 * min(p.words[s], 5)
	switch {
	case p.titled[s]:
		points += 40
	case strings.Contains(p.title, word):
		points += 20
	case p.paged[s]:
		points += 10
	case points == 0 && strings.Contains(p.lower, word):
		points = 1
	}
	return points
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' })
}

func stems(words []string) string {
	var all []string
	for _, word := range words {
		all = append(all, stem(word))
	}
	return strings.Join(all, " ")
}

// stem returns what forms of an English word have in common, roughly: reschedule, rescheduled and rescheduling.
func stem(word string) string {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if cut, is := strings.CutSuffix(word, end); is && len(cut) > 2 {
			word = cut
			break
		}
	}
	if n := len(word); n > 3 && word[n-1] == word[n-2] {
		word = word[:n-1]
	}
	if n := len(word); n > 3 && (word[n-1] == 'e' || word[n-1] == 'y' || word[n-1] == 'i') {
		word = word[:n-1]
	}
	return word
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
