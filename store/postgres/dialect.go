package postgres

import (
	"regexp"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
)

var dialect = &engine.Dialect{
	Text: text, Freeze: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", Cancels: true, Integers: integers,
	Brief:  "SET LOCAL idle_in_transaction_session_timeout = 1000",
	Unique: isUnique, Ends: endsTransaction, Gone: isGone, Drop: drop, Away: isAway,
	Crowded: isCrowded,
}

// plus keeps SQLite's planner from an index. Here it would only hide from the planner what is compared.
var plus = regexp.MustCompile(`([\s(])\+([a-z])`)

var claim = regexp.MustCompile(`/\* claim ([a-z_]+) \*/`)

// Some tables have a workspace_id here only (the start migration says which). A term on it is written
//
//	/* apart d.workspace_id = */ ? > 0
//
// which is true on SQLite, and any other text within /* apart … */ stands here only.
var (
	apartTerm = regexp.MustCompile(`/\* apart ([a-z_.]+ =) \*/ \? > 0`)
	apartText = regexp.MustCompile(`/\* apart (.*?) \*/`)
)

// text numbers the parameters, leaves out the plus before a column, makes claims skip the rows that another
// transaction is claiming, and adds what is about the columns that only this engine has.
func text(query string) string {
	query = apartText.ReplaceAllString(apartTerm.ReplaceAllString(query, "$1 ?"), "$1")
	query = claim.ReplaceAllString(query, "FOR UPDATE OF $1 SKIP LOCKED")
	return sqlx.Rebind(sqlx.DOLLAR, plus.ReplaceAllString(query, "$1$2"))
}

// isGone tells whether a connection is lost.
func isGone(conn *sqlx.Conn) bool {
	closed := true
	err := onLink(conn, func(l *link) { closed = l.Conn.Conn().IsClosed() })
	return err != nil || closed
}

// acceptBools lets a bool be stored in an integer column, as 0 or 1.
func acceptBools(conn *pgx.Conn) {
	types := conn.TypeMap()
	types.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapBool}, types.TryWrapEncodePlanFuncs...)
}

func wrapBool(value any) (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool) {
	b, ok := value.(bool)
	if !ok {
		return nil, nil, false
	}
	return &boolPlan{}, number(b), true
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// boolPlan encodes a bool as 0 or 1.
type boolPlan struct{ next pgtype.EncodePlan }

// SetNext implements pgtype.WrappedEncodePlanNextSetter.
func (p *boolPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

// Encode implements pgtype.EncodePlan.
func (p *boolPlan) Encode(value any, buf []byte) ([]byte, error) {
	return p.next.Encode(number(value.(bool)), buf)
}
