package settings

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views"
	"daybook/views/dash"
)

// fieldState is what a refused form left on the page of the workspace's own fields.
type fieldState struct {
	key   string // of the field whose form it was; "" of a new one
	typed url.Values
	wrong *fault.Error

	loses int // how many values of it go if it is removed, which is asked then
}

var (
	fieldTypes = map[catalog.ContactFieldType]string{catalog.TextField: "field_type_text", catalog.NumberField: "field_type_number",
		catalog.DateField: "field_type_date", catalog.ChoiceField: "field_type_choice"}
	onForms     = map[catalog.OnForm]string{catalog.Asked: "field_form_asked", catalog.MustBeGiven: "field_form_required"}
	fieldBadges = map[catalog.OnForm]string{catalog.Asked: "field_badge_asked", catalog.MustBeGiven: "field_badge_required"}
)

func (c call) fields() error { return c.showFields(fieldState{}) }

func (c call) showFields(s fieldState) error {
	v := dash.FieldsPage{SettingsFrame: c.settingsFrame(c.T("field_tab"), dash.FieldsPath)}
	all := c.Setup.Workspace.Settings.ContactFields
	for i := range all {
		f := &all[i]
		row := dash.FieldRow{Key: f.Key, Label: f.Label, Type: c.T(fieldTypes[f.Type]), Place: i + 1, Of: len(all)}
		if len(f.Options) > 0 {
			row.Type = c.Locale.Labelled(row.Type, strings.Join(f.Options, ", "))
		}
		if f.OnForm != "" {
			row.Form = c.T(fieldBadges[f.OnForm])
		}
		row.Groups = []dash.Group{{Inputs: c.fieldInputs(f)}}
		if s.wrong != nil && s.key == f.Key {
			v.Problem, row.Open = c.Fill(row.Groups, s.typed, s.wrong), true
		}
		for j := range row.Groups[0].Inputs { // a page has each name several times
			in := &row.Groups[0].Inputs[j]
			in.ID = fmt.Sprintf("%s-%d", in.Name, i)
		}
		row.Remove = dash.Danger{Title: c.T("field_remove"), Action: dash.FieldRemovePath(f.Key), Submit: c.T("field_remove_only"),
			Text: c.T("field_remove_first", "Name", f.Label)}
		if s.loses > 0 && s.key == f.Key {
			row.Remove.Open, row.Remove.Submit = true, c.T("field_remove_do")
			row.Remove.Text = c.T("field_remove_text", "Count", s.loses, "Name", f.Label)
			row.Remove.Hidden = []views.Pair{{Name: "deleteValues", Value: "on"}}
		}
		v.Rows = append(v.Rows, row)
	}
	if len(all) >= catalog.MaxContactFields {
		v.Full = c.T("field_full", "Count", len(all))
	} else {
		v.Groups = []dash.Group{{Inputs: c.fieldInputs(&catalog.ContactField{})}}
		if s.wrong == nil || s.key == "" {
			v.Problem = cmp.Or(c.Fill(v.Groups, s.typed, s.wrong), v.Problem)
		}
	}
	return c.Show(web.RefusedStatus(s.wrong), dash.OwnFields(v))
}

// fieldInputs are the form of a field, whose type is asked only of a new one.
func (c call) fieldInputs(f *catalog.ContactField) []dash.Input {
	all := []dash.Input{{Name: "label", Label: c.T("field_label"), Required: true, Value: f.Label, Half: true,
		Placeholder: c.T("field_label_example")}}
	if f.Key == "" {
		kind := dash.Input{Name: "type", Label: c.T("field_type"), Kind: "select", Half: true, Hint: c.T("field_type_hint"),
			Value: string(catalog.TextField)}
		for _, t := range catalog.ContactFieldTypes {
			kind.Options = append(kind.Options, dash.Option{Value: string(t), Label: c.T(fieldTypes[t])})
		}
		all = append(all, kind)
	}
	if f.Key == "" || f.Type == catalog.ChoiceField {
		all = append(all, dash.Input{Name: "options", Label: c.T("field_options"), Kind: "area", Rows: 3, Required: true,
			Hint:  c.T("field_options_hint"),
			Value: strings.Join(f.Options, "\n")})
	}
	form := dash.Input{Name: "onForm", Label: c.T("field_form"), Kind: "select", Half: true, Value: string(f.OnForm),
		Options: []dash.Option{{Value: "", Label: c.T("field_form_no")}}}
	for _, on := range catalog.OnForms {
		form.Options = append(form.Options, dash.Option{Value: string(on), Label: c.T(onForms[on])})
	}
	return append(all, form)
}

// typedField reads the form of a field.
func typedField(form url.Values, f catalog.ContactField) catalog.ContactField {
	f.Label, f.OnForm, f.Options = form.Get("label"), catalog.OnForm(form.Get("onForm")), nil
	if f.Type == catalog.ChoiceField {
		for option := range strings.Lines(form.Get("options")) {
			if option = strings.TrimSpace(option); option != "" {
				f.Options = append(f.Options, option)
			}
		}
	}
	return f
}

func (c call) addField() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	all := slices.Clone(c.Setup.Workspace.Settings.ContactFields)
	f := typedField(form, catalog.ContactField{Type: catalog.ContactFieldType(form.Get("type"))})
	f.Key = catalog.FreeKey(f.Label, "field", func(key string) bool {
		return slices.ContainsFunc(all, func(f catalog.ContactField) bool { return f.Key == key })
	})
	return c.setFields(append(all, f), fieldState{typed: form})
}

// changedField calls change with the fields and the place of the path's, and saves what it returns.
func (c call) changedField(s fieldState, change func(all []catalog.ContactField, at int) []catalog.ContactField, deleteValues ...string) error {
	all := slices.Clone(c.Setup.Workspace.Settings.ContactFields)
	s.key = c.PathValue("key")
	at := slices.IndexFunc(all, func(f catalog.ContactField) bool { return f.Key == s.key })
	if at < 0 {
		return fault.Missing("field", s.key)
	}
	return c.setFields(change(all, at), s, deleteValues...)
}

func (c call) setFields(all []catalog.ContactField, s fieldState, deleteValues ...string) error {
	was := c.Setup.Workspace.Settings.ContactFields
	_, err := c.Subjects.Shop.SetContactFields(c.Context(), c.Actor, all, deleteValues, func(now []catalog.ContactField) error {
		return fault.CheckETag(fault.ETag(append([]catalog.ContactField{}, was...)), fault.ETag(now), "list of fields")
	})
	if e := web.Refused(err); e != nil {
		s.wrong = e
		s.loses, _ = e.DetailsObject()["values"].(int)
		return c.showFields(s)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.FieldsPath, "saved")
}

func (c call) changeField() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	return c.changedField(fieldState{typed: form}, func(all []catalog.ContactField, at int) []catalog.ContactField {
		all[at] = typedField(form, all[at])
		return all
	})
}

// moveField moves one by so many places; what is no number moves nothing.
func (c call) moveField() error {
	by, _ := strconv.Atoi(c.PostFormValue("by"))
	return c.changedField(fieldState{}, func(all []catalog.ContactField, at int) []catalog.ContactField {
		to := min(max(at+min(max(by, -len(all)), len(all)), 0), len(all)-1)
		f := all[at]
		return slices.Insert(slices.Delete(all, at, at+1), to, f)
	})
}

// removeField asks before values go, with their number.
func (c call) removeField() error {
	var deletes []string
	if c.PostFormValue("deleteValues") == "on" {
		deletes = []string{c.PathValue("key")}
	}
	return c.changedField(fieldState{}, func(all []catalog.ContactField, at int) []catalog.ContactField {
		return slices.Delete(all, at, at+1)
	}, deletes...)
}

// ownInput is the name of the input of one of the workspace's own fields.
func ownInput(key string) string { return "fields." + key }

// ownGroup asks for the workspace's own fields of a contact; nothing where there are none.
func (c call) ownGroup(x *booking.Contact) dash.Group {
	g := dash.Group{Title: c.T("field_own")}
	for _, f := range c.Setup.Workspace.Settings.ContactFields {
		in := dash.Input{Name: ownInput(f.Key), Label: f.Label, Value: x.Fields[f.Key], Half: true}
		switch f.Type {
		case catalog.NumberField:
			in.Decimal, in.Value = true, c.Locale.Decimal(in.Value)
		case catalog.DateField:
			in.Kind = "date"
		case catalog.ChoiceField:
			in.Kind, in.Options = "select", []dash.Option{{Value: "", Label: "–"}}
			options := f.Options
			if in.Value != "" && !slices.Contains(options, in.Value) {
				options = append(slices.Clone(options), in.Value)
			}
			for _, option := range options {
				in.Options = append(in.Options, dash.Option{Value: option, Label: option})
			}
		}
		g.Inputs = append(g.Inputs, in)
	}
	return g
}

// ownFields reads what the form has of the workspace's own fields.
func ownFields(form url.Values, own []catalog.ContactField) map[string]any {
	var fields map[string]any
	for i := range own {
		if key := own[i].Key; form.Has(ownInput(key)) {
			if fields == nil {
				fields = map[string]any{}
			}
			fields[key] = form.Get(ownInput(key))
		}
	}
	return fields
}

// ownFacts are the values of the workspace's own fields.
func (k *card) ownFacts() (facts []dash.Fact) {
	for _, f := range k.Setup.Workspace.Settings.ContactFields {
		if value := k.x.Fields[f.Key]; value != "" {
			facts = append(facts, dash.Fact{Name: f.Label, Value: k.FieldText(&f, value)})
		}
	}
	return facts
}

// offers are what the customer wrote when they booked and that isn't on the card.
func (k *card) offers() (all []dash.FieldOffer, err error) {
	if !k.manages {
		return nil, nil
	}
	found, err := k.Subjects.People.FieldOffers(k.Context(), k.Actor, k.id)
	for i := range found {
		o := &found[i]
		value := k.FieldText(&o.Field, o.Value)
		offer := dash.FieldOffer{Key: o.Field.Key, Value: o.Value, Submit: k.T("field_take_over_one", "Name", o.Field.Label, "Value", value)}
		offer.Text = k.T("field_wrote", "Name", o.Field.Label, "Value", value, "Day", k.Day(k.At(o.Booked)))
		all = append(all, offer)
	}
	return all, err
}

func (c call) takeOver() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	id := c.PathValue("id")
	err = c.Subjects.People.TakeOver(c.Context(), c.Actor, id, form.Get("key"), form.Get("value"))
	if e := web.Refused(err); e != nil {
		x, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, id)
		if err != nil {
			return err
		}
		return c.showCard(&x, cardState{deleteWrong: e})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ContactPath(id), "saved")
}
