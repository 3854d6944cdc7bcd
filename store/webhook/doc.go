// package webhook has the SQL of endpoints, and of deliveries and their queue.
package webhook

import "daybook/store/engine"

// Queries read, on the readers' pool or within a transaction.
type Queries struct{ *engine.Querier }

// Tx writes.
type Tx struct{ *engine.Transaction }
