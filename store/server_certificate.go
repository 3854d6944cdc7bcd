// The SQL of what the servers of a database share: certificates and values.

package store

import (
	"daybook/app/when"
	"daybook/store/engine"
)

func (q queries) Certificate(name string) (sealed string, err error) {
	err = q.Scan(`SELECT data FROM certificates WHERE name = ?`, []any{name}, &sealed)
	return sealed, engine.Found(err)
}

func (q queries) CertificateNames() (names []string, err error) {
	err = q.All(&names, `SELECT name FROM certificates ORDER BY name LIMIT 1000`)
	return names, err
}

func (t tx) SaveCertificate(name, sealed string, at when.Instant) error {
	_, err := t.Exec(`INSERT INTO certificates (name, data, updated_ms) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET data = excluded.data, updated_ms = excluded.updated_ms`, name, sealed, at)
	return err
}

func (t tx) DeleteCertificate(name string) error {
	_, err := t.Exec(`DELETE FROM certificates WHERE name = ?`, name)
	return err
}

func (t tx) TakeCertificateOrder(name string, server int64, now, until when.Instant) (bool, error) {
	n, err := t.Exec(`INSERT INTO certificate_orders (name, server, until_ms) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET server = excluded.server, until_ms = excluded.until_ms
		WHERE certificate_orders.server = excluded.server OR certificate_orders.until_ms <= ?
		OR certificate_orders.until_ms > ?`,
		name, server, until, now, until+until-now)
	return n == 1, err
}

func (t tx) EndCertificateOrder(name string) error {
	_, err := t.Exec(`DELETE FROM certificate_orders WHERE name = ?`, name)
	return err
}
