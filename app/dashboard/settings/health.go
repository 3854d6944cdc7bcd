package settings

import (
	"daybook/app/upkeep"
	"daybook/app/when"
	"daybook/views/dash"
	"daybook/views/finding"
)

// tones are the colours of states.
var tones = map[finding.State]string{finding.OK: "good", finding.Warning: "warn", finding.Failed: "bad"}

// health shows how the server is.
func (c call) health() error {
	r, err := c.Subjects.Health.Report(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := dash.HealthPage{SettingsFrame: c.settingsFrame(c.T("health_tab"), dash.HealthPath), Keeps: r.Keeps,
		KeysNeeded: r.Keys.Needed}
	var failed []dash.HealthLine
	for i := range r.Findings {
		line := c.healthLine(&r.Findings[i])
		switch r.Findings[i].State {
		case finding.Failed:
			failed = append(failed, line)
		case finding.Warning:
			v.Wrong = append(v.Wrong, line)
		}
		v.All = append(v.All, line)
	}
	v.Wrong, v.Failed = append(failed, v.Wrong...), len(failed) > 0
	if !r.Keeps {
		return c.Show(200, dash.Health(v))
	}
	for i := range r.Replicas.Targets {
		v.Copies = append(v.Copies, c.replicaCopy(&r.Replicas.Targets[i]))
	}
	v.Verified = c.moment(r.Replicas.Verified)
	if r.Keys.Confirmed != 0 {
		v.Confirmed = c.T("health_keys_confirmed", "When", c.moment(r.Keys.Confirmed))
	}
	return c.Show(200, dash.Health(v))
}

func (c call) healthLine(f *finding.Finding) dash.HealthLine {
	return dash.HealthLine{Title: f.Title(c.Locale), Text: f.Message(c.Locale, c.Setup.Zone), Do: f.Advice(c.Locale),
		State: dash.Badge{Text: c.T("health_state_" + string(f.State)), Tone: tones[f.State]}}
}

func (c call) replicaCopy(t *upkeep.ReplicaTarget) dash.HealthCopy {
	return dash.HealthCopy{Name: t.Name, Synced: c.moment(t.Synced), Problem: t.Problem}
}

// moment returns a day and a time, and how long ago that was.
func (c call) moment(i when.Instant) string {
	text := finding.Moment(c.Locale, c.Setup.Zone, i)
	if i == 0 {
		return text
	}
	return text + " (" + c.Ago(i) + ")"
}

// confirmKeys notes that the keys are kept elsewhere.
func (c call) confirmKeys() error {
	if _, err := c.Posted(); err != nil {
		return err
	}
	if err := c.Subjects.Health.ConfirmKeys(c.Context(), c.Actor); err != nil {
		return err
	}
	return c.Redirect(dash.HealthPath, "saved")
}
