package store

import (
	"daybook/app/catalog"
	"daybook/app/report"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	daySums = `SELECT from_ms, to_ms, sums FROM day_sums WHERE workspace_id = ? AND from_ms >= ? AND to_ms <= ?
		ORDER BY from_ms`
	dayMarks = `SELECT DISTINCT day FROM day_marks WHERE workspace_id = ? ORDER BY day`
	firstOf  = `SELECT start_ms FROM bookings WHERE workspace_id = ? AND start_ms >= ? ORDER BY start_ms LIMIT 1`
	unasked  = `SELECT workspace_id FROM day_sum_turns WHERE asked_ms < ? ORDER BY asked_ms LIMIT ?`
	unsummed = `SELECT DISTINCT workspace_id FROM day_marks m
		WHERE NOT EXISTS (SELECT 1 FROM day_sum_turns t WHERE t.workspace_id = m.workspace_id) LIMIT ?`

	// Whoever has taken the turn is alone with the sums of a workspace until the transaction ends.
	takeTurn = `INSERT INTO day_sum_turns (workspace_id, turn, asked_ms) VALUES (?, 1, ?)
		ON CONFLICT (workspace_id) DO UPDATE SET turn = day_sum_turns.turn + 1, asked_ms = excluded.asked_ms`
	// What is deleted was seen here, and is read by all later statements: marks of transactions that commit after this
	// one stay.
	forgetMarks = `DELETE FROM day_marks WHERE workspace_id = ? AND day >= ? AND day <= ? RETURNING day`
	forgetSums  = `DELETE FROM day_sums WHERE workspace_id = ? AND from_ms < ? AND to_ms > ?`
	insertSums  = `INSERT INTO day_sums (workspace_id, from_ms, to_ms, sums) VALUES (?, ?, ?, ?)`
	forgetSome  = `DELETE FROM day_sums WHERE workspace_id = ? AND from_ms IN (SELECT from_ms FROM day_sums
		WHERE workspace_id = ? ORDER BY from_ms LIMIT ?)`
	forgetAllOf  = `DELETE FROM day_marks WHERE workspace_id = ?`
	giveTurnBack = `DELETE FROM day_sum_turns WHERE workspace_id = ?`
)

// DaySums implements report.SumReader.
func (q queries) DaySums(ws catalog.WorkspaceID, from, to when.Instant, add func(report.DaySums)) error {
	if to == 0 {
		to = 1<<63 - 1
	}
	var d report.DaySums
	return q.Each(daySums, []any{ws, from, to}, func(scan func(...any) error) error {
		err := scan(&d.From, &d.To, &d.Sums)
		add(d)
		return err
	})
}

// DayMarks implements report.SumReader.
func (q queries) DayMarks(ws catalog.WorkspaceID) ([]int64, error) {
	return engine.List(q, number, dayMarks, ws)
}

func number(scan func(...any) error) (n int64, err error) {
	err = scan(&n)
	return n, err
}

// FirstStart implements report.SumReader.
func (q queries) FirstStart(ws catalog.WorkspaceID, from when.Instant) (first when.Instant, err error) {
	err = engine.Found(q.Scan(firstOf, []any{ws, from}, &first))
	return first, err
}

// SumsUnasked implements report.SumReader.
func (q queries) SumsUnasked(before when.Instant, limit int) (all []catalog.WorkspaceID, err error) {
	err = q.All(&all, unasked, before, limit)
	return all, err
}

// MarksUnsummed implements report.SumReader.
func (q queries) MarksUnsummed(limit int) (all []catalog.WorkspaceID, err error) {
	err = q.All(&all, unsummed, limit)
	return all, err
}

// TakeSums implements report.SumWriter.
func (t tx) TakeSums(ws catalog.WorkspaceID, asked when.Instant) error {
	_, err := t.Exec(takeTurn, ws, asked)
	return err
}

// ForgetMarks implements report.SumWriter.
func (t tx) ForgetMarks(ws catalog.WorkspaceID, from, to int64) ([]int64, error) {
	return engine.List(t, number, forgetMarks, ws, from, to)
}

// ForgetSums implements report.SumWriter.
func (t tx) ForgetSums(ws catalog.WorkspaceID, from, to when.Instant) error {
	_, err := t.Exec(forgetSums, ws, to, from)
	return err
}

// InsertSums implements report.SumWriter.
func (t tx) InsertSums(ws catalog.WorkspaceID, d report.DaySums) error {
	return t.Later(insertSums, ws, d.From, d.To, d.Sums)
}

// DropSums implements report.SumWriter.
func (t tx) DropSums(ws catalog.WorkspaceID, limit int) (more bool, err error) {
	n, err := t.Exec(forgetSome, ws, ws, limit)
	if err != nil || int(n) == limit {
		return true, err
	}
	if _, err := t.Exec(forgetAllOf, ws); err != nil {
		return false, err
	}
	_, err = t.Exec(giveTurnBack, ws)
	return false, err
}
