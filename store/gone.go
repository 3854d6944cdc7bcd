package store

import (
	"errors"
	"slices"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/store/engine"
)

// someOf deletes some rows of a table that has an id.
func someOf(table, where string) string {
	return `DELETE FROM ` + table + ` WHERE id IN (SELECT id FROM ` + table + ` WHERE ` + where + ` LIMIT ?)`
}

// someBy is someOf for a table whose key is another.
func someBy(table, key string) string {
	return `DELETE FROM ` + table + ` WHERE (` + key + `) IN (SELECT ` + key + ` FROM ` + table +
		` WHERE workspace_id = ? LIMIT ?)`
}

// markGone is what ends at once: whatever lets somebody in, and whatever sends or charges. It begins with the locks of
// all hosts: who had one of them has saved its booking by then, and who gets one later finds the workspace gone. So
// nothing is added to bookings that sweeps delete.
var markGone = []string{
	`UPDATE hosts SET lock = lock + 1 WHERE workspace_id = ?`,
	`DELETE FROM push_subscriptions WHERE workspace_id = ?`,
	`DELETE FROM push_keys WHERE workspace_id = ?`,
	`DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE workspace_id = ?)`,
	`DELETE FROM invitations WHERE user_id IN (SELECT id FROM users WHERE workspace_id = ?)`,
	`DELETE FROM oauth_grants WHERE workspace_id = ?`,
	`DELETE FROM users WHERE workspace_id = ?`, // and with them their factors
	`DELETE FROM calendar_feeds WHERE workspace_id = ?`,
	`DELETE FROM own_links WHERE workspace_id = ?`, `DELETE FROM own_devices WHERE workspace_id = ?`,
	`DELETE FROM waitlist_queue WHERE workspace_id = ?`, `DELETE FROM waitlist_entries WHERE workspace_id = ?`,
	`UPDATE calendar_connections SET secret = '', state = 'refused' WHERE workspace_id = ?`,
	`DELETE FROM calendar_watches WHERE workspace_id = ?`,
	`DELETE FROM calendar_clients WHERE workspace_id = ?`,
	`DELETE FROM calendar_sign_ins WHERE workspace_id = ?`,
	`DELETE FROM text_senders WHERE workspace_id = ?`, `DELETE FROM text_links WHERE workspace_id = ?`,
	`DELETE FROM mail_servers WHERE workspace_id = ?`, `DELETE FROM mail_checks WHERE workspace_id = ?`,
	`DELETE FROM retentions WHERE workspace_id = ?`,
	`DELETE FROM card_keys WHERE workspace_id = ?`, // nothing that is sealed on cards can be read any more
	`DELETE FROM payment_accounts WHERE workspace_id = ?`,
	`DELETE FROM cancellation_items WHERE workspace_id = ?`, `DELETE FROM cancellations WHERE workspace_id = ?`,
	`UPDATE webhook_endpoints SET enabled = 0, secret = '', previous_secret = NULL, deleted_ms = COALESCE(deleted_ms,
		created_ms) WHERE workspace_id = ?`,
}

func (q queries) HasGone() (has bool, err error) {
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM erasures) OR EXISTS (SELECT 1 FROM workspaces WHERE gone_ms IS NOT NULL)`,
		nil, &has)
	return has, err
}

func (t tx) MarkWorkspaceGone(id catalog.WorkspaceID, now when.Instant) error {
	for _, query := range markGone {
		if _, err := t.Exec(query, id); err != nil {
			return err
		}
	}
	_, err := t.Exec(`UPDATE workspaces
		SET gone_ms = ?, slug = 'deleted:' || id, name = '', link_key = '', settings = '{}', revision = revision + 1
		WHERE id = ?`, now, id)
	return err
}

// sweeps delete at most some rows of a workspace each, what refers before what is referred to (TestSweep).
var sweeps = []string{
	someOf(`audit_log`, `workspace_id = ?`),
	someOf(`push_queue`, `workspace_id = ?`), someOf(`push_subscriptions`, `workspace_id = ?`),
	`DELETE FROM push_keys WHERE workspace_id = ? AND ? > 0`,
	`DELETE FROM picture_widths WHERE (workspace_id, picture_id, width) IN (SELECT workspace_id, picture_id, width
		FROM picture_widths WHERE workspace_id = ? LIMIT CAST(? AS BIGINT) / 20 + 1)`, // large rows
	someOf(`pictures`, `workspace_id = ?`), someOf(`mails`, `workspace_id = ?`),
	someOf(`deliveries`, `endpoint_id IN (SELECT id FROM webhook_endpoints WHERE workspace_id = ?)`),
	someOf(`events`, `workspace_id = ?`), someOf(`webhook_endpoints`, `workspace_id = ?`),
	`DELETE FROM answers WHERE (/* apart workspace_id, */ key_id, idempotency_key) IN
		(SELECT /* apart a.workspace_id, */ a.key_id, a.idempotency_key FROM api_keys k
		JOIN answers a ON a.key_id = k.id /* apart AND a.workspace_id = k.workspace_id */ WHERE k.workspace_id = ?
		LIMIT ?)`,
	someOf(`api_keys`, `workspace_id = ?`),
	`DELETE FROM sessions WHERE hash IN (SELECT s.hash FROM users u JOIN sessions s ON s.user_id = u.id
		WHERE u.workspace_id = ? LIMIT ?)`,
	`DELETE FROM invitations WHERE user_id IN (SELECT i.user_id FROM users u JOIN invitations i ON i.user_id = u.id
		WHERE u.workspace_id = ? LIMIT ?)`,
	someOf(`oauth_grants`, `workspace_id = ?`),
	`DELETE FROM factor_rules WHERE workspace_id = ? AND ? > 0`,
	someOf(`passkeys`, `workspace_id = ?`),
	someBy(`authenticators`, `workspace_id, user_id`),
	someBy(`recovery_codes`, `workspace_id, user_id, hash`),
	someOf(`users`, `workspace_id = ?`),
	`DELETE FROM mail_servers WHERE workspace_id = ? AND ? > 0`,
	`DELETE FROM mail_checks WHERE workspace_id = ? AND ? > 0`,
	`DELETE FROM retentions WHERE workspace_id = ? AND ? > 0`,
	`DELETE FROM text_senders WHERE workspace_id = ? AND ? > 0`, someBy(`text_links`, `workspace_id, hash`),
	someOf(`texts`, `workspace_id = ?`), someOf(`text_messages`, `workspace_id = ?`), someOf(`text_calls`, `workspace_id = ?`),
	someBy(`contact_texts`, `workspace_id, contact_id, phone`), someBy(`text_numbers`, `workspace_id, phone`),
	someBy(`text_months`, `workspace_id, month`), someBy(`text_visits`, `workspace_id, of_id, at_ms`),
	someBy(`mail_refusals`, `workspace_id, email_key, topic`),
	someOf(`calendar_feeds`, `workspace_id = ?`),
	someBy(`calendar_copies`, `workspace_id, booking_id, calendar_id`),
	someBy(`calendar_items`, `workspace_id, calendar_id, item`),
	someBy(`calendar_watches`, `workspace_id, calendar_id`),
	someOf(`calendars`, `workspace_id = ?`), someOf(`calendar_connections`, `workspace_id = ?`),
	`DELETE FROM calendar_clients WHERE workspace_id = ? AND ? > 0`,
	`DELETE FROM calendar_sign_ins WHERE workspace_id = ? AND ? > 0`,
	someBy(`busy_times`, `workspace_id, host_id, busy_start_ms`),
	someBy(`resource_busy_times`, `workspace_id, resource_id, busy_start_ms`),
	someBy(`hold_spans`, `workspace_id, hold_id, kind, subject_id, busy_start_ms`), someOf(`holds`, `workspace_id = ?`),
	someBy(`booking_spans`, `workspace_id, booking_id, kind, subject_id, busy_start_ms`),
	someBy(`booking_others`, `workspace_id, booking_id, host_id`),
	someBy(`series_bookings`, `workspace_id, series_id, booking_id`), someOf(`series`, `workspace_id = ?`),
	someBy(`imported_bookings`, `workspace_id, source, foreign_id`),
	someBy(`imported_parts`, `workspace_id, source, kind, foreign_id`),
	someBy(`cancellation_items`, `workspace_id, cancellation_id, booking_id`), someOf(`cancellations`, `workspace_id = ?`),
	someBy(`import_contacts`, `workspace_id, import_id, contact_id`),
	someBy(`import_bookings`, `workspace_id, import_id, booking_id`),
	someBy(`import_services`, `workspace_id, import_id, event_type_id`),
	someBy(`import_people`, `workspace_id, import_id, host_id`), someOf(`imports`, `workspace_id = ?`),
	someOf(`invitation_links`, `workspace_id = ?`), someOf(`guest_requests`, `workspace_id = ?`),
	someOf(`waitlist_queue`, `workspace_id = ?`), someOf(`waitlist_entries`, `workspace_id = ?`),
	someOf(`payment_jobs`, `workspace_id = ?`), someOf(`checkouts`, `workspace_id = ?`),
	someOf(`payments`, `workspace_id = ?`),
	`DELETE FROM payment_cards WHERE booking_id IN (SELECT booking_id FROM payment_cards WHERE workspace_id = ? LIMIT ?)`,
	someBy(`provider_events`, `workspace_id, id`),
	`DELETE FROM payment_accounts WHERE workspace_id = ? AND ? > 0`,
	someOf(`day_closes`, `workspace_id = ?`), someOf(`receipts`, `workspace_id = ?`),
	someOf(`counter_entries`, `workspace_id = ?`),
	someBy(`pass_codes`, `workspace_id, hash`), someOf(`pass_entries`, `workspace_id = ?`), someOf(`passes`, `workspace_id = ?`),
	someOf(`voucher_orders`, `workspace_id = ?`),
	someBy(`sale_bookings`, `workspace_id, booking_id, sale_id`), someOf(`sales`, `workspace_id = ?`),
	someBy(`receipt_counters`, `workspace_id, year`),
	`DELETE FROM erasures WHERE contact_id IN (SELECT contact_id FROM erasures WHERE workspace_id = ? LIMIT ?)`,
	someBy(`contact_terms`, `workspace_id, term, contact_id`), someBy(`contact_tags`, `workspace_id, tag_key, contact_id`),
	someBy(`contact_fields`, `workspace_id, contact_id, field_id`), someBy(`booking_fields`, `workspace_id, booking_id, field_id`),
	someBy(`removed_fields`, `workspace_id, field_id`), someOf(`contact_entries`, `workspace_id = ?`),
	someBy(`own_links`, `workspace_id, hash`), someBy(`own_devices`, `workspace_id, hash`),
	`DELETE FROM contact_file_parts WHERE (workspace_id, file_id, part) IN (SELECT workspace_id, file_id, part
		FROM contact_file_parts WHERE workspace_id = ? LIMIT CAST(? AS BIGINT) / 20 + 1)`, // large rows
	someOf(`contact_files`, `workspace_id = ?`),
	someOf(`contact_health`, `workspace_id = ?`), someOf(`contact_consents`, `workspace_id = ?`),
	`DELETE FROM card_keys WHERE workspace_id = ? AND ? > 0`,
	someBy(`host_days`, `workspace_id, host_id, day`),
	someBy(`day_sums`, `workspace_id, from_ms`), `DELETE FROM day_sum_turns WHERE workspace_id = ? AND ? > 0`,
}

// sweepBookings and the rest come after sweeps; a booking goes together with its history.
const goneBookings = `SELECT id FROM bookings WHERE workspace_id = ? ORDER BY start_ms LIMIT ?`

var sweepBookings = []string{
	`DELETE FROM booking_history WHERE (/* apart workspace_id, */ booking_id) IN
		(SELECT /* apart workspace_id, */ id FROM bookings WHERE workspace_id = ? ORDER BY start_ms LIMIT ?)`,
	`DELETE FROM bookings WHERE id IN (` + goneBookings + `)`,
}

var sweepLast = []string{
	someBy(`day_marks`, `workspace_id, day, mark`), // each booking that was deleted left one
	someOf(`contacts`, `workspace_id = ?`), someOf(`event_types`, `workspace_id = ?`), someOf(`products`, `workspace_id = ?`),
	someOf(`hosts`, `workspace_id = ?`), someOf(`resources`, `workspace_id = ?`),
	`DELETE FROM workspaces WHERE id = ? AND ? > 0`,
}

// sideBySide is how many times as many rows a step may delete where no other write waits for it: each step asks every
// table before the first one with rows left, which is most of its work.
const sideBySide = 20

// SweepWorkspace keeps no record of how far it came: the first table with rows left is where it goes on.
func (t tx) SweepWorkspace(limit int) (more bool, err error) {
	if !t.Serial() {
		limit *= sideBySide
	}
	var id catalog.WorkspaceID
	err = engine.Found(t.Scan(`SELECT id FROM workspaces WHERE gone_ms IS NOT NULL LIMIT 1`, nil, &id))
	if errors.Is(err, fault.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, query := range sweeps {
		if n, err := t.Exec(query, id, limit); err != nil || n > 0 {
			return true, err
		}
	}
	if _, err := t.Exec(sweepBookings[0], id, limit); err != nil {
		return false, err
	}
	for _, query := range slices.Concat(sweepBookings[1:], sweepLast) {
		if n, err := t.Exec(query, id, limit); err != nil || n > 0 {
			return true, err
		}
	}
	return true, nil
}
