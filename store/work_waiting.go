package store

import (
	"daybook/app/upkeep/health"
	"daybook/app/when"
)

// waiting returns the query for how many rows are due that no server works at, at most some, and since when the first is.
func (q queue) waiting() string {
	whose := q.whose()
	if q.table == deliveryQueue.table { // those of deleted workspaces have none
		whose = `endpoint_id NOT IN (SELECT id FROM webhook_endpoints WHERE workspace_id IN (SELECT id FROM workspaces
			WHERE suspended_ms IS NOT NULL))`
	}
	return `SELECT COUNT(*), COALESCE(MIN(due_ms), 0) FROM (SELECT due_ms FROM ` + q.table + ` WHERE due_ms <= ?` + q.waits +
		` AND ` + q.claimed + ` = 0 AND ` + whose + ` ORDER BY due_ms LIMIT ?) due`
}

func (q queries) WaitingWork(now when.Instant, most int) (all []health.Waiting, err error) {
	for _, of := range queues {
		w := health.Waiting{Queue: of.name}
		if err := q.Scan(of.waiting(), []any{now, most}, &w.Due, &w.Since); err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

func (q queries) LastChange() (number int64, err error) {
	// What was deleted with a workspace is no more in the history, but mails have followed it.
	err = q.Scan(`SELECT MAX(n) FROM (SELECT MAX(number) AS n FROM booking_history UNION ALL
		SELECT last_number FROM followers WHERE name = 'mail' UNION ALL SELECT 0) numbers`, nil, &number)
	return number, err
}
