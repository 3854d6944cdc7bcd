package store

import (
	"cmp"
	"encoding/json"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/store/engine"
)

func (q queries) Hosts(ws catalog.WorkspaceID) (all []catalog.Host, err error) {
	const query = `SELECT id, email, name, time_zone, active, hours, profile, created_ms,
		EXISTS (SELECT 1 FROM calendar_connections c WHERE c.host_id = hosts.id) FROM hosts WHERE workspace_id = ?
		ORDER BY id`
	err = q.Each(query, []any{ws}, func(scan func(...any) error) error {
		h := catalog.Host{WorkspaceID: ws}
		var hours, about []byte
		if err := scan(&h.ID, &h.Email, &h.Name, &h.TimeZone, &h.Active, &hours, &about, &h.CreatedAt,
			&h.Connected); err != nil {
			return err
		}
		err := json.Unmarshal(hours, &h.Hours)
		if err == nil {
			err = readProfile(about, &h)
		}
		all = append(all, h)
		return err
	})
	if err == nil && slices.ContainsFunc(all, func(h catalog.Host) bool { return h.Connected }) {
		err = q.busy(ws, all)
	}
	return all, err
}

// busy reads when the hosts, by id, are busy by their other calendars.
func (q queries) busy(ws catalog.WorkspaceID, hosts []catalog.Host) error {
	const query = `SELECT host_id, busy_start_ms, busy_end_ms FROM busy_times WHERE workspace_id = ?
		ORDER BY host_id, busy_start_ms`
	i := 0
	return q.Integers(query, [][]int64{{int64(ws)}}, func(_ int, v []int64) {
		for i < len(hosts) && int64(hosts[i].ID) < v[0] {
			i++
		}
		if i < len(hosts) && int64(hosts[i].ID) == v[0] {
			hosts[i].Busy = append(hosts[i].Busy, slot.Span{Start: v[1], End: v[2]})
		}
	})
}

func (t tx) LockHosts(ws catalog.WorkspaceID, ids ...catalog.HostID) (l app.Locked, err error) {
	return t.LockTaken(ws, catalog.SubjectsOf(ids))
}

// profile is the column of that name.
type profile struct {
	About   string                  `json:"about,omitempty"`
	Picture catalog.PictureID       `json:"picture,omitzero"`
	Terms   []termsColumn           `json:"terms,omitempty"`
	Unknown catalog.CalendarUnknown `json:"whenCalendarUnknown,omitempty"` // "" is book
}

type termsColumn struct {
	EventType       catalog.EventTypeID `json:"eventType"`
	DurationMinutes *int                `json:"durationMinutes,omitempty"`
	Parts           []catalog.Part      `json:"parts,omitempty"`
	Price           *money.Money        `json:"price,omitempty"`
}

func readProfile(text []byte, h *catalog.Host) error {
	var p profile
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	h.About, h.Picture, h.WhenCalendarUnknown = p.About, p.Picture, cmp.Or(p.Unknown, catalog.BookAnyway)
	for _, t := range p.Terms {
		h.EventTypes = append(h.EventTypes,
			catalog.Terms{EventType: t.EventType, DurationMinutes: t.DurationMinutes, Parts: t.Parts, Price: t.Price})
	}
	return nil
}

// hostColumns returns the host's texts in JSON.
func hostColumns(h *catalog.Host) (hours, about string, err error) {
	p := profile{About: h.About, Picture: h.Picture}
	if h.WhenCalendarUnknown == catalog.RefuseUnknown {
		p.Unknown = catalog.RefuseUnknown
	}
	for _, t := range h.EventTypes {
		if t.EventType != 0 { // a set-up file's, whose event type isn't there yet
			p.Terms = append(p.Terms, termsColumn{t.EventType, t.DurationMinutes, t.Parts, t.Price})
		}
	}
	worked, err := json.Marshal(h.Hours)
	if err != nil {
		return "", "", err
	}
	told, err := json.Marshal(p)
	return string(worked), string(told), err
}

func (t tx) InsertHost(h *catalog.Host) error {
	hours, about, err := hostColumns(h)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO hosts (id, workspace_id, email_key, email, name, time_zone, active, hours, profile,
		created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		h.ID, h.WorkspaceID, fault.EmailKey(h.Email), h.Email, h.Name, h.TimeZone, h.Active, hours, about, h.CreatedAt)
	if err != nil {
		return engine.Free(err)
	}
	return Touch(t.Transaction, h.WorkspaceID)
}

func (t tx) UpdateHost(h *catalog.Host) error {
	hours, about, err := hostColumns(h)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE hosts SET days_ms = CASE WHEN time_zone = ? THEN days_ms ELSE 0 END,
		email_key = ?, email = ?, name = ?, time_zone = ?, active = ?, hours = ?, profile = ? WHERE id = ? AND workspace_id = ?`,
		h.TimeZone, fault.EmailKey(h.Email), h.Email, h.Name, h.TimeZone, h.Active, hours, about, h.ID, h.WorkspaceID)
	if err != nil {
		return engine.Free(err)
	}
	return Touch(t.Transaction, h.WorkspaceID)
}
