package dashboard

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/availability"
	"daybook/app/contact"
	"daybook/views/dash"
)

// An owner adds a field that must be filled in, whose options are asked only of a choice; a visitor's form has it and wants
// it; the new customer's card has what was written; and removing the field says how much goes. The pages break no rule of
// WCAG 2.2 AA that a machine can check.
func TestOwnFieldsInABrowser(t *testing.T) {
	w := newWorld(t)
	b, axe := w.browse(), browser.Axe(t)
	b.look("light", 1280, 900)
	b.signIn(w)
	b.open(dash.FieldsPath)
	b.until("document.querySelector('#new')")
	if browser.Eval[bool](t, b.ctx, `document.querySelector("#new [name=options]").offsetHeight>0`) {
		t.Error("a text is asked for options")
	}
	b.fill("label", "Skin type", "type", "choice", "options", "Dry\nOily", "onForm", "required")
	if !browser.Eval[bool](t, b.ctx, `document.querySelector("#new [name=options]").offsetHeight>0`) {
		t.Error("a choice isn't asked for options")
	}
	b.click("#new button[type=submit]")
	b.sees("Required on the booking form")
	b.fits("own fields", axe)
	b.click("#fields .field-more > summary")
	if small := browser.Eval[string](t, b.ctx, `[...document.querySelectorAll("#fields summary, #fields .field-more .button")].
		filter(x => x.offsetHeight>0 && x.offsetHeight<44).map(x => x.innerText).join()`); small != "" {
		t.Errorf("too small for a thumb: %s", small)
	}
	b.fits("an own field", axe)

	open, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: "haircut"})
	w.Must(err)
	b.open(fmt.Sprintf("/%s/haircut?start=%s", w.salon.Workspace, open.Slots()[0].Start))
	b.fill("name", "Frida Quux", "email", "frida@mail.example")
	b.fits("the form", axe)
	b.do(chromedp.Click(browser.CSS(`form .actions button`)))
	if wants := browser.Eval[bool](t, b.ctx, `document.querySelector("[name=f_skin-type]").matches(":invalid")`); !wants {
		t.Error("the form is sent without the field that must be filled in")
	}
	b.fill("f_skin-type", "Oily")
	b.do(chromedp.Click(browser.CSS(`form .actions button`)))
	b.until(`document.querySelector("[data-booking-start]")`)
	found, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{Q: "frida@mail.example"}, nil, "")
	w.Must(err)
	b.open(dash.ContactPath(found.Data[0].ID.String()))
	b.sees("Oily")
	b.open(dash.FieldsPath)
	b.click("#fields .field-more > summary")
	b.click("#fields .danger > summary")
	b.click("#fields .danger button")
	b.sees("There are 2 values in “Skin type”")
	b.click("#fields .danger [name=deleteValues] ~ button")
	b.sees("You have no fields of your own yet.")
}
