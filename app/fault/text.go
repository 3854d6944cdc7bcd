package fault

import (
	"encoding/json"
	"fmt"
)

// Text is a text for people and what it was made with: screens look the format up to say it in other languages. The
// zero Text is empty.
type Text struct {
	Format string
	Args   []any

	said string
}

// Textf returns the text of the format and its arguments. Where it only repeats a Text or the text of an
// error, it has the format of that.
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

// UnmarshalJSON reads what MarshalJSON returned. The arguments are texts then.
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

// Errorf returns an error without a code, for packages that don't know what a caller asked for. What Invalid says with
// it keeps its format.
func Errorf(format string, args ...any) error { return &uncoded{Textf(format, args...)} }

type uncoded struct{ text Text }

func (u *uncoded) Error() string { return u.text.said }

func (u *uncoded) Text() Text { return u.text }
