package account

import (
	"daybook/app/account"
	"daybook/app/when"
)

func (q Queries) OtherRateServers(but int64) (n int, err error) {
	err = q.Scan(`SELECT COUNT(*) FROM rate_servers WHERE server <> ?`, []any{but}, &n)
	return n, err
}

func (q Queries) KeyUses(after int64) (all []account.KeyUse, err error) {
	err = q.Each(`SELECT id, server, key_id, at_ms, n FROM key_uses WHERE id > ? ORDER BY id`, []any{after}, func(scan func(...any) error) error {
		var u account.KeyUse
		err := scan(&u.ID, &u.Server, &u.Key, &u.At, &u.N)
		all = append(all, u)
		return err
	})
	return all, err
}

func (t Tx) InsertRateServer(server int64) error {
	_, err := t.Exec(`INSERT INTO rate_servers (server) VALUES (?) ON CONFLICT (server) DO NOTHING`, server)
	return err
}

func (t Tx) DeleteRateServer(server int64) error {
	_, err := t.Exec(`DELETE FROM rate_servers WHERE server = ?`, server)
	return err
}

func (t Tx) InsertKeyUse(u account.KeyUse) error {
	_, err := t.Exec(`INSERT INTO key_uses (server, key_id, at_ms, n) VALUES (?, ?, ?, ?)`, u.Server, u.Key, u.At, u.N)
	return err
}

func (t Tx) PruneKeyUses(from, to when.Instant) error {
	if _, err := t.Exec(`DELETE FROM key_uses WHERE at_ms < ?`, from); err != nil {
		return err
	}
	_, err := t.Exec(`DELETE FROM key_uses WHERE at_ms > ?`, to)
	return err
}

func (t Tx) ForgetRates() error {
	if _, err := t.Exec(`DELETE FROM rate_servers`); err != nil {
		return err
	}
	_, err := t.Exec(`DELETE FROM key_uses`)
	return err
}
