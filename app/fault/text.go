package fault

import (
	"encoding/json"
	"fmt"
)

// Text is a text for people with the format and the arguments that it was made from, so that screens can translate it
// by looking up the format. The zero Text is empty.
type Text struct {
	Format string
	Args   []any

	said string
}

// Textf returns the Text of a format and its arguments. If the format only repeats a Text or an error, the result has
// the format of that.
func Textf(format string, args ...any) Text {
	t := Text{format, args, fmt.Sprintf(format, args...)}
	if len(args) != 1 || format != "%s" && format != "%v" {
		return t
	}
	switch of := args[0].(type) {
	case Text:
		return of
	case interface{ Text() Text }:
		if of.Text().said == t.said {
			return of.Text()
		}
	}
	return t
}

// String returns the text.
func (t Text) String() string { return t.said }

// keptText is a Text as it is kept: its arguments are texts.
type keptText struct {
	Text   string   `json:"text"`
	Format string   `json:"format"`
	Args   []string `json:"args,omitempty"`
}

// MarshalJSON returns the text with its format.
func (t Text) MarshalJSON() ([]byte, error) {
	kept := keptText{Text: t.said, Format: t.Format}
	for _, a := range t.Args {
		kept.Args = append(kept.Args, fmt.Sprint(a))
	}
	return json.Marshal(kept)
}

// UnmarshalJSON reads what MarshalJSON returned. The arguments then are strings.
func (t *Text) UnmarshalJSON(from []byte) error {
	var kept keptText
	if err := json.Unmarshal(from, &kept); err != nil {
		return err
	}
	*t = Text{Format: kept.Format, said: kept.Text}
	for _, a := range kept.Args {
		t.Args = append(t.Args, a)
	}
	return nil
}

// Errorf returns an error without a code, for packages that don't know what a caller asked for. An error made from it
// by Invalid keeps its format.
func Errorf(format string, args ...any) error { return &uncoded{Textf(format, args...)} }

type uncoded struct{ text Text }

func (u *uncoded) Error() string { return u.text.said }

func (u *uncoded) Text() Text { return u.text }
