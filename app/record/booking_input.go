package record

import (
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// BookInput describes a new booking.
type BookInput struct {
	EventType string
	Start     string
	Invitee   Invitee
	Host      string
	Notes     string
	Answers   map[string]any
	Metadata  map[string]string
}

const (
	MaxRef           = 100  // characters of what names a thing, a slug or an id; every real one is shorter
	MaxNotes         = 2000 // characters of what the invitee writes
	MaxMetadata      = 50   // entries
	MaxMetadataValue = 500  // characters of one
)

// Check returns one bad_request with everything that no booking may have.
func (in *BookInput) Check() (start when.Instant, err error) {
	var p fault.Problems
	if in.EventType == "" {
		p.Add(fault.Invalid("eventType", "is required: the slug of an event type"))
	}
	in.EventType, err = fault.CheckLine("eventType", in.EventType, 1, MaxRef)
	p.Add(err)
	in.Host, err = fault.CheckLine("host", in.Host, 0, MaxRef)
	p.Add(err)
	start, err = ParseStart(in.Start)
	p.Add(err)
	p.Add(in.Invitee.Check())
	in.Notes, err = fault.CheckText("notes", in.Notes, MaxNotes)
	p.Add(err)
	p.Add(checkMetadata(in.Metadata))
	return start, p.Err()
}

// ParseStart parses the start of a booking. The error is bad_request.
func ParseStart(text string) (when.Instant, error) {
	if text == "" {
		return 0, fault.Invalid("start", "is required: an ISO 8601 time such as 2026-12-01T09:00:00Z")
	}
	start, err := when.ParseISO(text)
	if err != nil {
		return 0, fault.Invalid("start", "%v", err)
	}
	return start.Within(), nil // times beyond the limits are in_past or too_far anyway
}

func checkMetadata(m map[string]string) error {
	if len(m) > MaxMetadata {
		return fault.Invalid("metadata", "at most %d entries", MaxMetadata)
	}
	for key, value := range m {
		if !fault.KeyForm.MatchString(key) {
			return fault.Invalid("metadata", "the key %q must be 1 to 40 of a-z, A-Z, 0-9, - and _", key)
		}
		if _, err := fault.CheckText("metadata."+key, value, MaxMetadataValue); err != nil {
			return err
		}
	}
	return nil
}

// Problems returns everything that is wrong with what an invitee filled in, one error per field. The fields are
// invitee.name, invitee.email, notes and answers.<key>.
func (in BookInput) Problems(e *catalog.EventType) (all []*fault.Error) {
	add := func(err error) {
		if wrong := fault.As(err); wrong != nil {
			all = append(all, wrong)
		}
	}
	_, err := fault.CheckLine("invitee.name", in.Invitee.Name, 1, fault.MaxName)
	add(err)
	_, err = fault.CheckEmail("invitee.email", in.Invitee.Email)
	add(err)
	_, err = fault.CheckPhone("invitee.phone", in.Invitee.Phone)
	add(err)
	for i := range e.Questions {
		_, err = catalog.CheckAnswers(e.Questions[i:i+1], map[string]any{e.Questions[i].Key: in.Answers[e.Questions[i].Key]})
		add(err)
	}
	_, err = fault.CheckText("notes", in.Notes, MaxNotes)
	add(err)
	return all
}
