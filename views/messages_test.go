package views

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var placeholder = regexp.MustCompile(`\{\{\s*\.(\w+)\s*\}\}`)

type messages map[string]map[string]string // key → plural form → text

func readMessages(t *testing.T, lang string) messages {
	t.Helper()
	raw := map[string]any{}
	for _, name := range messagesOf(lang) {
		content, err := fs.ReadFile(messageFiles, name)
		if err != nil {
			t.Fatal(err)
		}
		part := map[string]any{}
		if err := json.Unmarshal(content, &part); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for key, text := range part {
			if raw[key] != nil {
				t.Errorf("%s: %q stands in another file, too", name, key)
			}
			raw[key] = text
		}
	}
	all := messages{}
	for key, v := range raw {
		all[key] = map[string]string{}
		switch v := v.(type) {
		case string:
			all[key]["other"] = v
		case map[string]any:
			for form, text := range v {
				all[key][form] = fmt.Sprint(text)
			}
		}
	}
	return all
}

func placeholders(text string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A translator who forgets a message, a placeholder or a plural form learns which.
func TestLanguagesSayTheSame(t *testing.T) {
	english := readMessages(t, "en")
	needed := map[string][]string{"en": {"one", "other"}, "de": {"one", "other"}, "fr": {"one", "many", "other"}, "es": {"one", "many", "other"}}
	for lang, forms := range needed {
		other := readMessages(t, lang)
		for key := range other {
			if _, ok := english[key]; !ok {
				t.Errorf("%s has %q, English has not", lang, key)
			}
		}
		for key, texts := range english {
			their, ok := other[key]
			if !ok {
				t.Errorf("%s lacks %q", lang, key)
				continue
			}
			if len(texts) > 1 {
				for _, form := range forms {
					if their[form] == "" {
						t.Errorf("%s: %q lacks the form %q", lang, key, form)
					}
				}
			}
			want := placeholders(texts["other"])
			for form, text := range their {
				got := placeholders(text)
				if form == "one" && slices.Equal(want, []string{"Count"}) && len(got) == 0 {
					continue // "one field" needs no number
				}
				if !slices.Equal(got, want) || strings.TrimSpace(text) == "" {
					t.Errorf("%s: %q (%s) has %v, English has %v", lang, key, form, got, want)
				}
			}
		}
	}
}

// Every text that a page asks for exists, and every one that exists is asked for.
func TestMessagesAreUsed(t *testing.T) {
	english := readMessages(t, "en")
	asked := regexp.MustCompile(`\b(?:[Tt]|tr)\((?:ctx, )?"(\w+\w)"[,)]`)
	word := regexp.MustCompile(`"(\w+)"`)
	used := map[string]bool{}
	var files []string
	for _, pattern := range []string{"*", "dash/*", "../app/mail/*.go", "../app/mail/*/*.go", "../app/push/*.go", "../app/page/*.go", "../app/dashboard/*.go", "../app/dashboard/*/*.go"} {
		some, _ := filepath.Glob(pattern)
		files = append(files, some...)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_templ.go") || strings.HasSuffix(f, "_test.go") || !strings.HasSuffix(f, ".go") && !strings.HasSuffix(f, ".templ") {
			continue
		}
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllStringSubmatch(string(source), -1) {
			if _, ok := english[m[1]]; !ok {
				t.Errorf("%s asks for %q, which no language has", f, m[1])
			}
		}
		for _, m := range word.FindAllStringSubmatch(string(source), -1) {
			used[m[1]] = true
		}
	}
	for key := range english {
		page := strings.TrimSuffix(strings.TrimSuffix(key, "_title"), "_text")
		made := regexp.MustCompile(`^(mail_(what|head|text|stop)|decide|stop|today_(pay|history|undo)|push_title|counter_history|waive|off_country)_`).MatchString(key) // of a kind of mail or of decision
		if !used[key] && !used[page] && !made && !strings.HasPrefix(key, "error_") && key != "fee_consent" {
			t.Errorf("no page shows %q", key)
		}
	}
}

func TestPlurals(t *testing.T) {
	for _, c := range []struct {
		tag  string
		n    int
		want string
	}{{"en-US", 1, "1 time"}, {"en-US", 7, "7 times"}, {"de", 1, "1 Termin"}, {"fr", 0, "0 horaire"}, {"fr", 2, "2 horaires"}, {"es", 1, "1 hora"}} {
		if got := locale(c.tag).T("times_count", "Count", c.n); got != c.want {
			t.Errorf("%s %d: %q, want %q", c.tag, c.n, got, c.want)
		}
	}
	if got := Locales[0].T("no_such_key"); got != "no_such_key" {
		t.Errorf("unknown key: %q", got)
	}
}

// One thing has one word in a language: what is written here has another one.
func TestOneWordForOneThing(t *testing.T) {
	for lang, words := range map[string]map[string]string{
		"en": {"Look": "View", "Is required": "a sentence that names the field"},
		"de": {"Terminart": "Leistung", "Annehmen": "Bestätigen"},
		"fr": {"Calendrier,": "Agenda", "Type d’événement": "Prestation"},
		"es": {"es ahora el": "pasa al", "Tipo de evento": "Servicio"},
	} {
		for key, forms := range readMessages(t, lang) {
			for _, text := range forms {
				for word, better := range words {
					if text == word || word != "Look" && strings.Contains(text, word) {
						t.Errorf("%s: %q says %q; the word is %s", lang, key, word, better)
					}
				}
			}
		}
	}
}
