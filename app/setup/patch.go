package setup

import (
	"encoding"
	"reflect"

	"daybook/app/catalog"
	"daybook/app/fault"
	about "daybook/app/field"
	"daybook/app/money"
	"daybook/app/text"
	"daybook/app/text/sms"
)

// patch is what the file says about one workspace, host, resource or event type.
type patch[T any] struct {
	at    at
	id    string // "" when not given
	key   string // the slug, e-mail or name that finds it when the id does not; "" when not given
	given map[string]at
	changes

	calendars []patch[catalog.LinkedCalendar] // of a host or a resource
	sender    *patch[text.ListedSender]       // of a workspace; nil when not given, or null
}

// changes are those of the fields of one thing, to which the functions get a pointer. It is apart from patch so that there
// is one of described, and of what it calls, instead of one for each type of a thing: 3 MB of the program.
type changes struct {
	set  []func(to any)
	last []func(to any) error // those that depend on other fields
}

// apply changes what to points to as the file says.
func (p *changes) apply(to any) error {
	for _, set := range p.set {
		set(to)
	}
	for _, set := range p.last {
		if err := set(to); err != nil {
			return err
		}
	}
	return nil
}

// require returns bad_request for the required fields that the file leaves out.
func (p *patch[T]) require(path string, r *about.Resource) error {
	var wrong mistakes
	for _, name := range r.Required() {
		if _, given := p.given[name]; !given {
			wrong.add(fault.Invalid(path+"."+name, "is required: this one is new"))
		}
	}
	return wrong.err()
}

// readPatches reads a list of at most that many things.
func readPatches[T any](v at, most int, to *[]patch[T], r *about.Resource) error {
	return v.list(most, func(v at) error {
		var p patch[T]
		err := p.read(v, r)
		*to = append(*to, p)
		return err
	})
}

// read reads a mapping with the fields that the description marks as InFile.
func (p *patch[T]) read(v at, r *about.Resource) error {
	p.at, p.given = v, map[string]at{}
	fields := p.fields(r)
	for name, read := range fields {
		fields[name] = func(v at) error {
			p.given[name] = v
			return read(v)
		}
	}
	return v.object(fields)
}

// fields returns the readers of the fields that the description marks as InFile.
func (p *patch[T]) fields(r *about.Resource) map[string]field {
	fields := map[string]field{}
	for _, f := range r.Fields {
		switch {
		case !f.InFile:
		case f.Name == "id":
			fields[f.Name] = keep(&p.id)
		case f.Key:
			fields[f.Name] = keep(&p.key)
		default:
			fields[f.Name] = described(&p.changes, new(T), f)
		}
	}
	if r == &catalog.HostFields || r == &catalog.ResourceFields {
		fields["calendars"] = func(v at) error {
			if v.null() {
				return nil
			}
			return readPatches(v, catalog.MaxLinkedCalendars, &p.calendars, &catalog.LinkedCalendarFields)
		}
	}
	if r == &catalog.WorkspaceFile {
		fields["textSender"] = func(v at) error {
			if v.null() {
				return nil
			}
			p.sender = new(patch[text.ListedSender])
			return p.sender.read(v, &text.ListedSenderFields)
		}
	}
	return fields
}

// field reads the value of one field.
type field func(at) error

// put returns the field that is read by read and set where to points.
func put[V any](p *changes, read func(at) (V, error), to func(any) *V) field {
	return func(v at) error {
		value, err := read(v)
		p.set = append(p.set, func(t any) { *to(t) = value })
		return err
	}
}

// keep returns a text that is kept in to.
func keep(to *string) field {
	return func(v at) (err error) {
		*to, err = readText[string](v)
		return err
	}
}

// described reads a field of what thing points to in the way of its type.
func described(p *changes, thing any, f about.Field) field {
	switch of := about.In(thing, f.Name); of.Interface().(type) {
	case *money.Money:
		return moneyField(p, within[*money.Money](f))
	case money.Money:
		return priceField(p, within[money.Money](f))
	case *int64:
		return put(p, readCount, within[*int64](f))
	case *money.Tax:
		return put(p, readTax, within[*money.Tax](f))
	case *money.Rate:
		return put(p, readRate, within[*money.Rate](f))
	case money.Rate:
		return put(p, orNull(readPercent), within[money.Rate](f))
	case []catalog.Question:
		return put(p, readQuestions, within[[]catalog.Question](f))
	case []catalog.HostRef: // by e-mail; planner.serve finds them, as they may be new
		return func(v at) error { _, err := readTexts(v); return err }
	case []catalog.Need: // planner.need finds their resources and hosts
		return func(v at) error { _, err := readNeeds(v); return err }
	case map[string][]string:
		return weekField(p, within[map[string][]string](f))
	case []catalog.Override:
		return put(p, readOverrides, within[[]catalog.Override](f))
	case []catalog.TimeOff:
		return timeOffField(p, within[[]catalog.TimeOff](f))
	case *catalog.Holidays:
		return put(p, readHolidays, within[*catalog.Holidays](f))
	case *catalog.RetentionRule:
		return put(p, orNull(readObject[catalog.RetentionRule](&catalog.RetentionFields)), within[*catalog.RetentionRule](f))
	case []catalog.AddOn:
		return put(p, readList[catalog.AddOn](catalog.MaxAddOns, &catalog.AddOnFields), within[[]catalog.AddOn](f))
	case []catalog.AddOnGroup:
		return put(p, readList[catalog.AddOnGroup](catalog.MaxAddOns, &catalog.AddOnGroupFields),
			within[[]catalog.AddOnGroup](f))
	case []catalog.ContactField:
		return put(p, readList[catalog.ContactField](catalog.MaxContactFields, &catalog.ContactFieldFields),
			within[[]catalog.ContactField](f))
	case []catalog.ConsentKind:
		return put(p, readList[catalog.ConsentKind](catalog.MaxConsentKinds, &catalog.ConsentKindFields),
			within[[]catalog.ConsentKind](f))
	case []catalog.Requirement:
		return put(p, readList[catalog.Requirement](catalog.MaxRequirements, &catalog.RequirementFields),
			within[[]catalog.Requirement](f))
	case []catalog.Part:
		return put(p, readList[catalog.Part](catalog.MaxParts, &catalog.PartFields), within[[]catalog.Part](f))
	case []catalog.MailWords:
		return put(p, readList[catalog.MailWords](catalog.MaxMailWords, &catalog.MailWordsFields), within[[]catalog.MailWords](f))
	case []catalog.TextWords:
		return put(p, readList[catalog.TextWords](catalog.MaxTextWords, &catalog.TextWordsFields), within[[]catalog.TextWords](f))
	case *catalog.TextSettings:
		return put(p, orNull(readObject[catalog.TextSettings](&catalog.TextSettingsFields)), within[*catalog.TextSettings](f))
	case *catalog.Accounts:
		return put(p, orNull(readObject[catalog.Accounts](&catalog.AccountsFields)), within[*catalog.Accounts](f))
	case []catalog.RevenueAccount:
		return put(p, readList[catalog.RevenueAccount](20, &catalog.RevenueAccountFields), within[[]catalog.RevenueAccount](f))
	case *catalog.PassTerms:
		return put(p, orNull(readObject[catalog.PassTerms](&catalog.PassTermsFields)), within[*catalog.PassTerms](f))
	case *catalog.Deposit:
		return put(p, orNull(readObject[catalog.Deposit](&catalog.DepositFields)), within[*catalog.Deposit](f))
	case *catalog.Where:
		return put(p, orNull(readObject[catalog.Where](&catalog.WhereFields)), within[*catalog.Where](f))
	case catalog.Limits:
		return limitsField(p, within[catalog.Limits](f))
	case catalog.PictureID:
		return put(p, readPicture, within[catalog.PictureID](f))
	case *sms.Template:
		return put(p, readTemplate, within[*sms.Template](f))
	case []catalog.Terms:
		return put(p, readTerms, within[[]catalog.Terms](f))
	case *int:
		return put(p, readMinutes, within[*int](f))
	case []int:
		return put(p, readWholes, within[[]int](f))
	default:
		return func(v at) (err error) {
			value := reflect.New(of.Type()).Elem()
			if !f.Clears || !v.null() {
				err = readInto(v, value)
			}
			p.set = append(p.set, func(t any) { about.In(t, f.Name).Set(value) })
			return err
		}
	}
}

// within finds the field, a V, in a thing.
func within[V any](f about.Field) func(any) *V {
	return func(t any) *V { return about.In(t, f.Name).Addr().Interface().(*V) }
}

// readInto reads a text, a number, a boolean or a list of texts.
func readInto(v at, to reflect.Value) error {
	switch to.Kind() {
	case reflect.Int, reflect.Int64:
		n, err := readWhole(v)
		to.SetInt(int64(n))
		return err
	case reflect.Bool:
		is, err := readBool(v)
		to.SetBool(is)
		return err
	case reflect.Slice:
		texts, err := readTexts(v)
		to.Set(reflect.MakeSlice(to.Type(), len(texts), len(texts)))
		for i, text := range texts {
			ref, isID := to.Index(i).Addr().Interface().(encoding.TextUnmarshaler)
			if !isID {
				to.Index(i).SetString(text)
			} else if wrong := ref.UnmarshalText([]byte(text)); wrong != nil {
				return v.wrong("has %q, which is no such id", text)
			}
		}
		return err
	}
	text, err := readText[string](v)
	if err == nil {
		to.SetString(text)
	}
	return err
}
