// package app is the core of Daybook: bookings, their history and events, and the one Service by which every door reads
// and changes them. Its types carry the JSON names of the v1 contract (contract.md). Below it are leaves, parts, rooms
// (a subject with its rules and its storage interface), doors (what callers use) and tools.
//
// # Map of the repository
//
//	app/             this package: the rules
//	app/contract.md  what is promised to callers, receivers, sites and operators; tests hold it against the code
//	app/contracttest/ reads its tables for those tests
//	app/id/          leaf: ids, by time and with a kind
//	app/when/        leaf: instants, time zones, and the days in them
//	app/money/       leaf: currencies, their digits, amounts as text
//	app/fault/       leaf: coded errors, checks of texts, pages of lists
//	app/disk/        leaf: what systems do differently with files: locks, room, names after a power cut, rights
//	app/address/     leaf: which network addresses may be called
//	app/field/       leaf: what is known of a resource's fields, for documents, tools, files and checks
//	app/agentsetup/  leaf: what connects an AI agent's program to the tools
//	app/phone/       leaf: telephone numbers in E.164, and the countries of time zones
//	app/slot/        leaf: pure time arithmetic: hours, overrides, busy times → slots
//	app/vault/       leaf: seals secrets with a key that is kept outside the database
//	app/share/       leaf: which part of the loops' work is one server's, of those of a database
//	app/sandbox/     leaf: which workspaces are for trying the server out: nothing leaves it for them
//	app/holiday/     part: the public holidays of countries and regions
//	app/cost/        part: amounts of money and how they are taxed
//	app/notice/      part: the kinds of mails and of webhook events, and the owner's own words in mails
//	app/catalog/     part: what a business offers: workspace, hosts, hours, event types, and the checks of them
//	app/record/      part: what is kept of bookings, and its JSON: bookings, contacts, histories, events
//	app/right/       part: what API keys may be granted besides their scope, and the limits of restricted ones
//	app/availability/ part: the search for open times, and what it may cost
//	app/follow/      what rooms share that follow the history of all bookings behind a cursor
//	app/audit/       what rooms share to log who changed what; lists it
//	app/account/     room: users, sessions, members, invitations, API keys and their rates
//	app/factor/      room: members' passkeys, authenticator apps and recovery codes
//	app/contact/     room: editing, merging, exporting and deleting contacts
//	app/picture/     room: uploaded pictures: what is taken, how it is kept, when it is deleted
//	app/shop/        room: event types, hosts, their hours and time off
//	app/invitation/  room: invitation links, which open hidden services and fix host and invitee
//	app/bulk/        room: several bookings at once: those in a time, cancelling those that were chosen
//	app/counter/     room: money at the counter, receipts, how a day was closed
//	app/privacy/     room: old contacts and bookings lose their names; everything about one person in a file
//	app/upkeep/      room: secrets, certificates, servers, cleaning up
//	app/upkeep/health/ how the server is: disk, clock, queues, copies; owners are told before something hurts
//	app/webhook/     room: endpoints, and the loop that claims, signs, sends and settles deliveries
//	app/mail/        room: who gets which mail, what it says, the queue and the log
//	app/mail/smtp/   a written mail on its way to a server: the server's address, the mail in MIME, the session
//	app/push/        room: notifications on members' devices, and the loop that sends them
//	app/payment/     room: payments, refunds and fees
//	app/payment/stripe/ Stripe, behind that room's Provider interface
//	app/payment/stripetest/ a stand-in for Stripe, for tests
//	app/setup/       room: a workspace's set-up as a file
//	app/setup/yaml/  reads it, YAML or JSON, as values that know their lines, and writes JSON as YAML
//	app/report/      room: analytics, the week, exports
//	app/feed/        room and door: the private calendar addresses
//	app/form/        room: what an address may book by the booking form, its proofs of work, forms sent twice
//	app/form/proof/  keys of booking forms, and proofs of work
//	app/oauth/       room: access of agents' programs by a member's consent, OAuth 2.1
//	app/guest/       room: people's AI assistants: which workspaces they find, and what they may ask for without a key
//	app/calsync/     room: hosts' other calendars, read for busy times and written with bookings; each kind below it
//	app/calsync/client/ the business's own clients at Google and Microsoft
//	app/calsync/listed/ connections that a set-up file lists
//	app/calsync/oauth/ what Google and Microsoft share: signing in, renewing access, calls that carry it
//	app/calsync/google/ Google Calendar
//	app/calsync/googletest/ a stand-in for it, for tests
//	app/calsync/graph/ Microsoft 365 and Outlook, by Microsoft Graph
//	app/calsync/graphtest/ a stand-in for it, for tests
//	app/calsync/oauthtest/ what stand-ins for OAuth providers share
//	app/calsync/loop/ the loop that reads and writes them
//	app/calsync/watch/ has their servers call when a calendar changes; the door that takes the calls
//	app/calsync/answer/ what servers answer: bounded, and its errors
//	app/calsync/ics/ iCalendar files at an address
//	app/calsync/caldav/ CalDAV servers, read and written
//	app/rooms/       puts the core and all rooms over one store: the Set that the doors hold
//	app/rest/        door: REST v1; each route's description stands beside its handler
//	app/rest/openapi/ its OpenAPI document
//	app/rest/manage/ the routes by which a workspace is set up
//	app/rest/public/ the routes of public keys, which stand in web pages
//	app/rest/docs/   the documentation: guides, and pages made from the document and the contract
//	app/agent/       door: the MCP tools
//	app/page/        door: booking page, manage page, embed.js
//	app/page/keep/   holds the time of a form that is being filled in
//	app/page/photo/  serves uploaded pictures
//	app/page/profile/ what its pages say of a business: opening hours, headings, search, schema.org data
//	app/dashboard/   calendar (with today, bookings and the till), shop, integrations, settings (with contacts and analytics)
//	app/dashboard/web/ what the parts share: sessions' calls, forms, answers
//	app/dashboard/web/sentence/ the messages for the errors that its pages can show
//	app/decide/      door: the links of mails that act, each by a page with a button
//	app/assistant/   door: people's AI assistants, without a key: what they find, their tools, the page that confirms
//	app/access/      what the doors under /api share: bearer key, rate, error body
//	app/bench/       loads a running server, measures it, and judges what bounds it
//	app/bench/wire/  requests over connections that stay open, with little work of its own
//	app/jsontext/    JSON without reflection, for the doors under /api
//	app/calendar/    iCalendar: invitations and feeds
//	app/calendar/busy/ reads from calendars in iCalendar form when somebody is busy
//	app/serve/       the HTTP server: middleware, loops, shutdown
//	app/cli/         the command daybook: the lists of commands, doors and loops, and how each is wired
//	app/cli/console/ what commands share at the terminal: flags, usage errors, output, prompts
//	app/cli/database/ opening the database; migrate, with its copy to another one; backup, restore
//	app/cli/server/  serve, demo
//	app/cli/doctor/  doctor
//	app/cli/bench/ bench
//	app/cli/install/ install, uninstall
//	app/cli/workspaces/ workspace, user, keys
//	app/cli/connections/ webhooks, mail, payments, calendar, agents
//	app/apptest/     what tests share: a salon and its clock
//	app/apptest/browser/ one Chromium for the tests of a package
//	app/apptest/outside/ how tests ask for parts that aren't written in Go
//	app/demo/        the throw-away salon that `daybook demo` serves
//	store/           implements the storage of the core and the rooms: the SQL of every noun, in files that begin with its name
//	store/engine/    what SQL runs on: the interface that a database implements, sessions, transactions
//	store/replica/   keeps copies of a SQLite database in other places, and brings their moments back
//	store/replica/s3/      a bucket of Amazon S3, or of a server that speaks its protocol
//	store/sqlite/    an engine: the group-commit writer, the pool of readers, checkpoints, locks, backups
//	store/postgres/  an engine: transactions that run again, lost connections, changes heard of by LISTEN
//	store/migrations/ the steps of the schema, a folder per engine
//	store/transfer/  copies a database to another one, and proves that it is the same
//	store/enginetest/ opens the database that tests of SQL run on
//	store/pgtest/    a PostgreSQL server that lives as long as the tests of a package
//	store/storetest/ large databases for benchmarks
//	views/           templ pages of the booking page, mails, and how dates and money are written
//	views/brand/     the shades of a business's colour, and the stylesheet that has them
//	views/finding/   what a check of the server found, and its words
//	views/dash/      templ pages of the dashboard
//	views/docs/      templ pages of the API's documentation
//	assets/          CSS, scripts and icons
//
// # Import law, which tests keep
//
// main → cli → serve, doors → rooms → app → parts → leaves; store → rooms, app, store/engine; store/sqlite →
// store/engine; views/dash → views → views/brand; all of these → leaves, assets. The engine and what it
// stands on import no noun. A part imports leaves and the parts above it in the map. A room imports no other room and
// no door, a door neither store nor another door. Only app/cli, with what is below it, imports store.
package app
