package store

import (
	"daybook/app"
	"daybook/app/account"
	"daybook/app/when"
)

func (q queries) RateServers() (all []account.RateServer, err error) {
	err = q.Each(`SELECT server, at_ms FROM rate_servers`, nil, func(scan func(...any) error) error {
		var s account.RateServer
		err := scan(&s.ID, &s.At)
		all = append(all, s)
		return err
	})
	return all, err
}

func (q queries) KeyUses(k app.KeyID, after int64) ([]account.KeyUse, error) {
	return q.keyUses(`WHERE key_id = ? AND id > ? ORDER BY id`, k, after)
}

func (q queries) KeyUsesSince(since when.Instant) ([]account.KeyUse, error) {
	return q.keyUses(`WHERE key_id IN (SELECT key_id FROM key_uses WHERE at_ms > ?) ORDER BY key_id, id`, since)
}

func (q queries) keyUses(where string, args ...any) (all []account.KeyUse, err error) {
	err = q.Each(`SELECT id, server, key_id, at_ms, n FROM key_uses `+where, args, func(scan func(...any) error) error {
		var u account.KeyUse
		err := scan(&u.ID, &u.Server, &u.Key, &u.At, &u.N)
		all = append(all, u)
		return err
	})
	return all, err
}

func (t tx) JoinRateServers(server int64, now when.Instant) error {
	if err := t.TouchRateServer(server, now); err != nil {
		return err
	}
	_, err := t.Exec(`UPDATE rate_servers SET at_ms = CASE WHEN at_ms >= ?
		AND at_ms < ? THEN at_ms + 1 ELSE CAST(? AS BIGINT) END
		WHERE server <> ?`, now, now+1000, now, server)
	return err
}

func (t tx) TouchRateServer(server int64, now when.Instant) error {
	_, err := t.Exec(`INSERT INTO rate_servers (server, at_ms) VALUES (?, ?)
		ON CONFLICT (server) DO UPDATE SET at_ms = excluded.at_ms`, server, now)
	return err
}

func (t tx) DeleteRateServer(server int64) error {
	_, err := t.Exec(`DELETE FROM rate_servers WHERE server = ?`, server)
	return err
}

func (t tx) LockKeyWindow(k app.KeyID) error {
	_, err := t.Exec(`INSERT INTO key_windows (key_id) VALUES (?)
		ON CONFLICT (key_id) DO UPDATE SET lock = key_windows.lock + 1`, k)
	return err
}

func (t tx) InsertKeyUse(u account.KeyUse) error {
	_, err := t.Exec(`INSERT INTO key_uses (server, key_id, at_ms, n) VALUES (?, ?, ?, ?)`, u.Server, u.Key, u.At, u.N)
	return err
}

func (t tx) PruneRates(from, to, servers when.Instant) error {
	if _, err := t.Exec(`DELETE FROM key_uses WHERE at_ms < ?`, from); err != nil {
		return err
	}
	if _, err := t.Exec(`DELETE FROM key_uses WHERE at_ms > ?`, to); err != nil {
		return err
	}
	_, err := t.Exec(`DELETE FROM rate_servers WHERE at_ms < ?`, servers)
	return err
}

func (t tx) ForgetRates() error {
	for _, table := range []string{"rate_servers", "key_uses", "key_windows"} {
		if _, err := t.Exec(`DELETE FROM ` + table); err != nil {
			return err
		}
	}
	return nil
}
