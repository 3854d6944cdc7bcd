// package mail has the SQL of mails, their queue, refusals and mail servers.
package mail

import "daybook/store/engine"

// Queries read, on the readers' pool or within a transaction.
type Queries struct{ *engine.Querier }

// Tx writes.
type Tx struct{ *engine.Transaction }
