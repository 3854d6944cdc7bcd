package settings

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/movein"
	"daybook/app/movein/calcom"
	"daybook/app/movein/calendly"
	calls "daybook/app/movein/call"
	"daybook/app/movein/easyappointments"
	"daybook/app/when"
	"daybook/views/dash"
)

// program is one from which a business moves in by a key.
type program struct {
	key, name   string
	text, how   string // the keys of messages: what it needs, and where that is found
	address     string // its usual one
	example     string // of an address that members type; "" of Calendly, which has one
	addressHint string // the key of a message
	read        func(context.Context, calls.Server, func() time.Time) (*movein.Business, error)
}

var programs = []program{
	{"calcom", "Cal.com", "bring_by_key", "bring_how_calcom", "https://api.cal.com", "https://api.cal.com", "bring_address_calcom",
		func(ctx context.Context, s calls.Server, now func() time.Time) (*movein.Business, error) {
			return calcom.FromAPI(ctx, calcom.API{Base: s.Base, Key: s.Key, Client: s.Client}, now())
		}},
	{"easyappointments", "Easy!Appointments", "bring_by_address", "bring_how_easyappointments", "", "https://book.example.com", "",
		func(ctx context.Context, s calls.Server, now func() time.Time) (*movein.Business, error) {
			return easyappointments.Read(ctx, s, now())
		}},
	{"calendly", "Calendly", "bring_by_token", "bring_how_calendly", "", "", "",
		func(ctx context.Context, s calls.Server, now func() time.Time) (*movein.Business, error) {
			return calendly.Read(ctx, s, now())
		}},
}

func programOf(key string) *program {
	if i := slices.IndexFunc(programs, func(p program) bool { return p.key == key }); i >= 0 {
		return &programs[i]
	}
	return nil
}

func bringFrom(p *program) string {
	return web.WithQuery(dash.BringPath, url.Values{"from": {p.key}})
}

// bring shows the programs from which a business moves in, the form of one of them, or how far it has come.
func (c call) bring() error {
	job, runs, err := c.Subjects.MoveIn.JobOf(c.Actor)
	if err != nil {
		return err
	}
	q := c.URL.Query()
	if runs {
		return c.showBringRun(&job, nil)
	}
	if p := programOf(q.Get("from")); p != nil {
		return c.showBringForm(p, url.Values{"address": {p.address}}, nil)
	}
	v := c.bringPage()
	if q.Has("run") {
		v.Problem = c.T("bring_lost")
	}
	for i := range programs {
		p := &programs[i]
		v.Places = append(v.Places, dash.ConnectPlace{Name: p.name, Text: c.T(p.text), URL: bringFrom(p)})
	}
	v.Places = append(v.Places,
		dash.ConnectPlace{Name: c.T("bring_table"), Text: c.T("bring_table_text"), URL: dash.AppointmentsImportPath},
		dash.ConnectPlace{Name: c.T("bring_customers"), Text: c.T("bring_customers_text"), URL: dash.ContactsImportPath})
	return c.Show(http.StatusOK, dash.Bring(v))
}

func (c call) bringPage() dash.BringPage {
	return dash.BringPage{SettingsFrame: c.settingsFrame(c.T("bring_title"), dash.BringPath)}
}

func (c call) showBringForm(p *program, typed url.Values, e *fault.Error) error {
	v := dash.FormPage{Frame: c.Frame(c.T("bring_from_one", "Name", p.name), "settings"), BackURL: dash.BringPath, BackLabel: c.T("bring_title"),
		Intro: c.T(p.how) + " " + c.T("bring_promise"), Action: bringFrom(p), Submit: c.T("bring_look")}
	g := dash.Group{}
	if p.example != "" {
		in := dash.Input{Name: "address", Label: c.T("bring_address"), Kind: "url", Required: true, Placeholder: p.example}
		if p.addressHint != "" {
			in.Hint = c.T(p.addressHint)
		}
		g.Inputs = append(g.Inputs, in)
	}
	g.Inputs = append(g.Inputs, dash.Input{Name: "key", Label: c.T("bring_key"), Kind: "new-password", Required: true, Hint: c.T("bring_key_hint")}) // no browser offers the password of the dashboard
	v.Groups = []dash.Group{g}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Form(v))
}

// lookAtProgram begins to read a program.
func (c call) lookAtProgram() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	p := programOf(c.URL.Query().Get("from"))
	if p == nil {
		return c.Redirect(dash.BringPath, "")
	}
	from := calls.Server{Program: p.name, Base: c.Subjects.MoveIn.CalendlyAPI(), Key: strings.TrimSpace(form.Get("key")), Client: calls.LawfulClient(c.Subjects.MoveIn.Law())}
	if p.example != "" {
		from.Base = strings.TrimSpace(form.Get("address"))
	}
	var wrong error
	if from.Base == "" {
		wrong = fault.Invalid("address", "is required")
	} else if err := from.Check(); err != nil {
		wrong = fault.Invalid("address", "%v", err)
	}
	if from.Key == "" {
		wrong = fault.Join(wrong, fault.Invalid("key", "is required"))
	}
	if wrong != nil {
		return c.showBringForm(p, form, fault.As(wrong))
	}
	job, err := c.Subjects.MoveIn.LookAt(c.Context(), c.Actor, p.key, func(ctx context.Context) (*movein.Business, error) {
		return p.read(ctx, from, c.Subjects.Now)
	})
	if e := fault.As(err); e != nil && (e.Reason == "move_runs" || e.Code == fault.Unavailable) {
		return c.showBringForm(p, form, e)
	}
	if err != nil {
		return err
	}
	return c.toJob(job.ID)
}

func (c call) toJob(id string) error {
	return c.Redirect(web.WithQuery(dash.BringPath, url.Values{"run": {id}}), "")
}

// takeProgram takes over what was read.
func (c call) takeProgram() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	id := form.Get("run")
	err = c.Subjects.MoveIn.MoveLooked(c.Context(), c.Actor, id)
	e := fault.As(err)
	if e != nil && (e.Reason == "move_gone" || e.Code == fault.Unavailable) {
		if job, runs, err := c.Subjects.MoveIn.JobOf(c.Actor); err != nil || runs {
			return cmp.Or(err, c.showBringRun(&job, e))
		}
		err = nil
	}
	if err != nil {
		return err
	}
	return c.toJob(id)
}

// endProgram stops reading, or forgets what was read.
func (c call) endProgram() error {
	if err := c.Subjects.MoveIn.EndJob(c.Actor); err != nil {
		return err
	}
	return c.Redirect(dash.BringPath, "")
}

var bringParts = map[movein.Kind]string{movein.OfHost: "bring_part_host", movein.OfService: "bring_part_service",
	movein.OfCustomer: "bring_part_customer", movein.OfBooking: "bring_part_booking"}

var bringKinds = map[movein.Kind]string{movein.OfHost: "bring_kind_host", movein.OfHours: "bring_kind_hours", movein.OfService: "bring_kind_service",
	movein.OfCustomer: "bring_kind_customer", movein.OfBooking: "bring_kind_booking", movein.OfCalendar: "bring_kind_calendar",
	movein.OfProgram: "bring_kind_program"}

func (c call) showBringRun(job *movein.Job, e *fault.Error) error {
	name := job.Program
	if p := programOf(job.Program); p != nil {
		name = p.name
	}
	v := c.bringPage()
	v.Problem = c.Sentence(e)
	r := &dash.BringRun{ID: job.ID, Runs: job.Runs(), Stops: job.Stage == movein.Looking}
	v.Run, v.Live, v.Again = r, r.Runs, r.Runs
	if job.Wrong.Format != "" {
		r.Problem = c.Words(job.Wrong)
	}
	if r.Runs {
		r.Title, r.Text = c.T("bring_looking", "Name", name), c.T("bring_looking_text", "Name", name)
		if job.Stage == movein.Moving {
			r.Title, r.Text = c.T("bring_moving", "Name", name), c.T("import_runs_text")
		}
		if part := bringParts[job.Part]; part != "" && job.All > 0 {
			r.Part, r.Done, r.All = c.T("bring_part_of", "What", c.T(part), "Done", job.Done, "All", job.All), job.Done, job.All
		} else if part != "" {
			r.Part = c.T("bring_part_read", "What", c.T(part), "Count", job.Done)
		}
		return c.Show(web.RefusedStatus(e), dash.Bring(v))
	}
	m := &job.Report
	switch failed := r.Problem != ""; {
	case job.Stage == movein.Moved && failed:
		r.Title = c.T("bring_stopped", "Name", name)
	case job.Stage == movein.Moved:
		r.Title, r.Good = c.T("bring_moved", "Name", name), true
	case failed:
		r.Title = c.T("bring_unread", "Name", name)
		return c.Show(web.RefusedStatus(e), dash.Bring(v))
	default:
		r.Title, r.Text = c.T("bring_looked", "Name", name), c.T("bring_looked_text")
		if m.Hosts.New+m.Services.New+m.Customers.New+m.Upcoming+m.Moved > 0 {
			r.Submit = c.T("bring_submit")
		} else {
			r.Text = c.T("bring_nothing")
		}
	}
	c.bringReport(r, m)
	if job.Stage == movein.Moved {
		if m.ID != 0 {
			r.UndoURL = dash.ImportPath(m.ID.String())
		}
		if m.Hosts.New > 0 {
			r.Notes = append(r.Notes, c.T("bring_invite"))
		}
	}
	return c.Show(web.RefusedStatus(e), dash.Bring(v))
}

// bringReport puts what was found or done into words.
func (c call) bringReport(r *dash.BringRun, m *movein.MovedBusiness) {
	for _, n := range []struct {
		key string
		n   int
	}{{"bring_hosts", m.Hosts.New}, {"movein_services_made", m.Services.New}, {"import_new", m.Customers.New}, {"movein_upcoming", m.Upcoming},
		{"bring_waiting", m.Waiting}, {"movein_moved", m.Moved}, {"movein_same", m.Same}, {"bring_hosts_known", m.Hosts.Known},
		{"bring_services_known", m.Services.Known}, {"import_same", m.Customers.Known}} {
		if n.n > 0 {
			r.Counts = append(r.Counts, c.T(n.key, "Count", n.n))
		}
	}
	const most = 100
	type thing struct {
		kind     movein.Kind
		id, name string
		start    when.Instant
	}
	at := map[thing]int{}
	for _, l := range m.Left {
		why := c.Words(l.Why)
		key := thing{l.Kind, l.ID, l.Name, l.Start}
		if i, met := at[key]; met {
			if i < most {
				r.Left[i].Why = append(r.Left[i].Why, why)
			}
			continue
		}
		at[key] = len(at)
		if len(r.Left) == most {
			r.More++
			continue
		}
		x := dash.BringLeft{Kind: c.T(bringKinds[l.Kind]), Name: short(l.Name), Why: []string{why}}
		if l.Start != 0 {
			x.Name += ", " + c.Day(c.At(l.Start)) + ", " + c.Clock(l.Start)
		}
		r.Left = append(r.Left, x)
	}
	for i, w := range m.Webhooks {
		if i == most {
			r.MoreHooks = len(m.Webhooks) - most
			break
		}
		text := c.T("bring_webhook", "Of", short(w.Of), "There", short(strings.Join(w.There, ", ")))
		if len(w.Events) == 0 {
			text += " " + c.T("bring_webhook_none")
		} else {
			text += " " + c.T("bring_webhook_events", "Events", strings.Join(w.Events, ", "))
		}
		if !w.Active {
			text += " " + c.T("bring_webhook_off")
		}
		r.Webhooks = append(r.Webhooks, dash.BringWebhook{URL: w.URL, Text: text})
	}
}
