package store

import "daybook/store/engine"

func (q queries) ServerValue(name string) (value string, err error) {
	err = q.Scan(`SELECT value FROM server_values WHERE name = ?`, []any{name}, &value)
	return value, engine.Found(err)
}

func (t tx) SetServerValue(name, value string) error {
	_, err := t.Exec(`INSERT INTO server_values (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE
		SET value = excluded.value`, name, value)
	return err
}

func (t tx) AddServerValue(name, value string) error {
	_, err := t.Exec(`INSERT INTO server_values (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`, name, value)
	return err
}

// SwapServerValue replaces the value under a name, and reports false if it was not the old one; "" is none.
func (t tx) SwapServerValue(name, old, value string) (bool, error) {
	query, args := `UPDATE server_values SET value = ? WHERE name = ? AND value = ?`, []any{value, name, old}
	if old == "" {
		query, args = `INSERT INTO server_values (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`,
			[]any{name, value}
	}
	n, err := t.Exec(query, args...)
	return n == 1, err
}

func (t tx) AddFirstUIDDomain(domain string) error {
	_, err := t.Exec(`INSERT INTO uid_domains (domain) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM uid_domains)`, domain)
	return err
}
