package today

import (
	"time"

	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/app/upkeep"
	"daybook/app/when"
	"daybook/views/dash"
)

const (
	replicaLate  = time.Hour    // that a copy may lack something before anybody is told: it makes up by itself
	replicaProof = 3 * when.Day // since the last test restore that went well; one is made every day
)

// replicaTrouble is what is wrong with the copies of the database elsewhere, for owners.
func (c call) replicaTrouble() (all []dash.Trouble, err error) {
	if !c.May(app.MayManagePayments) {
		return nil, nil
	}
	r, err := c.Rooms.Upkeep.Replicas(c.Context())
	if err != nil {
		return nil, err
	}
	now := when.At(c.Rooms.Now())
	for i := range r.Targets {
		if t := &r.Targets[i]; t.Problem != "" && t.Since < now.Add(-replicaLate) {
			all = append(all, c.lateReplica(t))
		}
	}
	switch {
	case r.Problem != "":
		all = append(all, dash.Trouble{Text: c.T("replica_trouble_test", "Problem", r.Problem), When: c.Ago(r.Tried)})
	case r.Verified != 0 && r.Verified < now.Add(-replicaProof):
		all = append(all, dash.Trouble{Text: c.T("replica_trouble_untested"), When: c.Ago(r.Verified)})
	}
	return all, nil
}

func (c call) lateReplica(t *upkeep.ReplicaTarget) dash.Trouble {
	since := c.T("replica_trouble_never")
	if t.Synced != 0 {
		since = c.T("replica_trouble_until", "When", c.Ago(t.Synced))
	}
	return dash.Trouble{Text: c.T("replica_trouble", "Name", web.HostOf(t.Name), "Problem", t.Problem), When: since}
}
