// package counter has the SQL of money at the counter: the ledger, receipts and their numbers, and how days were
// closed.
package counter

import "daybook/store/engine"

// Queries read, on the readers' pool or within a transaction.
type Queries struct{ *engine.Querier }

// Tx writes.
type Tx struct{ *engine.Transaction }
