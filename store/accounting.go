package store

import (
	"daybook/app/accounting"
	"daybook/app/catalog"
	"daybook/app/payment"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package accounting reads is here, and beside what it is of.
var (
	_ accounting.Reader = queries{}
	_ accounting.Reader = tx{}
)

const onlineTakings = `SELECT ` + paymentColumns + ` FROM payments WHERE workspace_id = ?
	AND (status = 2 AND paid_ms >= ? AND paid_ms < ? OR refunded > 0) ORDER BY id`

func (q queries) OnlineTakings(ws catalog.WorkspaceID, from, to when.Instant) ([]payment.Record, error) {
	return engine.List(q, scanPayment, onlineTakings, ws, from, to)
}
