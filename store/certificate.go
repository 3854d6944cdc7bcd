package store

import (
	"daybook/app/when"
)

func (q queries) Certificate(name string) (sealed string, err error) {
	err = q.scan(`SELECT data FROM certificates WHERE name = ?`, []any{name}, &sealed)
	return sealed, found(err)
}

func (q queries) CertificateNames() (names []string, err error) {
	err = q.all(&names, `SELECT name FROM certificates ORDER BY name LIMIT 1000`)
	return names, err
}

func (t tx) SaveCertificate(name, sealed string, at when.Instant) error {
	_, err := t.exec(`INSERT INTO certificates (name, data, updated_ms) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET data = excluded.data, updated_ms = excluded.updated_ms`, name, sealed, at)
	return err
}

func (t tx) DeleteCertificate(name string) error {
	_, err := t.exec(`DELETE FROM certificates WHERE name = ?`, name)
	return err
}
