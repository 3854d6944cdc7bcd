package agent

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

// What is spliced in is what the library would have written, as a text and as an object, in whatever message holds it;
// other messages stay.
func TestSplice(t *testing.T) {
	body := `{"name":"Zoé \"Z\" <b>&\u2028","more":"` + strings.Repeat("x", spliceFrom) + `"}`
	for _, frame := range []string{"%s\n", "event: message\ndata: %s\n\n"} {
		w := httptest.NewRecorder()
		ctx, s := spliced(t.Context(), w)
		if _, err := s.Write([]byte("another message\n")); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(map[string]any{"id": 1, "result": answered(ctx, []byte(body))})
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range []string{"another message\n", fmt.Sprintf(frame, text)} {
			if n, err := s.Write([]byte(message)); n != len(message) || err != nil {
				t.Fatal(n, err)
			}
		}
		want, err := json.Marshal(map[string]any{"id": 1, "result": result([]byte(body), false)})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimPrefix(w.Body.String(), "another message\nanother message\n")
		before, after, _ := strings.Cut(frame, "%s")
		got = strings.TrimSuffix(strings.TrimPrefix(got, before), after)
		if plain(t, got) != plain(t, string(want)) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// plain writes JSON in one way.
func plain(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err, text)
	}
	again, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(again)
}
