package store

import (
	"strings"

	"daybook/app/catalog"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package webhook reads and writes is here.
var (
	_ webhook.Reader = queries{}
	_ webhook.Reader = tx{}
	_ webhook.Tx     = tx{}
)

const endpointColumns = `id, workspace_id, url, kinds, secret, COALESCE(previous_secret, ''), previous_until_ms,
	enabled,
	COALESCE(disabled_reason, ''), disabled_ms, failing_since_ms, created_ms`

func scanEndpoint(scan func(...any) error) (e webhook.Endpoint, err error) {
	var kinds string
	err = scan(&e.ID, &e.WorkspaceID, &e.URL, &kinds, &e.Secret, &e.PreviousSecret, engine.OrZero(&e.PreviousUntil),
		&e.Enabled,
		&e.DisabledReason, engine.OrZero(&e.DisabledAt), engine.OrZero(&e.FailingSince), &e.CreatedAt)
	e.Events = splitKinds(kinds)
	return e, engine.Found(err)
}

func splitKinds(text string) (kinds []catalog.EventKind) {
	for kind := range strings.SplitSeq(text, ",") {
		kinds = append(kinds, catalog.EventKind(kind))
	}
	return kinds
}

func joinKinds(kinds []catalog.EventKind) string {
	texts := make([]string, len(kinds))
	for i, k := range kinds {
		texts[i] = string(k)
	}
	return strings.Join(texts, ",")
}

func (q queries) Endpoint(id catalog.EndpointID) (webhook.Endpoint, error) {
	return scanEndpoint(q.One(`SELECT `+endpointColumns+` FROM webhook_endpoints WHERE id = ? AND deleted_ms IS NULL`, id))
}

func (q queries) Endpoints(ws catalog.WorkspaceID, limit int) (all []webhook.Endpoint, err error) {
	const query = `SELECT ` + endpointColumns +
		` FROM webhook_endpoints WHERE workspace_id = ? AND deleted_ms IS NULL ORDER BY id LIMIT ?`
	err = q.Each(query, []any{ws, limit}, func(scan func(...any) error) error {
		e, err := scanEndpoint(scan)
		all = append(all, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range all {
		d, err := q.Deliveries(ws, webhook.DeliveryFilter{Endpoint: all[i].ID, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(d) > 0 {
			all[i].LatestDelivery = &d[0]
		}
	}
	return all, nil
}

func (q queries) Subscriptions(ws catalog.WorkspaceID) (all []catalog.Subscription, err error) {
	const query = `SELECT id, kinds FROM webhook_endpoints WHERE workspace_id = ? AND enabled = 1 AND deleted_ms IS NULL
		ORDER BY id`
	err = q.Each(query, []any{ws}, func(scan func(...any) error) error {
		var s catalog.Subscription
		var kinds string
		err := scan(&s.Endpoint, &kinds)
		s.Kinds = splitKinds(kinds)
		all = append(all, s)
		return err
	})
	return all, err
}

func (t tx) InsertEndpoint(e *webhook.Endpoint) error {
	_, err := t.Exec(`INSERT INTO webhook_endpoints (id, workspace_id, url, kinds, secret, enabled, created_ms)
		VALUES (?, ?, ?, ?, ?, 1, ?)`,
		e.ID, e.WorkspaceID, e.URL, joinKinds(e.Events), e.Secret, e.CreatedAt)
	if err != nil {
		return err
	}
	return Touch(t.Transaction, e.WorkspaceID)
}

func (t tx) UpdateEndpoint(e *webhook.Endpoint) error {
	_, err := t.Exec(`UPDATE webhook_endpoints SET url = ?, kinds = ?, secret = ?, previous_secret = ?,
		previous_until_ms = ?, enabled = ?, disabled_reason = ?, disabled_ms = ?, deleted_ms = ?
		WHERE id = ? AND workspace_id = ?`,
		e.URL, joinKinds(e.Events), e.Secret, engine.OrNull(e.PreviousSecret), engine.OrNull(e.PreviousUntil), e.Enabled,
		engine.OrNull(e.DisabledReason), engine.OrNull(e.DisabledAt), engine.OrNull(e.DeletedAt), e.ID, e.WorkspaceID)
	if err != nil {
		return err
	}
	return Touch(t.Transaction, e.WorkspaceID)
}

func (t tx) SaveFailing(ws catalog.WorkspaceID, id catalog.EndpointID, since when.Instant) error {
	_, err := t.Exec(`UPDATE webhook_endpoints SET failing_since_ms = ? WHERE id = ? AND workspace_id = ?`,
		engine.OrNull(since), id, ws)
	return err
}

const pruneEndpointsQuery = `DELETE FROM webhook_endpoints WHERE id IN (SELECT e.id FROM webhook_endpoints e
	WHERE e.deleted_ms IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.endpoint_id = e.id) LIMIT ?)`

func (t tx) PruneEndpoints(limit int) (int, error) {
	n, err := t.Exec(pruneEndpointsQuery, limit)
	return int(n), err
}
