// package payment has the SQL of payments, checkouts, cards, and of the jobs for the provider.
package payment

import "daybook/store/engine"

// Queries read, on the readers' pool or within a transaction.
type Queries struct{ *engine.Querier }

// Tx writes.
type Tx struct{ *engine.Transaction }
