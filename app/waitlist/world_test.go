package waitlist_test

import (
	netmail "net/mail"
	"time"

	"daybook/app/catalog"
	"daybook/app/webhook"
	"daybook/app/when"
)

func whenAt(t time.Time) when.Instant { return when.At(t) }

func (w *world) from() netmail.Address { return netmail.Address{Address: "salon@mail.example"} }

// prunes does what the server does every minute.
func (w *world) prunes() {
	w.T.Helper()
	for _, d := range w.Duties() {
		if d.Prune != nil {
			w.Must(d.Prune(w.T.Context()))
		}
	}
}

// zone is that of the workspace.
func (w *world) zone() *time.Location {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	return setup.Zone
}

func (w *world) hosts() (all []catalog.HostID) {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	for i := range setup.Hosts {
		all = append(all, setup.Hosts[i].ID)
	}
	return all
}

// hooks makes an endpoint that names these events.
func (w *world) hooks(kinds ...string) {
	w.T.Helper()
	_, err := w.Webhook.CreateEndpoint(w.T.Context(), w.Owner, webhook.EndpointInput{URL: "https://hooks.example.com/x", Events: kinds})
	w.Must(err)
}

// told are the bodies of all events, by their order.
func (w *world) told() (bodies []string) {
	w.T.Helper()
	rows, err := w.rows().Query(`SELECT body FROM events WHERE kind LIKE 'waitlist.%' ORDER BY id`)
	w.Must(err)
	defer rows.Close()
	for rows.Next() {
		var body []byte
		w.Must(rows.Scan(&body))
		bodies = append(bodies, string(body))
	}
	w.Must(rows.Err())
	return bodies
}
