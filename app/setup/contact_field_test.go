package setup_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/setup"
)

const ownFields = `
workspace:
  slug: salon
  contactFields:
    - {key: skin, label: Skin type, type: choice, options: [dry, oily], onForm: asked}
    - {key: dog, label: Dog, type: text}
  consents:
    - {key: patch-test, name: Patch test, wording: I had one., days: 180, health: true}
eventTypes: [{slug: cut, requires: [{consent: patch-test, within: 180}]}]
`

// Own fields, consents and what requires them are set by a file and exported as they are. A file that leaves a field out is
// refused while there are values of it, which a dry run counts, and deletes them where that is said.
func TestOwnFieldsOfAFile(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	if got := told(apply(t, s, ownFields)); !strings.Contains(got, "workspace salon.contactFields") || !strings.Contains(got, "workspace salon.consents") ||
		!strings.Contains(got, "eventType cut.requires") {
		t.Error(got)
	}
	_, text := export(t, s, "salon")
	for _, again := range []string{ownFields, text} {
		if all := apply(t, s, again); len(all) != 0 {
			t.Errorf("differs:\n%s", told(all))
		}
	}
	w, err := s.WorkspaceBySlug(t.Context(), "salon")
	if err != nil {
		t.Fatal(err)
	}
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.ID}
	for i := range 3 {
		in := booking.ContactInput{Name: "N", Email: fmt.Sprintf("n%d@x.example", i), Fields: map[string]any{"dog": "Rex"}}
		if _, _, err := s.People.CreateContact(t.Context(), owner, in); err != nil {
			t.Fatal(err)
		}
	}

	without := strings.Replace(ownFields, "    - {key: dog, label: Dog, type: text}\n", "", 1)
	retyped := strings.Replace(ownFields, "type: text", "type: number", 1)
	run := func(text string, dryRun, deletes bool) (setup.Report, error) {
		t.Helper()
		f, err := setup.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if deletes {
			f.DeleteFieldValues()
		}
		return s.SetupFile.ApplySetup(t.Context(), app.Operator(0), f, dryRun)
	}
	if _, err := run(retyped, false, true); !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), "line 6") {
		t.Errorf("another type: %v", err)
	}
	for _, deletes := range []bool{false, true} {
		r, err := run(without, true, deletes)
		if err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0].Message, `removing "dog" deletes 3 values`) || r.Warnings[0].Line != 5 ||
			strings.Contains(r.Warnings[0].Message, "--delete-field-values") == deletes {
			t.Errorf("a dry run warns of %+v, %v", r.Warnings, err)
		}
	}
	_, err = run(without, false, false)
	if e := fault.As(err); e == nil || e.Reason != "field_values" || e.DetailsObject()["values"] != 3 {
		t.Errorf("without a word: %v", err)
	}
	r, err := run(without, false, true)
	if err != nil || len(r.Warnings) != 1 {
		t.Errorf("%+v, %v", r.Warnings, err)
	}
	for _, wrong := range []string{strings.Replace(ownFields, "consent: patch-test", "consent: other", 1), "workspace: {slug: salon, consents: []}"} {
		if _, err := run(wrong, false, true); !fault.Is(err, fault.BadRequest) {
			t.Errorf("a kind that is required: %v", err)
		}
	}
	page, err := s.People.ContactsWith(t.Context(), owner, "n0@x.example", "")
	if err != nil || len(page.Data) != 1 || len(page.Data[0].Fields) != 0 {
		t.Errorf("%+v, %v", page.Data, err)
	}
}
