// package account has the SQL of API keys, users, their sessions and invitations, and the counts that rates are held
// by.
package account

import "daybook/store/engine"

// Queries read, on the readers' pool or within a transaction.
type Queries struct{ *engine.Querier }

// Tx writes.
type Tx struct{ *engine.Transaction }
