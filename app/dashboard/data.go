package dashboard

import (
	"archive/zip"
	"encoding/json"
	"io"
	"net/http"

	"daybook/app"
	"daybook/views"
)

const dataPath = settingsPath + "/data"

func (d *Door) data(c *call) error { return c.showData("", nil) }

func (c *call) showData(problem string, e *app.Error) error {
	w := &c.setup.Workspace
	v := views.SettingsPage{Dash: c.dash("Settings", "settings"), Tabs: c.settingsTabs("data"), Problem: problem}
	v.Lists = []views.SettingsList{{Title: "Take everything with you", Text: "The set-up, all contacts and all bookings with their history, as JSON files in a ZIP archive.",
		Rows: []views.SettingsRow{{Title: w.Slug + ".zip", Text: "setup.yaml, contacts.json, bookings.json", URL: ""}}}}
	v.Lists[0].Rows[0].Post, v.Lists[0].Rows[0].PostLabel = dataPath+"/export", "Download"
	v.Danger = []views.Danger{{Title: "Delete this workspace", Text: "Everything of " + w.Name + " is removed for good: bookings, contacts, members, keys. Download it first.",
		Action: dataPath + "/delete", Submit: "Delete everything", Inputs: []views.Input{{Name: "confirm", Label: "Type " + w.Slug + " to confirm", Required: true}}}}
	return c.show(refusedStatus(e), views.Settings(v))
}

// exportAll writes everything of the workspace as a ZIP archive, a page at a time.
func (d *Door) exportAll(c *call) error {
	setup, err := d.ExportSetup(c.setup.Workspace.Slug)
	if err != nil {
		return err
	}
	text, err := setup.YAML()
	if err != nil {
		return err
	}
	attach(c, c.setup.Workspace.Slug+".zip", "application/zip")
	archive := zip.NewWriter(c.ResponseWriter)
	if err := d.exportParts(c, archive, text); err != nil {
		return cut(c, err)
	}
	return archive.Close()
}

func (d *Door) exportParts(c *call, archive *zip.Writer, setup []byte) error {
	file, err := archive.Create("setup.yaml")
	if err != nil {
		return err
	}
	if _, err := file.Write(setup); err != nil {
		return err
	}
	limit := 100
	if file, err = archive.Create("contacts.json"); err != nil {
		return err
	}
	err = exportPages(file, func(cursor string) (app.Page[app.Contact], error) {
		return d.Contacts(c.Context(), c.actor, "", &limit, cursor)
	}, func(p app.Contact) (any, error) { return p, nil })
	if err != nil {
		return err
	}
	if file, err = archive.Create("bookings.json"); err != nil {
		return err
	}
	return exportPages(file, func(cursor string) (app.Page[app.Booking], error) {
		return d.Bookings(c.Context(), c.actor, app.ListBookingsInput{From: "1970-01-03", Limit: &limit, Cursor: cursor})
	}, func(b app.Booking) (any, error) {
		history, err := d.History(c.Context(), c.actor, b.ID.String())
		return struct {
			app.Booking
			History []app.HistoryEntry `json:"history"`
		}{b, history}, err
	})
}

// exportPages writes all rows of a list as one JSON array.
func exportPages[T any](to io.Writer, page func(cursor string) (app.Page[T], error), row func(T) (any, error)) error {
	out := json.NewEncoder(to)
	separator, cursor := "[\n", ""
	for {
		p, err := page(cursor)
		if err != nil {
			return err
		}
		for _, r := range p.Data {
			full, err := row(r)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(to, separator); err != nil {
				return err
			}
			if err := out.Encode(full); err != nil {
				return err
			}
			separator = ","
		}
		if p.NextCursor == nil {
			break
		}
		cursor = *p.NextCursor
	}
	if separator != "," {
		separator = "["
	} else {
		separator = ""
	}
	_, err := io.WriteString(to, separator+"]\n")
	return err
}

func (d *Door) deleteWorkspace(c *call) error {
	err := d.DeleteWorkspace(c.Context(), c.actor, c.PostFormValue("confirm"))
	if e := refused(err); e != nil {
		return c.showData(sentence(e), e)
	}
	if err != nil {
		return err
	}
	c.signOut()
	http.Redirect(c.ResponseWriter, c.Request, "/login", http.StatusSeeOther)
	return nil
}
