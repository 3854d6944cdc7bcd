package store

import (
	"encoding/json"
	"fmt"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/pass"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package pass reads and writes besides what the core does is here.
var (
	_ pass.Reader = queries{}
	_ pass.Tx     = tx{}
)

const (
	passColumns = `p.id, p.workspace_id, p.contact_id, p.sale_id, p.balance, p.ends_ms, p.blocked, p.content, (SELECT CASE WHEN
		c.sealed IS NULL THEN 2 ELSE 1 END FROM pass_codes c WHERE c.pass_id = p.id AND c.workspace_id = p.workspace_id
		AND c.ended_ms IS NULL)`
	onePass    = `SELECT ` + passColumns + ` FROM passes p WHERE p.id = ? AND p.workspace_id = ?`
	passByCode = `SELECT pass_id, ended_ms FROM pass_codes WHERE workspace_id = ? AND hash = ?`

	passEntryColumns = `id, workspace_id, pass_id, at_ms, delta, amount, booking_id, sale_id, takes_back, actor, actor_id`
	onePassEntry     = `SELECT ` + passEntryColumns + ` FROM pass_entries WHERE id = ? AND workspace_id = ?`
	passEntries      = `SELECT ` + passEntryColumns + ` FROM pass_entries WHERE pass_id = ? AND workspace_id = ? AND id > ? ORDER BY id LIMIT ?`

	// The comparison keeps a balance from going below zero whatever was read before.
	addToPass = `UPDATE passes SET balance = balance + CAST(? AS BIGINT) WHERE id = ? AND workspace_id = ?
		AND balance + CAST(? AS BIGINT) >= 0`
	sealedCode  = `SELECT pass_id, hash, sealed FROM pass_codes WHERE pass_id = ? AND workspace_id = ? AND ended_ms IS NULL AND sealed IS NOT NULL`
	hasCodes    = `SELECT COALESCE(MAX(1), 0) FROM (SELECT 1 FROM pass_codes WHERE workspace_id = ? AND ended_ms IS NULL LIMIT 1) c`
	sealedCodes = `SELECT pass_id, hash, sealed FROM pass_codes WHERE workspace_id = ? AND sealed IS NOT NULL`
)

func scanPass(scan func(...any) error) (p pass.Pass, err error) {
	var content []byte
	var contact booking.ContactID
	var id booking.PassID
	var ws catalog.WorkspaceID
	var sale booking.SaleID
	var balance int64
	var ends when.Instant
	var blocked bool
	var code int
	err = scan(&id, &ws, engine.OrZero(&contact), &sale, &balance, engine.OrZero(&ends), &blocked, &content, engine.OrZero(&code))
	if err != nil {
		return p, engine.Found(err)
	}
	if err := json.Unmarshal(content, &p); err != nil {
		return p, fmt.Errorf("pass %s: %w", id, err)
	}
	p.ID, p.WorkspaceID, p.SaleID, p.Balance, p.EndsAt, p.Stopped = id, ws, sale, balance, ends, blocked
	p.Code, p.ContactID = pass.CodeStates[code], nil
	if contact != 0 {
		p.ContactID = &contact
	}
	return p, nil
}

// Pass implements pass.Reads, as the methods below do.
func (q queries) Pass(ws catalog.WorkspaceID, id booking.PassID) (pass.Pass, error) {
	return scanPass(q.One(onePass, id, ws))
}

func (q queries) PassByCode(ws catalog.WorkspaceID, hash []byte) (p pass.Pass, current bool, err error) {
	var id booking.PassID
	var ended when.Instant
	if err := engine.Found(q.Scan(passByCode, []any{ws, hash}, &id, engine.OrZero(&ended))); err != nil {
		return p, false, err
	}
	p, err = q.Pass(ws, id)
	return p, ended == 0, err
}

func (q queries) Passes(ws catalog.WorkspaceID, f pass.Filter) ([]pass.Pass, error) {
	query, args := listPasses(ws, f)
	return engine.List(q, scanPass, query, args...)
}

// listPasses writes the SELECT of a list; the narrowest filter leads.
func listPasses(ws catalog.WorkspaceID, f pass.Filter) (query string, args []any) {
	query = `SELECT ` + passColumns + ` FROM passes p WHERE `
	add := func(term string, values ...any) { query, args = query+term, append(args, values...) }
	switch {
	case f.Sale != 0:
		add(`p.sale_id = ? AND +p.workspace_id = ?`, f.Sale, ws)
	case f.Contact != 0:
		add(`p.contact_id = ? AND +p.workspace_id = ?`, f.Contact, ws)
	default:
		add(`p.workspace_id = ?`, ws)
	}
	if f.Owed {
		add(` AND p.balance > 0 AND p.blocked = 0`)
	}
	if f.Before != 0 {
		add(` AND p.id < ?`, f.Before)
	}
	add(` ORDER BY p.id DESC LIMIT ?`, f.Limit)
	return query, args
}

func scanPassEntry(scan func(...any) error) (e pass.Entry, err error) {
	err = scan(&e.ID, &e.WorkspaceID, &e.PassID, &e.At, &e.Delta, &e.Amount, engine.OrZero(&e.BookingID), engine.OrZero(&e.SaleID),
		engine.OrZero(&e.TakesBack), &e.By, &e.ByID)
	return e, engine.Found(err)
}

func (q queries) PassEntries(ws catalog.WorkspaceID, id booking.PassID, after booking.PaymentID, limit int) ([]pass.Entry, error) {
	return engine.List(q, scanPassEntry, passEntries, id, ws, after, limit)
}

func (q queries) PassEntry(ws catalog.WorkspaceID, id booking.PaymentID) (pass.Entry, error) {
	return scanPassEntry(q.One(onePassEntry, id, ws))
}

func scanSealedCode(scan func(...any) error) (c pass.SealedCode, err error) {
	err = scan(&c.Pass, &c.Hash, &c.Sealed)
	return c, engine.Found(err)
}

func (q queries) SealedCode(ws catalog.WorkspaceID, id booking.PassID) (pass.SealedCode, error) {
	return scanSealedCode(q.One(sealedCode, id, ws))
}

func (q queries) SealedCodes(ws catalog.WorkspaceID) ([]pass.SealedCode, error) {
	return engine.List(q, scanSealedCode, sealedCodes, ws)
}

func (q queries) HasCodes(ws catalog.WorkspaceID) (has bool, err error) {
	err = q.Scan(hasCodes, []any{ws}, &has)
	return has, err
}

// InsertPass implements pass.Writes, as the methods below do.
func (t tx) InsertPass(p *pass.Pass) error {
	stored := *p
	stored.ContactID = nil
	content, err := json.Marshal(&stored)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO passes (id, workspace_id, contact_id, sale_id, balance, ends_ms, blocked, content) VALUES (?, ?, ?, ?, 0, ?, 0, ?)`,
		p.ID, p.WorkspaceID, contactOrNull(p.ContactID), p.SaleID, engine.OrNull(p.EndsAt), string(content))
	return err
}

func contactOrNull(c *booking.ContactID) any {
	if c == nil {
		return nil
	}
	return *c
}

func (t tx) UpdatePass(p *pass.Pass) error {
	_, err := t.Exec(`UPDATE passes SET contact_id = ?, ends_ms = ?, blocked = ? WHERE id = ? AND workspace_id = ?`,
		contactOrNull(p.ContactID), engine.OrNull(p.EndsAt), engine.Bit(p.Stopped), p.ID, p.WorkspaceID)
	return err
}

func (t tx) LockPass(ws catalog.WorkspaceID, id booking.PassID) error {
	_, err := t.Exec(`UPDATE passes SET balance = balance WHERE id = ? AND workspace_id = ?`, id, ws)
	return err
}

func (t tx) InsertPassEntry(e *pass.Entry) error {
	n, err := t.Exec(addToPass, e.Delta, e.PassID, e.WorkspaceID, e.Delta)
	if err == nil && n == 0 {
		err = fault.ErrTaken
	}
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO pass_entries (`+passEntryColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.ID, e.WorkspaceID,
		e.PassID, e.At, e.Delta, e.Amount, engine.OrNull(e.BookingID), engine.OrNull(e.SaleID), engine.OrNull(e.TakesBack), e.By, e.ByID)
	return err
}

func (t tx) SetPassCode(ws catalog.WorkspaceID, c pass.SealedCode, now when.Instant) error {
	if _, err := t.Exec(`UPDATE pass_codes SET ended_ms = ?, sealed = NULL WHERE pass_id = ? AND workspace_id = ? AND ended_ms IS NULL`,
		now, c.Pass, ws); err != nil {
		return err
	}
	_, err := t.Exec(`INSERT INTO pass_codes (workspace_id, hash, pass_id, sealed) VALUES (?, ?, ?, ?)`, ws, c.Hash, c.Pass, engine.OrNull(c.Sealed))
	return err
}

func (t tx) SealCodeAgain(ws catalog.WorkspaceID, c pass.SealedCode) error {
	_, err := t.Exec(`UPDATE pass_codes SET sealed = ? WHERE workspace_id = ? AND hash = ?`, engine.OrNull(c.Sealed), ws, c.Hash)
	return err
}

// erasePass takes a person out of a pass: whom it was for, and whose it is. What it holds stays, and who has its code can use it.
func (t tx) erasePass(ws catalog.WorkspaceID, id booking.PassID, person booking.ContactID) error {
	if err := t.LockPass(ws, id); err != nil {
		return err
	}
	p, err := t.Pass(ws, id)
	if err != nil {
		return err
	}
	if p.For = ""; p.ContactID != nil && *p.ContactID == person {
		p.ContactID = nil
	}
	content, err := json.Marshal(&p)
	if err != nil {
		return err
	}
	if _, err := t.Exec(`UPDATE passes SET content = ? WHERE id = ? AND workspace_id = ?`, string(content), id, ws); err != nil {
		return err
	}
	return t.UpdatePass(&p)
}
