package googletest

import (
	"errors"
	"net/http"
	"strings"
)

// part answers with those fields of an object that the request asks for:
// https://developers.google.com/workspace/calendar/api/guides/performance#partial-response
func part(w http.ResponseWriter, r *http.Request, o object) {
	text := r.URL.Query().Get("fields")
	if text == "" {
		write(w, 200, o)
		return
	}
	names, rest, err := selection(text)
	if err != nil || rest != "" {
		refuse(w, 400, "invalidParameter fields")
		return
	}
	write(w, 200, names.of(o))
}

// names are fields, each with those below it that are asked for; nil asks for all.
type names map[string]names

// selection reads "a,b(c,d),e/f" up to its end or a closing bracket.
func selection(text string) (all names, rest string, err error) {
	all = names{}
	for {
		end := strings.IndexAny(text, ",()/")
		if end < 0 {
			end = len(text)
		}
		name := text[:end]
		if name == "" {
			return nil, "", errors.New("a name is missing")
		}
		text = text[end:]
		all[name] = nil
		switch {
		case strings.HasPrefix(text, "/"):
			below := text[1:]
			end := strings.IndexAny(below, ",)")
			if end < 0 {
				end = len(below)
			}
			if all[name], _, err = selection(below[:end]); err != nil {
				return nil, "", err
			}
			text = below[end:]
		case strings.HasPrefix(text, "("):
			var below names
			below, text, err = selection(text[1:])
			if err != nil || !strings.HasPrefix(text, ")") {
				return nil, "", errors.New("a bracket is missing")
			}
			all[name], text = below, text[1:]
		}
		if !strings.HasPrefix(text, ",") {
			return all, text, nil
		}
		text = text[1:]
	}
}

func (n names) of(v any) any {
	if n == nil {
		return v
	}
	switch v := v.(type) {
	case object:
		got := object{}
		for name, below := range n {
			if value, has := v[name]; has {
				got[name] = below.of(value)
			}
		}
		return got
	case []object:
		got := []any{}
		for _, x := range v {
			got = append(got, n.of(x))
		}
		return got
	case []any:
		got := []any{}
		for _, x := range v {
			got = append(got, n.of(x))
		}
		return got
	}
	return v
}
