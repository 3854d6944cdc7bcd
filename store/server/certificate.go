// package server has the SQL of what the servers of a database share: certificates and values.
package server

import (
	"daybook/app/when"
	"daybook/store/engine"
	"daybook/store/row"
)

// Queries read, on the readers' pool or within a transaction.
type Queries struct{ *engine.Querier }

// Tx writes.
type Tx struct{ *engine.Transaction }

func (q Queries) Certificate(name string) (sealed string, err error) {
	err = q.Scan(`SELECT data FROM certificates WHERE name = ?`, []any{name}, &sealed)
	return sealed, row.Found(err)
}

func (q Queries) CertificateNames() (names []string, err error) {
	err = q.All(&names, `SELECT name FROM certificates ORDER BY name LIMIT 1000`)
	return names, err
}

func (t Tx) SaveCertificate(name, sealed string, at when.Instant) error {
	_, err := t.Exec(`INSERT INTO certificates (name, data, updated_ms) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET data = excluded.data, updated_ms = excluded.updated_ms`, name, sealed, at)
	return err
}

func (t Tx) DeleteCertificate(name string) error {
	_, err := t.Exec(`DELETE FROM certificates WHERE name = ?`, name)
	return err
}

func (t Tx) TakeCertificateOrder(name string, server int64, now, until when.Instant) (bool, error) {
	n, err := t.Exec(`INSERT INTO certificate_orders (name, server, until_ms) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET server = excluded.server, until_ms = excluded.until_ms
		WHERE certificate_orders.server = excluded.server OR certificate_orders.until_ms <= ?
		OR certificate_orders.until_ms > ?`,
		name, server, until, now, until+until-now)
	return n == 1, err
}

func (t Tx) EndCertificateOrder(name string) error {
	_, err := t.Exec(`DELETE FROM certificate_orders WHERE name = ?`, name)
	return err
}
