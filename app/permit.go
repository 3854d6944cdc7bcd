package app

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/right"
)

// Command is something that an actor may be allowed to do or see. Every method of the Service and of the subjects that
// takes an Actor calls Actor.May first.
type Command int

// The commands. What the actor sees limits some of them further: staff see one host, an invitee one booking.
const (
	MaySeeEventTypes  Command = iota // event types and open times
	MaySeeBooking                    // one booking
	MaySeeBookings                   // lists, calendars, history and the payments of a booking
	MayChange                        // change anything at all
	MayBook                          // make a booking
	MayMove                          // give a booking another time
	MayWaive                         // book and move against the rules that bind invitees
	MayEdit                          // change its event type, host, length and texts, and tell its invitee again
	MayCancel                        // cancel a booking
	MayDecide                        // confirm or decline a request
	MayMarkAttendance                // mark an arrival, what is done and a no-show, and undo it
	MayAskComing                     // ask the invitee whether they come
	MayAnswer                        // say whether the invitee comes
	MayRefund                        // refund a payment
	MayTakeMoney                     // take money at the counter, and give it back
	MayGiveDiscount                  // take something off a price at the counter
	MaySeeReceipts                   // receipts, sales
	MayMailReceipts                  // mail one to somebody
	MaySeeTill                       // what a day brought in, and how it was closed
	MayCloseDay                      // count the cash of a day
	MaySeeContacts                   // contacts and their bookings
	MaySeeCustomers                  // contacts one by one; staff, where the workspace lets them, those whom they serve
	MaySeeCard                       // the card of a customer: entries, photographs, tags; staff as with MaySeeCustomers
	MayWriteCard                     // write entries, add photographs and files
	MaySeeConsents                   // what a customer agreed to, and their health; staff as with MaySeeCard, no agents
	MayWriteConsents                 // record and withdraw consents, write health entries; likewise
	MayAddContacts                   // make a contact
	MayManageContacts                // change, merge, delete, import and export contacts
	MaySeeHosts                      // see hosts and resources, and why a time is closed
	MaySetHours                      // the hours and days off of a host
	MayManageHosts                   // add hosts and resources, and switch them on and off
	MayManageEventTypes
	MaySeeProducts    // what is sold at the counter besides services
	MayManageProducts // add, change and delete them, and count their stock
	MaySeeFigures     // figures of a week
	MaySeeAnalytics
	MaySeeEndpoints // webhook endpoints, their deliveries, and events
	MaySeeEventBody // what was sent for one event
	MayManageEndpoints
	MayManageWorkspace // name, address, colours
	MaySeePictures     // the list of uploaded pictures; each is public
	MayManagePictures  // upload and delete pictures
	MayManageMails     // the mail server, the log of mails, sending again
	MayManageFeeds     // the private addresses of calendars
	MayConnectCalendars
	MayManageMembers
	MayManageKeys
	MayManagePayments // the Stripe account, and the list of payments
	MayExportAll
	MayDeleteWorkspace
	MaySeeAuditLog
	MayManagePrivacy  // when customers are forgotten
	MaySeeInvitations // invitation links
	MayInvite         // make, resend and revoke them
	MaySeeSessions    // the actor's own sign-ins
	MaySeeOwn         // the page of one's own, for whom Actor.Contact says who they are
	MaySeeHealth      // how the server is
	MayOperate        // create workspaces and apply set-up files, set passwords, act in every workspace
)

// who is a set of kinds of actors.
type who int

const (
	anOwner     who = 1 << iota
	aManager        // a member of role manager
	aStaff          // a member of role staff
	aFullKey        // an API key or agent whose key has scope full
	aReadKey        // one whose key is read-only
	anInvitee       // a visitor of the booking page, or somebody with the link of a booking
	anApprover      // somebody with the link of a mail that asks the business to decide on one booking
	theSystem       // loops and the payment provider
	theOperator     // runs the server, through the command line
)

const (
	owners   = anOwner | theOperator
	managers = owners | aManager
	members  = managers | aStaff
	keys     = aFullKey | aReadKey
	everyone = members | keys | anInvitee | anApprover | theSystem
)

// permits says who may do what, and what the documents call it; besides those, API keys may that were granted the area.
var permits = [...]struct {
	name  string
	may   who
	area  Areas
	right right.Set // that a restricted key must list
}{
	MaySeeEventTypes:    {"see event types and open times", everyone, 0, right.Availability},
	MaySeeBooking:       {"see one booking", everyone, 0, right.SeeBookings},
	MaySeeBookings:      {"list bookings, their history and payments", members | keys | theSystem, 0, right.SeeBookings},
	MayChange:           {"change anything at all", everyone &^ aReadKey, 0, 0},
	MayBook:             {"make a booking", members | aFullKey | anInvitee, 0, right.ChangeBookings},
	MayMove:             {"move a booking", members | aFullKey | anInvitee, 0, right.ChangeBookings},
	MayWaive:            {"waive rules of booking and moving", members | aFullKey, 0, right.Override},
	MayEdit:             {"edit a booking, send its mail again", members | aFullKey, 0, right.ChangeBookings},
	MayCancel:           {"cancel a booking", members | aFullKey | anInvitee, 0, right.ChangeBookings},
	MayDecide:           {"confirm or decline a request", members | aFullKey | anApprover, 0, right.ChangeBookings},
	MayMarkAttendance:   {"mark arrived, done or no-show, undo it", members | aFullKey, 0, right.ChangeBookings},
	MayAskComing:        {"ask whether an invitee comes", members | aFullKey | theSystem, 0, right.ChangeBookings},
	MayAnswer:           {"say whether an invitee comes", members | aFullKey | anInvitee | theSystem, 0, right.ChangeBookings},
	MayRefund:           {"refund a payment", managers | aFullKey, 0, right.TakeMoney},
	MayTakeMoney:        {"take money at the counter, give it back", members | aFullKey, 0, right.TakeMoney},
	MayGiveDiscount:     {"give a discount at the counter", managers | aFullKey, 0, right.TakeMoney},
	MaySeeReceipts:      {"see receipts and sales", members | keys, 0, right.SeeMoney},
	MayMailReceipts:     {"mail a receipt", members, 0, 0},
	MaySeeTill:          {"see what a day brought in", managers | keys, 0, right.SeeMoney},
	MayCloseDay:         {"close a day", managers | aFullKey, 0, right.TakeMoney},
	MaySeeContacts:      {"see contacts", managers | keys, 0, right.SeeContacts},
	MaySeeCustomers:     {"see a contact; staff those they serve, if let", members | keys, 0, right.SeeContacts},
	MaySeeCard:          {"see a customer's card; staff of those they serve, if let", members, right.Contacts, right.SeeContacts},
	MayWriteCard:        {"write on a card, add photographs; staff likewise", members, right.Contacts, right.AddContacts},
	MaySeeConsents:      {"see a customer's consents and health; staff likewise", members, right.Contacts, right.Unlisted},
	MayWriteConsents:    {"record consents and health; staff likewise", members, right.Contacts, right.Unlisted},
	MayAddContacts:      {"add a contact", managers | aFullKey, 0, right.AddContacts},
	MayManageContacts:   {"change, merge, delete, import, export contacts", managers, right.Contacts, right.AddContacts},
	MaySeeHosts:         {"see hosts and resources, and their hours", members, right.Settings | right.Hours, 0},
	MaySetHours:         {"set hours and time off", members, right.Settings | right.Hours, 0},
	MayManageHosts:      {"add hosts and resources, switch them on and off", managers, right.Settings, 0},
	MayManageEventTypes: {"manage event types", managers, right.Settings, 0},
	MaySeeProducts:      {"see products", members | keys, 0, right.SeeMoney},
	MayManageProducts:   {"manage products, count their stock", managers, right.Settings, 0},
	MaySeeFigures:       {"see the counts of a week", members, 0, 0},
	MaySeeAnalytics:     {"see analytics", managers | keys, 0, right.SeeAnalytics},
	MaySeeEndpoints:     {"see webhook endpoints, deliveries, events", managers | keys, 0, right.SeeWebhooks},
	MaySeeEventBody:     {"see what an event sent", managers, 0, 0},
	MayManageEndpoints:  {"manage webhook endpoints", managers | aFullKey, 0, right.ManageWebhooks},
	MayManageWorkspace:  {"change the workspace and its brand", managers, right.Settings, 0},
	MaySeePictures:      {"see uploaded pictures", managers | keys, 0, right.SeePictures},
	MayManagePictures:   {"upload and delete pictures", managers | aFullKey, 0, right.ManagePictures},
	MayManageMails:      {"manage the mail server, see and resend mails", managers, 0, 0},
	MayManageFeeds:      {"manage calendar addresses", managers, 0, 0},
	MayConnectCalendars: {"connect hosts' other calendars", members, 0, 0},
	MayManageMembers:    {"manage members", owners, right.Members, 0},
	MayManageKeys:       {"manage API keys", owners, right.Keys, 0},
	MayManagePayments:   {"connect Stripe, list payments", owners, right.Payments, 0},
	MayExportAll:        {"export everything, and the set-up file", owners, 0, 0},
	MayDeleteWorkspace:  {"delete the workspace", owners, 0, 0},
	MaySeeAuditLog:      {"see the audit log", owners, 0, 0},
	MayManagePrivacy:    {"choose when customers are forgotten", owners, 0, 0},
	MaySeeInvitations:   {"see invitation links", members | keys, 0, right.SeeInvitations},
	MayInvite:           {"make, resend and revoke invitation links", members | aFullKey, 0, right.Invite},
	MaySeeSessions:      {"see own sign-ins", members, 0, 0},
	MaySeeOwn:           {"see the page of one's own, as a customer", anInvitee, 0, 0},
	MaySeeHealth:        {"see how the server is", owners, 0, 0},
	MayOperate:          {"create workspaces, apply set-up files, set passwords", theOperator, 0, 0},
}

// Areas are the rights that an API key may have besides those of every full key.
type Areas = right.Areas

// String returns the command in words, as the documented table of rights has it.
func (c Command) String() string { return permits[c].name }

// who returns the actor's kind, or 0 for an unknown one, which may do nothing. An agent with a member's consent is two:
// it may do what both that member and a key of its scope may.
func (a Actor) who() who {
	if a.Kind == booking.ByAgent && a.User != 0 {
		member := Actor{Kind: booking.ByOwner, User: a.User, Role: a.Role}.who()
		if a.User = 0; member == 0 {
			return 0
		}
		return member | a.who()
	}
	switch {
	case a.Operator:
		return theOperator
	case a.Kind == booking.ByInvitee:
		return anInvitee
	case a.ReadOnly:
		return aReadKey
	case a.Kind == booking.ByAPI, a.Kind == booking.ByAgent:
		return aFullKey
	case a.Kind == booking.BySystem:
		return theSystem
	case a.Kind != booking.ByOwner:
		return 0
	case a.Booking != 0:
		return anApprover
	}
	switch a.Role {
	case ManagerRole:
		return aManager
	case StaffRole:
		return aStaff
	case OwnerRole:
		return anOwner
	}
	if a.Role == "" && a.User == 0 { // the business itself, not one of its members
		return anOwner
	}
	return 0
}

// May returns the forbidden error if the actor may not do what the command says, or nil.
func (a Actor) May(c Command) error {
	is := a.who()
	listed := a.Limits.May(permits[c].right)
	if permits[c].right == right.Unlisted && a.Kind == booking.ByAgent {
		return right.MembersOnly()
	}
	// An area is for a full key, and for an agent whose member may the same without it.
	byArea := is&aFullKey != 0 && permits[c].area&a.Areas != 0 && permits[c].may&is == is&^keys
	if listed && (is != 0 && permits[c].may&is == is || byArea) {
		return nil
	}
	switch {
	case !listed:
		return right.Missing(permits[c].right)
	case is == anInvitee || is == anApprover:
		return right.OneBooking()
	case is&aReadKey != 0 && permits[c].may&aFullKey != 0:
		return right.ReadOnly()
	case is != 0 && is&^keys == 0 && permits[c].area != 0:
		return right.MissingArea(permits[c].area)
	case is&keys != 0 && permits[c].may&keys == 0:
		return right.MembersOnly()
	}
	return right.Role()
}

// Operator returns the actor for the operator of the server, acting in one workspace; 0 means all of them.
func Operator(ws catalog.WorkspaceID) Actor {
	return Actor{Kind: booking.BySystem, Operator: true, Workspace: ws}
}

// Everywhere reports whether the actor acts in all workspaces.
func (a Actor) Everywhere() bool { return a.Operator && a.Workspace == 0 }
