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

// messageKey is a key at the beginning of its line, as all of the files have them.
var messageKey = regexp.MustCompile(`(?m)^  "([^"]+)":`)

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
		seen := map[string]bool{}
		for _, found := range messageKey.FindAllSubmatch(content, -1) { // of one that is there twice a decoder takes the last
			if seen[string(found[1])] {
				t.Errorf("%s has %q twice", name, found[1])
			}
			seen[string(found[1])] = true
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

// A placeholder has two braces and a dot: one that is written otherwise would be read as it is.
func TestPlaceholdersAreFilled(t *testing.T) {
	for _, lang := range []string{"en", "de", "fr", "es"} {
		for key, forms := range readMessages(t, lang) {
			for form, text := range forms {
				if rest := placeholder.ReplaceAllString(text, ""); strings.ContainsAny(rest, "{}") {
					t.Errorf("%s: %q (%s) shows braces: %s", lang, key, form, text)
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
	for _, pattern := range []string{"*", "dash/*", "../app/mail/*.go", "../app/mail/*/*.go", "../app/push/*.go", "../app/text/*.go", "../app/page/*.go", "../app/page/*/*.go", "../app/agent/view.go", "../app/assistant/*.go", "../app/dashboard/*.go", "../app/dashboard/*/*.go", "../app/dashboard/*/*/*.go", "finding/*.go"} {
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
		page := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(key, "dash_said_"), "_title"), "_text")
		made := regexp.MustCompile(`^(dash_status|chat_is|mail_(what|head|text|stop)|decide|stop|today_(pay|undo)|push_title|sms|call_why|texts_(of|field|inbound|how)|history|waive|off_country|holiday|words_kind|health_(say|do|check|state|plain)|audit_(did|topic|door)|trade_is)_`).MatchString(key) // of a kind of mail or of decision
		if !used[key] && !used[page] && !made && !strings.HasPrefix(key, "error_") && key != "fee_consent" {
			t.Errorf("no page shows %q", key)
		}
	}
}

// The history of a booking says each action in words, and has no words for others.
func TestEveryActionHasWords(t *testing.T) {
	source, err := os.ReadFile("../app/booking/history.go")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`\bAct\w+ +Action = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		known[m[1]] = true
	}
	if len(known) < 30 {
		t.Fatalf("only %d actions were found", len(known))
	}
	english := readMessages(t, "en")
	for action := range known {
		if english["history_"+action] == nil {
			t.Errorf("no message says %q", action)
		}
		if key := "history_late_" + action; strings.HasPrefix(action, "fee_") && english[key] == nil {
			t.Errorf("no message says %q of a fee for cancelling late", action)
		}
	}
	for key := range english {
		action, ok := strings.CutPrefix(key, "history_")
		if ok && !known[strings.TrimPrefix(action, "late_")] {
			t.Errorf("%q is of no action", key)
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

// typography is what the texts of a language may not have, and what to write instead.
var typography = map[string][]struct {
	wrong *regexp.Regexp
	write string
}{
	"": {
		{regexp.MustCompile(`['"]`), "’ and the quotation marks of the language"},
		{regexp.MustCompile(`  `), "one space"},
		{regexp.MustCompile(`\.\.\.`), "…"},
	},
	"en": {
		{regexp.MustCompile(`[„«»]|”[^”]*“$`), "“ and ”"},
		{regexp.MustCompile(`\s[…%]`), "… and % without a space before them"},
	},
	"de": {
		{regexp.MustCompile(`[”«»]|“[^„]*“|„[^“]*$`), "„ and “"},
		{regexp.MustCompile(`(^|[^\x{a0}])[…%]`), "a no-break space before … and %"},
		{regexp.MustCompile(`\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir)\b`), "Sie"},
	},
	"fr": {
		{regexp.MustCompile(`[^\x{202f}][;!?]`), "a narrow no-break space (U+202F) before ; ! ?"},
		{regexp.MustCompile(`[^\x{a0}]:(\s|$)|[^\x{a0}]%|«[^\x{a0}]|[^\x{a0}]»`), "a no-break space (U+00A0) before : % » and after «"},
		{regexp.MustCompile(`\s…`), "… without a space before it"},
		{regexp.MustCompile(`[“”„]`), "« and »"},
		{regexp.MustCompile(`(?i)(^|[^\pL])(tu|toi|ton|tes|te)($|[^\pL])`), "vous"},
	},
	"es": {
		{regexp.MustCompile(`^[^¿]*\?|\?[^¿]*\?|¿[^?]*$`), "¿ before a question"},
		{regexp.MustCompile(`^[^¡]*!|![^¡]*!|¡[^!]*$`), "¡ before an exclamation"},
		{regexp.MustCompile(`\s…|[^\x{a0}]%`), "… without a space, and a no-break space before %"},
		{regexp.MustCompile(`[“”„]|«[^»]*$`), "« and »"},
	},
}

// quotedCommand is a name that a program has in English, whatever is around it.
const quotedCommand = "MCP: Open User Configuration"

// Texts have the spaces, quotation marks and apostrophes of their language.
func TestTypography(t *testing.T) {
	for _, lang := range []string{"en", "de", "fr", "es"} {
		for key, forms := range readMessages(t, lang) {
			for _, text := range forms {
				text = strings.ReplaceAll(text, quotedCommand, "MCP")
				for _, rule := range append(typography[""], typography[lang]...) {
					if found := rule.wrong.FindString(text); found != "" {
						t.Errorf("%s: %s: %q has %q: write %s", lang, key, text, found, rule.write)
					}
				}
			}
		}
	}
}

// In Spanish, customers are tú on the booking page and in their mails, and the team is usted in the dashboard and in its
// own mails.
func TestSpanishSpeaksToEachReader(t *testing.T) {
	usted := regexp.MustCompile(`(?i)(^|[^\pL])(usted|sus?)($|[^\pL])`)
	tu := regexp.MustCompile(`(?i)(^|[^\pL])(tú|tus?|te|ti)($|[^\pL])`)
	team := regexp.MustCompile(`^mail_(what|head|text|why|stop)_team|^mail_test|^mail_texts|^decide_|^stop_`)
	toCustomer := map[string]bool{"contact_either": true, "contact_error_either": true,
		"texts_detail": true, "texts_page_stopped": true, "texts_page_stopped_reply": true, "texts_card_spoken": true}
	for _, name := range messagesOf("es") {
		content, err := fs.ReadFile(messageFiles, name)
		if err != nil {
			t.Fatal(err)
		}
		part := map[string]any{}
		if err := json.Unmarshal(content, &part); err != nil {
			t.Fatal(err)
		}
		page, mails := slices.Contains([]string{"messages/es.json", "messages/own.es.json", "messages/join.es.json", "messages/wait.es.json", "messages/text.es.json", "messages/textlink.es.json", "messages/voucher.es.json"}, name), name == "messages/mail.es.json"
		for key, v := range part {
			text := fmt.Sprint(v)
			if page || mails && !team.MatchString(key) || toCustomer[key] {
				if found := usted.FindString(text); found != "" && !strings.HasPrefix(key, "pick_a_day") && key != "error_phone" {
					t.Errorf("%s: %q says %q to a customer: write tú", key, text, found)
				}
			} else if found := tu.FindString(text); found != "" {
				t.Errorf("%s: %q says %q to the team: write usted", key, text, found)
			}
		}
	}
}

// One thing has one word in a language: what is written here has another one.
func TestOneWordForOneThing(t *testing.T) {
	for lang, words := range map[string]map[string]string{
		"en": {"Look": "View", "Is required": "a sentence that names the field"},
		"de": {"Terminart": "Leistung", "Annehmen": "Bestätigen", "Mitarbeitende": "Mitarbeiter", "Quittung": "Beleg",
			"stornieren": "absagen", "Kundin": "Kunde", "freiwillig": "optional"},
		"fr": {"Calendrier,": "Agenda", "Type d’événement": "Prestation", "Accepter": "Valider", "Intervenant": "Collaborateur",
			"Paramètre": "Réglages", "Marge": "Battement", "ses marges": "les battements"},
		"es": {"es ahora el": "pasa al", "Tipo de evento": "Servicio", "Aceptar": "Aprobar", "Mover": "Cambiar",
			"movida": "cambiada", "Apagado": "Detenido"},
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

// developersWords are the words of the API. Screens have those of a shop: services, team, sign-ins, business.
var developersWords = regexp.MustCompile(`(?i)\b(event types?|hosts|workspaces?|members?|lapsed|availability)\b|^(Host|Kept)$`)

// Screens say what a shop says. Those for developers keep the words of the API, and others their names.
func TestScreensSpeakAsAShopDoes(t *testing.T) {
	others := strings.NewReplacer("team member", "", "Team member", "", "Google Workspace", "", "{{.Workspace}}", "")
	for key, forms := range readMessages(t, "en") {
		if strings.HasPrefix(key, "connect_") {
			continue
		}
		for _, text := range forms {
			if found := developersWords.FindString(others.Replace(text)); found != "" {
				t.Errorf("%s says %q: %s", key, found, text)
			}
		}
	}
}
