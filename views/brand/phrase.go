package brand

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Phrase is a message in one language, by its plural forms. One that names no number has only plural.Other, which all
// have.
type Phrase map[plural.Form]pieces

// pieces is a text cut at its arguments: at even places what is written, at odd ones an argument's name.
type pieces []string

// UnmarshalJSON takes a text, or an object of texts by their plural forms. Arguments stand in a text as {{.Name}}.
func (p *Phrase) UnmarshalJSON(data []byte) error {
	texts := map[string]string{}
	if text := ""; json.Unmarshal(data, &text) == nil {
		texts["other"] = text
	} else if err := json.Unmarshal(data, &texts); err != nil {
		return fmt.Errorf("%s is neither a text nor texts by plural forms: %w", data, err)
	}
	*p = make(Phrase, len(texts))
	for name, text := range texts {
		cut, err := cutAtArguments(text)
		if err != nil {
			return err
		}
		switch name { // the forms of CLDR that our languages have
		case "one":
			(*p)[plural.One] = cut
		case "many":
			(*p)[plural.Many] = cut
		case "other":
			(*p)[plural.Other] = cut
		default:
			return fmt.Errorf("%s: there is no plural form %q", data, name)
		}
	}
	if _, has := (*p)[plural.Other]; !has {
		return fmt.Errorf("%s lacks the form other", data)
	}
	return nil
}

func cutAtArguments(text string) (p pieces, err error) {
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "{{")
		p = append(p, before)
		if !found {
			return p, nil
		}
		name, behind, closed := strings.Cut(after, "}}")
		if !closed || !strings.HasPrefix(name, ".") {
			return nil, fmt.Errorf("%q has an argument that isn't written as {{.Name}}", text)
		}
		p, rest = append(p, name[1:]), behind
	}
}

// Text fills in the arguments, which come in pairs, a name and a value. The whole number named Count chooses the plural
// form by the rules of the language (Unicode CLDR, cardinals). An argument that isn't given stays visible as its name.
func (p Phrase) Text(lang language.Tag, args []any) string {
	form := plural.Other
	if at := named(args, "Count"); len(p) > 1 && at >= 0 {
		form = p.form(lang, args[at])
	}
	chosen, has := p[form]
	if !has {
		chosen = p[plural.Other]
	}
	if len(chosen) == 1 {
		return chosen[0]
	}
	var b strings.Builder
	for i, piece := range chosen {
		at := -1
		if i%2 == 1 {
			at = named(args, piece)
		}
		if at < 0 {
			b.WriteString(piece)
		} else if text, is := args[at].(string); is {
			b.WriteString(text) // most are, and need no reflection
		} else if n, is := args[at].(int); is {
			b.WriteString(strconv.Itoa(n))
		} else {
			fmt.Fprint(&b, args[at])
		}
	}
	return b.String()
}

// form returns the plural form of a whole number. golang.org/x/text has the rules of CLDR 32; CLDR 38 gave millions in
// Romance languages a form of their own, which is only theirs whose phrases have it.
func (p Phrase) form(lang language.Tag, number any) plural.Form {
	var n int
	switch v := number.(type) {
	case int:
		n = v
	case int64:
		n = int(v)
	default:
		return plural.Other
	}
	if _, has := p[plural.Many]; has && n != 0 && n%1_000_000 == 0 {
		return plural.Many
	}
	return plural.Cardinal.MatchPlural(lang, n, 0, 0, 0, 0)
}

// named returns where the value of an argument is, or -1.
func named(args []any, name string) int {
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == name {
			return i + 1
		}
	}
	return -1
}
