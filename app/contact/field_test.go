package contact_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/right"
)

// own are fields of each type.
func own() []catalog.ContactField {
	return []catalog.ContactField{
		{Key: "shoe", Label: "Shoe size", Type: catalog.NumberField},
		{Key: "since", Label: "Member since", Type: catalog.DateField},
		{Key: "skin", Label: "Skin", Type: catalog.ChoiceField, Options: []string{"Dry", "Oily"}},
		{Key: "dog", Label: "Dog", Type: catalog.TextField},
	}
}

func (w *world) fields(all []catalog.ContactField, deleteValues ...string) error {
	_, err := w.Shop.SetContactFields(w.T.Context(), w.Owner, all, deleteValues)
	return err
}

func (w *world) gives(ref string, fields map[string]any) error {
	_, err := w.changed(w.Owner, ref, booking.ContactInput{Fields: fields})
	return err
}

// has is what a contact has in the workspace's own fields.
func (w *world) has(ref string) string {
	w.T.Helper()
	c, err := w.People.ContactByID(w.T.Context(), w.Owner, ref)
	w.Must(err)
	return said(c.Fields)
}

// Values are kept by the type of their field, merged by key, and told to those who may see cards and to nobody else.
func TestOwnFields(t *testing.T) {
	w := newWorld(t, nil)
	if got := w.has(w.mias); got != `{}` {
		t.Error(got)
	}
	w.Must(w.fields(own()))
	w.Must(w.gives(w.mias, map[string]any{"shoe": 39.5, "since": "2020-02-29", "skin": "Dry", "dog": " Rex "}))
	if got := w.has(w.mias); got != `{"dog":"Rex","shoe":"39.5","since":"2020-02-29","skin":"Dry"}` {
		t.Error(got)
	}
	w.Must(w.gives(w.mias, map[string]any{"shoe": "-040,50", "since": nil, "dog": ""}))
	if got := w.has(w.mias); got != `{"shoe":"-40.5","skin":"Dry"}` {
		t.Error(got)
	}
	for key, wrong := range map[string][]any{"shoe": {"big", "1e5", "4.", ".5", "1,000,000", 1e300, "0.1234567", true},
		"since": {"29.02.2020", "2021-02-29", 5.0}, "skin": {"dry", "Normal"}, "dog": {strings.Repeat("x", 501), "two\nlines", []any{}},
		"show": {"39"}} {
		for _, value := range wrong {
			err := w.gives(w.mias, map[string]any{key: value})
			w.Refused(err, fault.BadRequest, "invalid")
			if e := fault.As(err); e == nil || e.Field != "fields."+key {
				t.Errorf("%s: %v is refused as %v", key, value, err)
			}
		}
	}
	if got := w.has(w.mias); got != `{"shoe":"-40.5","skin":"Dry"}` {
		t.Error(got)
	}

	key := app.Actor{Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: 5}
	withArea := key
	withArea.Areas = right.Contacts
	for name, x := range map[string]struct {
		a    app.Actor
		sees bool
	}{"key": {key, false}, "key with the area": {withArea, true}, "staff": {w.ana, true}, "manager": {w.manager, true}} {
		c, err := w.People.ContactByID(t.Context(), x.a, w.mias)
		w.Must(err)
		if got := strings.Contains(said(c), `"fields":{"shoe":"-40.5","skin":"Dry"}`); got != x.sees || !x.sees && c.Fields != nil {
			t.Errorf("%s: %s", name, said(c))
		}
	}
	for reason, a := range map[string]app.Actor{"area": key, "role": w.ana} {
		_, err := w.changed(a, w.mias, booking.ContactInput{Fields: map[string]any{"dog": "Bello"}})
		w.Refused(err, fault.Forbidden, reason)
	}
	_, _, err := w.People.CreateContact(t.Context(), key, booking.ContactInput{Name: "Di", Email: "di@x.example", Fields: map[string]any{"dog": "Bello"}})
	w.Refused(err, fault.Forbidden, "area")
	c, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Di", Email: "di@x.example", Fields: map[string]any{"dog": "Bello"}})
	w.Must(err)
	if c.Fields["dog"] != "Bello" {
		t.Error(said(c))
	}

	many := own()
	for len(many) < 20 {
		many = append(many, catalog.ContactField{Key: fmt.Sprint("f", len(many)), Label: "Another", Type: catalog.TextField})
	}
	w.Must(w.fields(many))
	if e := w.Refused(w.fields(append(many, catalog.ContactField{Key: "last", Label: "Last", Type: catalog.TextField})), fault.BadRequest, "invalid"); e.Field != "settings.contactFields" {
		t.Errorf("the 21st field: %+v", e)
	}
}

// A field keeps its key and type, an option that is removed stays with those who have it, and a field that is removed takes
// its values with it: for good, though the key is made anew, and only where they may go.
func TestOwnFieldsChange(t *testing.T) {
	w := newWorld(t, nil)
	w.Must(w.fields(own()))
	w.Must(w.gives(w.mias, map[string]any{"skin": "Dry", "dog": "Rex"}))
	w.Must(w.gives(w.cys, map[string]any{"dog": "Bello"}))

	other := own()
	other[2].Options = []string{"Normal", "Oily"}
	w.Must(w.fields(other))
	w.Must(w.gives(w.mias, map[string]any{"skin": "Dry"}))
	w.Refused(w.gives(w.cys, map[string]any{"skin": "Dry"}), fault.BadRequest, "invalid")
	other[3].Type = catalog.NumberField
	w.Refused(w.fields(other), fault.BadRequest, "invalid")

	err := w.fields(own()[:3])
	w.Refused(err, fault.Conflict, "field_values")
	if got := fault.As(err).DetailsObject()["values"]; got != 2 {
		t.Errorf("%v values", got)
	}
	settings := app.Actor{Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: 5, Areas: right.Settings}
	_, err = w.Shop.SetContactFields(t.Context(), settings, own()[:3], []string{"dog"})
	w.Refused(err, fault.Forbidden, "area")
	if got := w.has(w.mias); got != `{"dog":"Rex","skin":"Dry"}` {
		t.Error(got)
	}
	_, err = w.Shop.SetContactFields(t.Context(), w.ana, own(), nil)
	w.Refused(err, fault.Forbidden, "role")

	w.Must(w.fields(own()[:3], "dog"))
	if got := w.has(w.mias); got != `{"skin":"Dry"}` {
		t.Error(got)
	}
	w.Must(w.fields(own())) // the key is new, and so may its type be
	if got := w.has(w.mias) + w.has(w.cys); got != `{"skin":"Dry"}{}` {
		t.Error(got)
	}
	w.Must(w.gives(w.cys, map[string]any{"dog": "Waldi"}))
	other[3].Type = catalog.NumberField
	w.Refused(w.fields(other, "dog"), fault.BadRequest, "invalid") // it is not removed
	w.Must(w.fields(append(own()[:3:3], catalog.ContactField{Key: "cat", Label: "Cat", Type: catalog.TextField}), "dog"))
	w.Must(w.fields(other))
}

// Values of a removed field that are many are deleted in steps, and not seen meanwhile.
func TestOwnFieldsAreSwept(t *testing.T) {
	w := newWorld(t, nil)
	w.Must(w.fields(own()))
	w.Must(w.gives(w.mias, map[string]any{"dog": "Rex"}))
	const many = 1300
	var dog catalog.ContactFieldID
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error {
		w.Must(tx.LockWorkspace(w.Workspace.ID))
		ws, err := tx.Workspace(w.Workspace.ID)
		w.Must(err)
		_, dog = ws.Settings.ContactField("dog")
		for i := range many {
			c := booking.Contact{ID: booking.ContactID(1000 + i), WorkspaceID: ws.ID, Name: "N", Email: fmt.Sprintf("n%d@x.example", i)}
			w.Must(tx.InsertContact(&c))
			w.Must(tx.SetField(ws.ID, c.ID, dog, "dog", "marker-dog"))
		}
		return nil
	}))
	w.Must(w.fields(own()[:3], "dog"))
	r := w.Store.Reader(t.Context()).(contact.Reader)
	removed := func() int {
		all, err := r.RemovedFields(10)
		w.Must(err)
		return len(all)
	}
	prune := func() {
		for _, d := range w.Duties() {
			if d.Prune != nil {
				w.Must(d.Prune(t.Context()))
			}
		}
	}
	prune()
	if left, err := r.FieldValues(w.Workspace.ID, dog); left != 0 || err != nil {
		t.Errorf("%d values are left, %v", left, err)
	}
	if n := removed(); n != 0 {
		t.Errorf("%d fields are remembered", n)
	}
}

// A file that was read before a field was removed, and its key made anew, writes no value of either.
func TestImportWhileAFieldIsRemoved(t *testing.T) {
	w := newWorld(t, nil)
	w.Must(w.fields(own()))
	w.Must(w.gives(w.cys, map[string]any{"dog": "Bello"}))
	other := own()
	other[3].Type = catalog.NumberField
	res, err := w.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{
		File: []byte("Name,Email,Dog,Skin\nNoa,noa@x.example,Rex,Dry\nCy,cy@mail.example,Waldi,Oily\n"),
		Begun: func(contact.ImportID) {
			w.Must(w.fields(own()[:3], "dog"))
			w.Must(w.fields(other))
		}})
	w.Must(err)
	if res.Created+res.Changed != 2 {
		t.Errorf("%+v", res)
	}
	if n := w.count("contact_fields WHERE field_key = 'dog'"); n != 0 {
		t.Errorf("%d values of the removed field are kept", n)
	}
	if got := w.has(w.cys); got != `{"skin":"Oily"}` {
		t.Error(got)
	}
	undone, err := w.People.UndoImport(t.Context(), w.Owner, res.ID.String())
	if w.Must(err); undone.Undone != 2 {
		t.Errorf("%+v", undone)
	}
	if got := w.has(w.cys); got != `{}` {
		t.Error(got)
	}
}

// A merge keeps what both have, and deleting a contact leaves nothing.
func TestOwnFieldsMerge(t *testing.T) {
	w := newWorld(t, nil)
	w.Must(w.fields(own()))
	w.Must(w.gives(w.mias, map[string]any{"skin": "Dry", "dog": "Rex", "shoe": 39.0}))
	w.Must(w.gives(w.cys, map[string]any{"skin": "Oily", "shoe": "39"}))
	_, err := w.People.MergeContacts(t.Context(), w.manager, w.mias, w.cys)
	w.Must(err)
	if got := w.has(w.cys); got != `{"dog":"Rex","shoe":"39","skin":"Oily"}` {
		t.Error(got)
	}
	if got := w.entries(w.cys); len(got) != 1 || got[0] != "Mia\nSkin: Dry" {
		t.Errorf("%q", got)
	}
	for _, b := range []booking.Booking{w.mia, w.cy} {
		_, err = w.Cancel(t.Context(), w.Owner, b.ID.String(), booking.CancelInput{})
		w.Must(err)
	}
	w.Must(w.People.DeleteContact(t.Context(), w.Owner, w.cys))
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for key, id := range setup.Workspace.Settings.ContactFieldIDs {
		if n, err := w.Store.Reader(t.Context()).FieldValues(w.Workspace.ID, id); n != 0 || err != nil {
			t.Errorf("%d values of %s stay, %v", n, key, err)
		}
	}
}

// The file of an export is read again without a change, and its columns fill new contacts; known ones get what they lack.
// What fits no field is in the notes, and undoing takes all of it back.
func TestOwnFieldsImport(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	all := append(own(), catalog.ContactField{Key: "mobile2", Label: "Phone", Type: catalog.TextField},
		catalog.ContactField{Key: "allergy", Label: "Allergien", Type: catalog.TextField})
	w.Must(w.fields(all))
	w.Must(w.gives(w.mias, map[string]any{"skin": "Dry", "mobile2": "=0176", "allergy": "nuts"}))
	_, err := w.changed(w.Owner, w.mias, booking.ContactInput{Tags: []string{"vip"}, Birthday: new("1990-05-03"), TellBy: new("text")})
	w.Must(err)
	var file bytes.Buffer
	w.Must(w.People.ExportContacts(ctx, w.Owner, &file))
	head, _, _ := strings.Cut(file.String(), "\n")
	if !strings.HasSuffix(head, "tellBy,texts,Shoe size,Member since,Skin,Dog,Phone (mobile2),Allergien") {
		t.Error(head)
	}
	p, err := w.People.PreviewImport(ctx, w.Owner, contact.ImportInput{File: file.Bytes()})
	w.Must(err)
	if p.Same != 2 || p.Created+p.Changed+p.LeftOut() != 0 {
		t.Errorf("%+v", p.Imported)
	}

	rows := "Name;E-mail;Schlagworte;Geburtsdatum;Kontaktweg;Skin;SHOE;member since;Dog;Gruppe\n" +
		"Ed;ed@x.example;new, Öl;3.5.1991;SMS;oily;38,5;1/2/2020;Rex;a\n" +
		"Fi;fi@x.example;;someday;Pigeon;Green;big;soon;;b\n" +
		";" + w.mia.Invitee.Email + ";VIP,blond;01.01.1980;Anruf;Oily;41;;Bello;c\n" +
		";ed@x.example;third;;;;;;Waldi;d\n"
	preview, err := w.People.PreviewImport(ctx, w.Owner, contact.ImportInput{File: []byte(rows)})
	w.Must(err)
	noted := map[string]string{}
	for _, c := range preview.Columns {
		if c.Noted > 0 {
			noted[c.Heading] = fmt.Sprint(c.Noted, c.NotedAs)
		}
	}
	if got := fmt.Sprint(noted); got != "map[Geburtsdatum:1 [someday] Kontaktweg:1 [Pigeon] SHOE:1 [big] Skin:1 [Green] member since:1 [soon]]" {
		t.Errorf("to the notes go %s", got)
	}
	res, err := w.People.ImportContacts(ctx, w.Owner, contact.ImportInput{File: []byte(rows)})
	w.Must(err)
	if res.Created != 2 || res.Changed != 1 || res.LeftOut() != 0 {
		t.Errorf("%+v", res)
	}
	find := func(email string) booking.Contact {
		page, err := w.People.ContactsWith(ctx, w.Owner, email, "")
		w.Must(err)
		if len(page.Data) != 1 {
			t.Fatalf("%d with %s", len(page.Data), email)
		}
		return page.Data[0]
	}
	for email, want := range map[string]string{
		"ed@x.example": `"notes":"Dog: Waldi" "tags":["new","Öl","third"],"birthday":"1991-05-03","tellBy":"text","fields":{"dog":"Rex","shoe":"38.5","since":"2020-02-01","skin":"Oily"}`,
		"fi@x.example": `"notes":"Geburtsdatum: someday\nKontaktweg: Pigeon\nSkin: Green\nSHOE: big\nmember since: soon" "tags":[],"birthday":"","tellBy":"","fields":{}`,
		w.mia.Invitee.Email: `"notes":"" "tags":["blond","vip"],"birthday":"1980-01-01","tellBy":"call",` +
			`"fields":{"allergy":"nuts","dog":"Bello","mobile2":"=0176","shoe":"41","skin":"Oily"}`,
	} {
		got := said(find(email))
		for part := range strings.SplitSeq(want, ` "`) {
			if part = `"` + strings.TrimPrefix(part, `"`); !strings.Contains(got, part) {
				t.Errorf("%s: %s\nlacks %s", email, got, part)
			}
		}
	}
	w.Must(w.gives(find("fi@x.example").ID.String(), map[string]any{"dog": "Rex"}))
	im, err := w.People.UndoImport(ctx, w.Owner, res.ID.String())
	w.Must(err)
	if im.Undone != 2 || im.Stays != 1 { // Fi has a dog since
		t.Errorf("%+v", im)
	}
	if got := said(find(w.mia.Invitee.Email)); !strings.Contains(got, `"tags":["vip"],"birthday":"1990-05-03","tellBy":"text",`+
		`"fields":{"allergy":"nuts","mobile2":"=0176","skin":"Dry"}`) {
		t.Error(got)
	}
}
