package page

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"daybook/app/catalog"
	"daybook/views"
)

// Categories puts event types under the headings that they name, in the order in which these come; what has none comes
// last, under the heading other. Where none has any, they are all in one without a title.
func Categories(all []views.Event, other string) (parts []views.Category) {
	for i, events := range catalog.ByCategory(all, func(e views.Event) string { return e.Category }) {
		part := views.Category{ID: fmt.Sprintf("part-%d", i+1), Title: events[0].Category, Events: events}
		if part.Title == "" {
			part.ID = "part-0"
			if i > 0 {
				part.Title = other
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// Matches reports whether an event type has all words that are searched for, without regard to case and accents.
func Matches(e views.Event, search string) bool {
	text := folded(e.Title + " " + e.Text + " " + e.Words)
	for _, word := range strings.Fields(folded(search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// folded returns a text in lower case without accents. page.js folds in the same way.
func folded(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(text)))
	return strings.ReplaceAll(text, "ß", "ss")
}

// Listed returns the event types that the page lists, in their order.
func Listed(s *catalog.Setup) (all []*catalog.EventType) {
	for i := range s.EventTypes {
		if e := &s.EventTypes[i]; e.Listed() {
			all = append(all, e)
		}
	}
	return all
}

// OtherWords returns those by which an event type is found beside the ones of its card: the rest of its description,
// its heading and who does it.
func OtherWords(s *catalog.Setup, e *catalog.EventType) string {
	_, rest, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(e.Description), "\r\n", "\n"), "\n\n")
	words := strings.Fields(rest)
	words = append(words, e.Category)
	for _, ref := range e.Hosts {
		if h := s.Host(ref.ID); h.Active {
			words = append(words, h.Name)
		}
	}
	return strings.Join(words, " ")
}
