package field_test

import (
	"encoding/json"
	"testing"
	"time"

	"daybook/app/field"
)

type thing struct {
	ID     int      `json:"id"`
	Secret string   `json:"secret"`
	Parts  []part   `json:"parts"`
	Whole  *whole   `json:"whole"`
	Next   *part    `json:"next,omitempty"`
	Tags   []string `json:"tags"`
	inner  int
}

type part struct {
	Name string `json:"name"`
	Cost int    `json:"cost"`
}

type whole struct {
	Only int `json:"only"`
}

var (
	wholeFields = field.Resource{Fields: []field.Field{{Name: "only", Public: true, Guests: "only"}}}
	partFields  = field.Resource{Fields: []field.Field{{Name: "name", Public: true, Guests: "called"}, {Name: "cost"}}}
	thingFields = field.Resource{Fields: []field.Field{
		{Name: "id", Public: true}, {Name: "secret"}, {Name: "parts", Public: true, Guests: "parts,omitempty", Of: &partFields},
		{Name: "whole", Public: true, Of: &wholeFields}, {Name: "next", Public: true, Of: &partFields}, {Name: "tags", Guests: "tags"},
	}}
)

type more struct {
	ID    string `json:"id"`
	Local string `json:"local"`
}

// A door shows what says so, also within structs, and nothing else.
func TestView(t *testing.T) {
	full := thing{ID: 1, Secret: "s", Parts: []part{{"a", 1}, {"b", 2}}, Whole: &whole{3}, Next: &part{"c", 4},
		Tags: []string{"x"}, inner: 5}
	public := field.NewView[thing, struct{}](&thingFields, field.ForPublicKeys)
	guests := field.NewView[thing, more](&thingFields, field.ForGuests)
	for got, want := range map[any]string{
		text(t, public.Of(&full, struct{}{})):    `{"id":1,"parts":[{"name":"a"},{"name":"b"}],"whole":{"only":3},"next":{"name":"c"}}`,
		text(t, public.Of(&thing{}, struct{}{})): `{"id":0,"parts":null,"whole":null}`,
		text(t, guests.Of(&full, more{"i", "l"})): `{"parts":[{"called":"a"},{"called":"b"}],"tags":["x"],"id":"i",` +
			`"local":"l"}`,
		text(t, guests.Of(&thing{}, more{})): `{"tags":null,"id":"","local":""}`,
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if full.Parts[0].Cost != 1 {
		t.Error("the thing itself has changed")
	}
}

// A struct of which nobody has said what strangers are shown is a mistake that a server doesn't start with.
func TestViewOfWhatIsNotDescribed(t *testing.T) {
	about := field.Resource{Fields: []field.Field{{Name: "parts", Public: true}}}
	if !panics(func() { field.NewView[thing, struct{}](&about, field.ForPublicKeys) }) {
		t.Error("it is shown")
	}
}

// A map, an array or an any that could hold a struct would be shown whole, with what strangers are not shown. A server
// doesn't start with that either. Those of texts, numbers and what encodes itself are shown.
func TestViewOfWhatIsShownWhole(t *testing.T) {
	type mapped struct {
		At map[string]part `json:"at"`
	}
	type nested struct {
		At map[string][]*part `json:"at"`
	}
	type array struct {
		At [2]part `json:"at"`
	}
	type listed struct {
		At []map[string]part `json:"at"`
	}
	type anything struct {
		At any `json:"at"`
	}
	type answers struct {
		At map[string]any `json:"at"`
	}
	type pairs struct {
		At map[string][2]string `json:"at"`
	}
	type times struct {
		At map[string][]time.Time `json:"at"`
	}
	about := field.Resource{Fields: []field.Field{{Name: "at", Public: true, Of: &partFields}}}
	for name, c := range map[string]struct {
		view    func()
		refused bool
	}{
		"a map of structs":          {func() { field.NewView[mapped, struct{}](&about, field.ForPublicKeys) }, true},
		"a map of lists of structs": {func() { field.NewView[nested, struct{}](&about, field.ForPublicKeys) }, true},
		"an array of structs":       {func() { field.NewView[array, struct{}](&about, field.ForPublicKeys) }, true},
		"a list of maps":            {func() { field.NewView[listed, struct{}](&about, field.ForPublicKeys) }, true},
		"an any":                    {func() { field.NewView[anything, struct{}](&about, field.ForPublicKeys) }, true},
		"a map of any":              {func() { field.NewView[answers, struct{}](&about, field.ForPublicKeys) }, true},
		"a map of texts":            {func() { field.NewView[pairs, struct{}](&about, field.ForPublicKeys) }, false},
		"a map of times":            {func() { field.NewView[times, struct{}](&about, field.ForPublicKeys) }, false},
	} {
		if got := panics(c.view); got != c.refused {
			t.Errorf("%s: refused is %v", name, got)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func text(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
