// Package postgres is the engine that keeps Daybook in a PostgreSQL database, which several servers may share. It has
// concurrent transactions at READ COMMITTED that run again after a conflict, one pool for reading and one for writing,
// and a listener for the commits of other servers. The only tables it knows are schema_migrations and server_leases.
//
// Errors are recognized by their SQLSTATE, never by their text (code.go).
//
// # Conflicts
//
// Transactions are concurrent. They are kept apart by rows that they update before they read (a host's by LockHosts),
// by conditions repeated in the WHERE of an UPDATE, by FOR UPDATE … SKIP LOCKED for claims, and by unique constraints.
// Numbers that readers continue from are given after the commit, by the server that holds a certain row
// (store/number.go). Transactions that wait for each other, or that made the same id, are undone and run again
// (write.go). Advisory locks are used for migrations only, and nothing depends on notifications, because a sharded
// database has neither.
//
// # Notifications
//
// Triggers of the schema notify daybook_setup within each transaction that changes what servers keep in memory:
// set-up, keys, sessions. They also raise a notice of that name, so that the server that makes the change knows before
// its commit returns. Other commits are followed by daybook_work as a hint, at most once in hintPause. Both
// notifications change DataVersion, and daybook_setup also changes SetupVersion. While the listener is down, both
// versions change at each call, so that nothing held in memory is trusted.
//
// # Which server does which work
//
// A server counts while its row in server_leases, which it renews, has not expired (lease.go). The servers with a lease
// share the workspaces' deliveries, mails, payment jobs and lapses by 64 buckets (package work), and the first of them
// does what one server does for all. Claims are exact whatever the buckets say. Each carries the number of its server:
// when a server's lease expires, another server releases what it had claimed.
//
// # A database divided by workspace
//
// One PostgreSQL server does for 10,000 workspaces with 10 million bookings: BenchmarkWorkspaces of package store makes
// them and measures that what the API and the loops ask for takes the same time as with 10 workspaces. Where one does
// not do, an engine that speaks PostgreSQL's protocol may keep the rows of different workspaces on different machines.
// Daybook was run on PostgreSQL 15 and on none of these engines: what follows about Citus, CockroachDB and YugabyteDB
// was read, and must be tried.
//
// What is ready:
//
//   - Primary keys begin with workspace_id, and so does what refers to them. booking_history, deliveries and answers
//     have the column on PostgreSQL only: SQLite would pay 8 bytes a row for it and gain nothing. Statements name it by
//     a mark that is a comment there (dialect.go), and package transfer fills it in from the row that they refer to.
//   - Look-ups by id name the workspace where the caller knows it, so they ask one machine.
//   - TestKeysBeginWithTheWorkspace (package migrations) lists the unique keys that don't begin so, each with its
//     reason.
//   - A transaction touches the rows of one workspace. Tests make PostgreSQL refuse any other, and
//     enginetest.Crossings lists the statements that may: claims, outcomes, upkeep, and who follows all bookings.
//   - Correctness depends on no notification, advisory lock or exclusion constraint, which these engines lack wholly or
//     in part. A host is locked by an UPDATE of its row, claims skip locked rows, and a transaction
//     that ends with 40001 or 40P01 runs again. CockroachDB needs READ COMMITTED to be switched on.
//   - Texts have no unary plus here, so a planner sees workspace_id = $1 and can send the statement to one machine.
//
// What is to be done first:
//
//   - A directory. Some things are found before their workspace is known: the slug of a booking page, the e-mail of who
//     signs in, the hash of a key, session or invitation, a certificate, a set-up link, the address of a feed. These
//     tables are small. Citus would keep them as reference tables or on one machine; the other two have unique indexes
//     over all machines, and answer a little later. Sessions and invitations have no workspace_id for that reason: they
//     are looked up by their hash, belong to a user, and stay with the users in the directory.
//   - Some look-ups have an id alone: the links of bookings, the outcomes of mails, an endpoint whose deliveries are
//     claimed, and what an operator names at the command line. They ask every machine. Claims can take the workspace
//     along, and a new kind of link can carry it; old links go on asking every machine. On Citus the id can't be unique
//     besides the key, because that index would not hold the workspace.
//   - The indexes of bookings by host, contact and event type begin with those, and booking and availability look there
//     without a workspace. On one server a workspace first would make each entry of four indexes 8 bytes larger and
//     find nothing faster, since the ids of hosts, contacts and event types are unique over all workspaces. CockroachDB
//     and YugabyteDB keep an index by its own columns, so a host's bookings lie together there too. Citus needs the
//     workspace in each query, to know the machine, and then in bookings_busy, which availability reads without the
//     rows. A host's workspace is always known there, so it is one mark in each query and a column more in that index.
//   - Claims and upkeep are one statement for all workspaces. Each machine's part can be done by itself, since each row
//     stands for itself: the loops would claim per bucket of workspaces, with buckets placed as the rows are. Citus
//     locks rows with FOR UPDATE on one machine at a time only.
//   - Endpoints with deliveries that wait are listed by a recursive query. Citus has none over several machines;
//     SELECT workspace_id, endpoint_id … GROUP BY over the rows that wait would do, as they are few.
//   - The history of all bookings has one sequence and one cursor (store/number.go, and app.Follower): a sequence is slow
//     over many machines, and so is the one row that numbers are given behind. Each bucket needs its own cursor.
//     Events are numbered per workspace already.
//   - LISTEN: Citus passes a notification on at its coordinator, CockroachDB has none, YugabyteDB only in new releases.
//     Without it DataVersion and SetupVersion change at each call, which is right but slow: servers would have to ask
//     for the revisions of what they keep in memory, or be told by each other.
//   - Triggers and identity columns (tell_setup, uid_domains, key_uses) differ: CockroachDB has triggers in new
//     releases only.
//   - Migrations take an advisory lock and change the schema within one transaction. CockroachDB has no advisory locks
//     and limits what a transaction may change in the schema; a row in a table would do in place of the lock.
package postgres
