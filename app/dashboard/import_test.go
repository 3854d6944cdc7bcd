package dashboard

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/contact"
)

// importFile chooses a file on the page that imports, and looks at what would become of it.
func (b *tab) importFile(path string) {
	b.t.Helper()
	b.open("/dashboard/contacts/import")
	b.until("document.querySelector('#file')")
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{path}))
	b.click("form[enctype] button[type=submit]")
	b.until("document.querySelector('#counts-h')")
}

// fits looks at the page at each width, in the light and the dark: nothing on it is too broad, and it breaks no rule of WCAG
// 2.2 AA that a machine can check. It ends on a phone, in the light.
func (b *tab) fits(name, axe string) {
	b.t.Helper()
	for _, width := range []int64{390, 820, 1024, 1440} {
		b.look("light", width, 844)
		if found := browser.Eval[string](b.t, b.ctx, broad); found != "" {
			b.t.Errorf("%s at %d: %s", name, width, found)
		}
		if width == 390 || width == 1440 && apptest.Long() {
			browser.Accessible(b.t, b.ctx, axe)
		}
		for _, theme := range []string{"light", "dark"} {
			browser.Media(b.t, b.ctx, theme)
			shot(b, fmt.Sprintf("%s-%d-%s", name, width, theme))
		}
	}
	b.look("light", 390, 844)
}

// In a browser, a file that a German spreadsheet wrote is looked at first, and imported with a second click.
func TestImportInABrowser(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.look("light", 1280, 900)
	b.signIn(w)
	file, err := filepath.Abs("../testdata/import/german.csv")
	w.Must(err)
	b.importFile(file)
	b.sees("Nothing has been saved yet")
	b.sees("4 new customers")
	b.sees("Geburtstag")
	b.sees("Allergie PPD")
	found, err := w.People.ContactsWith(t.Context(), w.Owner, "dora@mail.example", "")
	if w.Must(err); len(found.Data) != 0 {
		t.Fatal("the preview has imported")
	}
	// The birthday is kept as a note, where its select says so.
	b.do(chromedp.SetValue(chromedp.CSS("#column6"), "notes"))
	b.click("button[value=look]")
	b.until("document.querySelector('#rows-h') && document.body.innerText.includes('Geburtstag: 01.02.1980')")
	b.click("button[value=import]")
	b.until("document.querySelector('.notice-good')")
	b.sees("4 new customers")
	found, err = w.People.ContactsWith(t.Context(), w.Owner, "dora@mail.example", "")
	if w.Must(err); len(found.Data) != 1 || found.Data[0].Name != "Dora Müller-Groß" || found.Data[0].Phone != "+4930901821" ||
		found.Data[0].Notes != "Allergie PPD\nGeburtstag: 01.02.1980\nHandy: 0170 5556671" {
		t.Errorf("%+v", found.Data)
	}
}

// An import is undone from its page, in a browser: the new customer is gone, and the one who was changed since is named
// with why. The pages break no rule of WCAG 2.2 AA that a machine can check, in the light and the dark.
func TestUndoAnImportInABrowser(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	axe := browser.Axe(t)
	b.look("light", 1280, 900)
	b.signIn(w)
	seen := func(name string) {
		t.Helper()
		for _, width := range []int64{390, 820, 1440} {
			for _, theme := range []string{"light", "dark"} {
				b.look(theme, width, 844)
				if found := browser.Eval[string](t, b.ctx, broad); found != "" {
					t.Errorf("%s at %d: %s", name, width, found)
				}
				shot(b, fmt.Sprintf("undo-%s-%d-%s", name, width, theme))
				if width != 820 {
					browser.Accessible(t, b.ctx, axe)
				}
			}
		}
		b.look("light", 1280, 900)
	}
	path := filepath.Join(t.TempDir(), "new.csv")
	w.Must(os.WriteFile(path, []byte("Name,E-mail\nNora Neu,nora@mail.example\nOtto Oft,otto@mail.example\n"), 0o600))
	b.importFile(path)
	b.click("button[value=import]")
	b.until("document.querySelector('.notice-good')")
	found, err := w.People.ContactsWith(t.Context(), w.Owner, "otto@mail.example", "")
	w.Must(err)
	w.Must(w.People.SetContactNotes(t.Context(), w.Owner, found.Data[0].ID.String(), "likes tea"))
	b.click(".notice-good p + p a")
	b.until("document.querySelector('form[action$=\"/undo\"] button')")
	b.sees("2 new customers")
	b.sees("This can be undone until")
	seen("before")
	b.open("/dashboard/contacts/import")
	b.until("document.querySelector('#recent-h')")
	seen("recent")
	b.click(".row-link")
	b.until("document.querySelector('form[action$=\"/undo\"] button')")
	b.click("form[action$=\"/undo\"] button")
	b.until("document.querySelector('#stays-h')")
	b.sees("1 customer is as before the import")
	b.sees("Otto Oft")
	b.sees("Was changed since")
	seen("after")
	for email, want := range map[string]int{"nora@mail.example": 0, "otto@mail.example": 1} {
		if found, err := w.People.ContactsWith(t.Context(), w.Owner, email, ""); err != nil || len(found.Data) != want {
			t.Errorf("%d have %s, %v", len(found.Data), email, err)
		}
	}
}

// The page that shows what an import would do breaks no rule of WCAG 2.2 AA that a machine can check and never scrolls
// sideways, with much on it or nothing, in German, in the light and the dark.
func TestImportPreviewFits(t *testing.T) {
	w := newWorld(t)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b := w.browse()
	axe := browser.Axe(t)
	b.look("light", 1280, 900)
	b.signIn(w)
	for i := range 3 {
		w.contact("Bekannt", fmt.Sprintf("p%d@mail.example", i))
	}
	long := strings.Repeat("Donaudampfschifffahrt", 6)
	var much strings.Builder
	fmt.Fprintf(&much, "Vorname;Nachname;E-Mail;Handy;Telefon;Notizen;%s;Newsletter-Einwilligung;Geburtstag;leer\n", long)
	for i := range 80 {
		fmt.Fprintf(&much, "Vorname%d;%s;p%d@mail.example;0170 %07d;030 901820;%s;%s;ja;1.1.1990;\n", i, long[:60], i, i, strings.Repeat("Notiz ", 200), long)
		if i%4 == 0 {
			fmt.Fprintf(&much, ";%s;;;;;;;;\nDoppelt;Gemoppelt;p%d@mail.example;;;;;;;\n", long[:80], i)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"much": much.String(), "none": "Vorname;E-Mail\n"} {
		path := filepath.Join(dir, name+".csv")
		w.Must(os.WriteFile(path, []byte(text), 0o600))
		b.importFile(path)
		b.fits("import-"+name, axe)
	}
}

// The page of an import that takes long shows how far it has come, by itself and after a reload, and at its end what was
// not done.
func TestImportsShowHowFarTheyHaveCome(t *testing.T) {
	w := newWorld(t)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b := w.browse()
	axe := browser.Axe(t)
	b.signIn(w)
	begun, steps, ended := make(chan string), make(chan int), make(chan bool)
	go func() {
		defer close(ended)
		w.Must(w.People.Alone(t.Context(), w.Owner, func(run *contact.Run) error {
			begun <- run.ID().String()
			for come := range steps {
				err := w.Service.Write(t.Context(), func(tx app.Tx) error {
					im, err := run.Lock(tx)
					im.Lines, im.Come, im.LeftOut = 50_000, come, 2
					return errors.Join(err, run.Note(tx, im))
				})
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}()
	b.open("/dashboard/imports/" + <-begun)
	b.until("document.querySelector('progress:not([value])')")
	b.fits("import-begins", axe)
	steps <- 20
	b.until("document.querySelector('progress').value == 20 && document.querySelector('progress').max == 50000")
	b.fits("import-runs", axe)
	steps <- 31_240
	b.until("document.querySelector('progress').value == 31240")
	b.sees("Bisher 31240 von 50000 Zeilen")
	b.open(browser.Eval[string](t, b.ctx, "location.pathname"))
	b.until("document.querySelector('progress').value == 31240")
	close(steps)
	<-ended
	b.until("document.querySelector('.import-counts') && !document.querySelector('progress')")
	b.sees("Bei 31240 von 50000 Zeilen stehen geblieben")
	b.sees("2 Zeilen blieben draußen")
	b.sees("Beendet")
	for _, untrue := range []string{"war schon da", "rückgängig"} {
		if browser.Eval[bool](t, b.ctx, fmt.Sprintf(`document.querySelector("main").innerText.includes(%q)`, untrue)) {
			t.Errorf("the page says %q", untrue)
		}
	}
	b.fits("import-stopped", axe)
}
