package app_test

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/payment/stripe"
	"daybook/app/setup"
	"daybook/app/subjects"
)

// commands says of every method that takes an Actor which command it is.
var commands = map[string]app.Command{
	"Book": app.MayBook, "Booking": app.MaySeeBooking, "Bookings": app.MaySeeBookings, "History": app.MaySeeBookings,
	"EventType": app.MaySeeEventTypes, "EventTypes": app.MaySeeEventTypes, "Calendar": app.MaySeeBookings,
	"Change": app.MayChange, "ChangeWithVisit": app.MayChange, "WithSeenVisit": app.MayChange, "WithBookings": app.MayChange, "Find": app.MaySeeBooking, "Once": app.MayChange,
	"Availability": app.MaySeeEventTypes, "OpenTimes": app.MaySeeEventTypes, "NextOpenTimes": app.MaySeeEventTypes,
	"Reschedule": app.MayMove, "Edit": app.MayEdit, "Cancel": app.MayCancel, "Confirm": app.MayDecide, "Decline": app.MayDecide,
	"SendAgain": app.MayEdit, "AskComing": app.MayAskComing, "AskedComing": app.MayAskComing, "AnswerComing": app.MayAnswer, "AnswerVisitComing": app.MayAnswer, "PreviewEnding": app.MayCancel, "PreviewWords": app.MayManageEventTypes,
	"MarkArrived": app.MayMarkAttendance, "MarkDone": app.MayMarkAttendance, "MarkNoShow": app.MayMarkAttendance, "UndoMark": app.MayMarkAttendance,
	"Alone": app.MayManageContacts, "Importing": app.MayWaive, "Unimporting": app.MayWaive, "ImportFits": app.MayWaive, "MoveBusiness": app.MayManageContacts, "PreviewBusiness": app.MayManageContacts, "JobOf": app.MayManageContacts, "LookAt": app.MayManageContacts, "MoveLooked": app.MayManageContacts, "EndJob": app.MayManageContacts,
	"PreviewAppointments": app.MayManageContacts, "ImportAppointments": app.MayManageContacts, "WriteLeftOut": app.MayManageContacts,
	"CreateContact": app.MayAddContacts, "Contacts": app.MaySeeContacts,
	"Lookup": app.MaySeeContacts, "Known": app.MaySeeCustomers, "ContactsWith": app.MaySeeContacts, "WithNumber": app.MayManageContacts, "NumberElsewhere": app.MayManageContacts, "SamePhone": app.MaySeeContacts, "ContactByID": app.MaySeeCustomers,
	"Card": app.MaySeeCard, "LastFormula": app.MaySeeCard, "Tags": app.MaySeeCard, "Entries": app.MaySeeCard, "AddEntry": app.MayWriteCard, "PinEntry": app.MayWriteCard, "DeleteEntry": app.MayManageContacts,
	"RequirementsOf": app.MayWaive, "Consents": app.MaySeeConsents, "SignedConsent": app.MaySeeConsents, "HealthEntries": app.MaySeeConsents, "Alerts": app.MaySeeConsents, "CoversHealth": app.MaySeeConsents,
	"RecordConsent": app.MayWriteConsents, "ConsentBehind": app.MaySeeConsents, "WithdrawConsent": app.MayWriteConsents, "AddHealth": app.MayWriteConsents, "DeleteHealth": app.MayManageContacts,
	"ReadFile": app.MayWriteCard, "AddFile": app.MayWriteCard, "Files": app.MaySeeCard, "File": app.MaySeeCard, "FileInfo": app.MaySeeCard, "DeleteFile": app.MayWriteCard,
	"ContactBookings": app.MaySeeCustomers, "ContactHistory": app.MaySeeCustomers,
	"ChangeEventType": app.MayManageEventTypes, "Hosts": app.MaySeeHosts, "TimeOff": app.MaySeeHosts, "GiveLeave": app.MaySetHours,
	"ChangeContact": app.MayManageContacts, "EditMember": app.MayManageMembers, "ChangeEndpoint": app.MayManageEndpoints,
	"Payment":       app.MayManagePayments,
	"UpdateContact": app.MayManageContacts, "MergeContacts": app.MayManageContacts, "DeleteContact": app.MayManageContacts,
	"NewContact": app.MayManageContacts, "SetContactNotes": app.MayManageContacts, "ExportContacts": app.MayManageContacts,
	"ImportContacts": app.MayManageContacts, "PreviewImport": app.MayManageContacts, "WriteLeft": app.MayManageContacts,
	"Imports": app.MayManageContacts, "Import": app.MayManageContacts, "UndoImport": app.MayManageContacts,
	"SaveEventType": app.MayManageEventTypes, "AddUsual": app.MayManageEventTypes, "OpenShop": app.MayManageHosts, "AddPerson": app.MayManageHosts, "SetServices": app.MayManageEventTypes, "InviteHost": app.MayManageMembers, "CopyEventType": app.MayManageEventTypes,
	"Accounts": app.MayManageWorkspace, "ChangeAccounts": app.MayManageWorkspace, "Books": app.MaySeeTill, "WriteTable": app.MaySeeTill, "WriteDATEV": app.MaySeeTill,
	"Pass": app.MaySeeReceipts, "Passes": app.MaySeeReceipts, "PassEntries": app.MaySeeReceipts, "Owed": app.MaySeeTill, "PassWithCode": app.MaySeeReceipts, "PassCode": app.MayTakeMoney,
	"Product": app.MaySeeProducts, "Products": app.MaySeeProducts, "PicturesOf": app.MaySeeProducts, "ChangeProduct": app.MayManageProducts, "DeleteProduct": app.MayManageProducts,
	"MoveEventType": app.MayManageEventTypes, "MoveCategory": app.MayManageEventTypes, "SwitchEventType": app.MayManageEventTypes,
	"ChangeHost": app.MaySetHours, "SetOverride": app.MaySetHours, "AddTimeOff": app.MaySetHours, "GiveTimeOff": app.MaySetHours, "SkipTimeOff": app.MaySetHours,
	"ChangeClosures": app.MayManageHosts, "Within": app.MaySeeBookings, "Counts": app.MaySeeBookings, "CancelListed": app.MayCancel, "Cancellation": app.MayCancel, "UndoCancellation": app.MayCancel,
	"SeeCancellation": app.MayCancel, "WaitingCancellations": app.MaySeeBookings,
	"RemoveTimeOff": app.MaySetHours, "SwitchHost": app.MayManageHosts, "SaveHost": app.MaySetHours,
	"AddResource": app.MayManageHosts, "ChangeResource": app.MayManageHosts, "SwitchResource": app.MayManageHosts,
	"AddResources": app.MayManageHosts, "GiveResourceTimeOff": app.MayManageHosts, "RemoveResourceTimeOff": app.MayManageHosts, "Resource": app.MaySeeHosts, "Resources": app.MaySeeHosts,
	"Host": app.MaySeeHosts, "ExplainDay": app.MaySeeHosts, "Against": app.MayWaive, "VisitAgainst": app.MayWaive,
	"SuspendWorkspace": app.MayOperate, "ResumeWorkspace": app.MayOperate,
	"UpdateWorkspace": app.MayManageWorkspace, "DeleteWorkspace": app.MayDeleteWorkspace,
	"CreateKey": app.MayManageKeys, "Keys": app.MayManageKeys, "RotateKey": app.MayManageKeys,
	"RevokeKey": app.MayManageKeys, "CreateUser": app.MayManageMembers, "SetPassword": app.MayOperate, "ShowUser": app.MayOperate, "Members": app.MayManageMembers, "Invite": app.MayManageMembers,
	"InviteAgain": app.MayManageMembers, "ChangeMember": app.MayManageMembers, "RemoveMember": app.MayManageMembers,
	"Member": app.MayManageMembers, "Sessions": app.MaySeeSessions,
	"Required": app.MayManageMembers, "Require": app.MayManageMembers, "ResetFactors": app.MayOperate,
	"Deliveries": app.MaySeeEndpoints, "Delivery": app.MaySeeEndpoints, "Events": app.MaySeeEndpoints,
	"Endpoints": app.MaySeeEndpoints, "EndpointPage": app.MaySeeEndpoints, "Endpoint": app.MaySeeEndpoints,
	"EventBody": app.MaySeeEventBody, "CreateEndpoint": app.MayManageEndpoints, "RotateSecret": app.MayManageEndpoints,
	"EnableEndpoint": app.MayManageEndpoints, "DisableEndpoint": app.MayManageEndpoints,
	"DeleteEndpoint": app.MayManageEndpoints, "Redeliver": app.MayManageEndpoints, "TestEndpoint": app.MayManageEndpoints,
	"BookingPayments": app.MaySeeBookings, "CardConsent": app.MaySeeBookings, "Refundable": app.MaySeeBookings,
	"FeeOutlook": app.MaySeeBookings, "Payments": app.MayManagePayments, "Refund": app.MayRefund, "RefundFee": app.MayRefund,
	"ConnectPayments": app.MayManagePayments, "DisconnectPayments": app.MayManagePayments,
	"Connection": app.MayManagePayments, "FeedURL": app.MayManageFeeds, "RevokeFeed": app.MayManageFeeds,
	"CreateWorkspace": app.MayOperate, "Workspaces": app.MayOperate, "EndpointWorkspace": app.MayOperate,
	"ApplySetup": app.MayOperate, "ExportSetup": app.MayExportAll, "Document": app.MayExportAll, "WriteContacts": app.MayManageContacts,
	"Mails": app.MayManageMails, "Mail": app.MayManageMails, "ResendMail": app.MayManageMails, "StuckMails": app.MayManageMails,
	"MailServer": app.MayManageMails, "SetMailServer": app.MayManageMails, "WithSavedPassword": app.MayManageMails,
	"Texts": app.MayManageMails, "Text": app.MayManageMails, "ResendText": app.MayManageMails, "SendTest": app.MayManageMails, "Used": app.MayManageMails, "Sender": app.MayManageMails,
	"SetSender": app.MayManageMails, "NewRoute": app.MayManageMails, "Calls": app.MaySeeBookings, "Called": app.MayEdit,
	"Messages": app.MaySeeContacts, "NewMessages": app.MaySeeContacts, "SeeMessage": app.MayManageContacts, "Reply": app.MayManageContacts,
	"FindServers": app.MayManageMails, "ConnectServer": app.MayManageMails, "SendCheck": app.MayManageMails, "ConfirmServer": app.MayManageMails,
	"Sell": app.MayTakeMoney, "ChangeSale": app.MayTakeMoney, "VoidSale": app.MayTakeMoney, "PaySale": app.MayTakeMoney, "RefundSale": app.MayTakeMoney,
	"Sale": app.MaySeeReceipts, "Sales": app.MaySeeReceipts,
	"Record": app.MayTakeMoney, "IssueReceipt": app.MayTakeMoney, "GiveBack": app.MayTakeMoney, "RefundPayment": app.MayRefund,
	"AskConsent": app.MaySeeSessions, "Consent": app.MaySeeSessions, "Grants": app.MaySeeSessions, "EndGrant": app.MaySeeSessions,
	"MailReceipt": app.MayMailReceipts, "SendReceipt": app.MayMailReceipts, "ReceiptTexts": app.MayMailReceipts, "ExportReceipts": app.MayExportAll, "ExportLedger": app.MayExportAll, "ExportPasses": app.MayExportAll,
	"ExportDayCloses": app.MayExportAll,
	"Receipt":         app.MaySeeReceipts, "Receipts": app.MaySeeReceipts, "Day": app.MaySeeTill, "Close": app.MayCloseDay,
	"DayCloses": app.MaySeeTill,
	"Upload":    app.MayManagePictures, "Convert": app.MayManagePictures, "Save": app.MayManagePictures, "Delete": app.MayManagePictures, "ExportPictures": app.MayExportAll, "ExportFiles": app.MayExportAll, "Pictures": app.MaySeePictures, "Picture": app.MaySeePictures,
	"CreateInvitation": app.MayInvite, "ResendInvitation": app.MayInvite, "RevokeInvitation": app.MayInvite, "Invitation": app.MaySeeInvitations,
	"Invitations": app.MaySeeInvitations, "ExportInvitations": app.MayExportAll,
	"Hold": app.MayBook, "ReleaseHold": app.MayBook,
	"VisitAvailability": app.MaySeeEventTypes, "BookVisit": app.MayBook, "VisitOpenTimes": app.MaySeeEventTypes, "VisitAt": app.MaySeeEventTypes, "VisitNextTimes": app.MaySeeEventTypes, "Visit": app.MaySeeBooking, "CancelVisit": app.MayCancel, "MoveVisit": app.MayMove, "MarkVisit": app.MayMarkAttendance, "UndoVisitMark": app.MayMarkAttendance, "RecordVisit": app.MayTakeMoney, "MarkVisitNoShow": app.MayMarkAttendance, "BookSeries": app.MayBook, "SeriesDates": app.MaySeeEventTypes, "Series": app.MaySeeBooking, "CancelSeries": app.MayCancel, "MoveSeries": app.MayMove,
	"Join": app.MayBook, "Waitlist": app.MaySeeBookings, "WaitlistEntry": app.MaySeeBookings, "EndEntry": app.MayCancel, "WaitsOfPerson": app.MayManageContacts,
	"OfferEntry": app.MayBook, "FreedTimes": app.MaySeeBookings, "SkipOffered": app.MayBook, "OpenFreed": app.MayBook,
	"PublicKey": app.MaySeeSessions, "Subscribe": app.MaySeeSessions, "Subscriptions": app.MaySeeSessions,
	"Choose": app.MaySeeSessions, "Try": app.MaySeeSessions, "Unsubscribe": app.MaySeeSessions,
	"BusyTimes": app.MaySeeBookings, "ResourceBusyTimes": app.MaySeeBookings, "ConnectCalendars": app.MayConnectCalendars, "CalendarConnections": app.MayConnectCalendars, "CalendarConnection": app.MayConnectCalendars,
	"ChooseCalendars": app.MayConnectCalendars, "ReadCalendars": app.MayConnectCalendars, "CalendarClashes": app.MayConnectCalendars, "Clashes": app.MaySeeBookings,
	"SignInURL": app.MayConnectCalendars, "SignedIn": app.MayConnectCalendars, "CalendarClients": app.MayConnectCalendars,
	"SetCalendarClient": app.MayManageWorkspace, "RemoveCalendarClient": app.MayManageWorkspace,
	"DisconnectCalendars": app.MayConnectCalendars, "CalendarWishes": app.MayConnectCalendars, "DropCalendarWish": app.MayConnectCalendars,
	"SaleOrder": app.MaySeeReceipts, "AuditLog": app.MaySeeAuditLog, "WriteAuditLog": app.MaySeeAuditLog, "ExportAuditLog": app.MaySeeAuditLog, "Analytics": app.MaySeeAnalytics, "ExportAll": app.MayExportAll, "WeekFigures": app.MaySeeFigures, "Statement": app.MaySeeFigures,
	"FieldOffers": app.MaySeeCard, "TakeOver": app.MayManageContacts, "ContactFields": app.MaySeeContacts,
	"SetContactFields": app.MayManageWorkspace, "SetConsents": app.MayManageWorkspace,
	"Report": app.MaySeeHealth, "ConfirmKeys": app.MaySeeHealth,
	"State": app.MayManagePrivacy, "ChooseRule": app.MayManagePrivacy, "PreviewRule": app.MayManagePrivacy, "ExportPerson": app.MayManageContacts,
	"Contact": app.MaySeeOwn, "LackingOwn": app.MaySeeOwn, "Devices": app.MaySeeOwn, "OwnBookings": app.MaySeeOwn, "OwnReceipt": app.MaySeeOwn, "Leave": app.MaySeeOwn, "LeaveAll": app.MaySeeOwn,
	"ExportOwn": app.MaySeeOwn,
}

// silent are methods that take an Actor and refuse nobody: they show what the caller holds already, or nothing.
var silent = map[string]bool{"Present": true, "SetupFor": true, "AskCalendars": true, "Trouble": true,
	"Lock": true, "Suggest": true, "UnseenCancellations": true, // parts of what has asked
	"Resolve": true, "ResolvePass": true, "FindPass": true} // who has a code may pay with it

// TestEveryCommandAsks calls every method of the core and the subjects that takes an Actor as every kind of actor, and
// expects the refusal that the table of rights says. The other arguments are empty, so what is allowed finds nothing.
func TestEveryCommandAsks(t *testing.T) {
	w := newWorld(t)
	w.Payment.SetProvider(stripe.New("http://127.0.0.1:1")) // refuses keys without asking anybody
	actors := map[string]app.Actor{
		"owner":                    {Kind: booking.ByOwner, User: 1, Role: app.OwnerRole},
		"manager":                  {Kind: booking.ByOwner, User: 2, Role: app.ManagerRole},
		"staff":                    {Kind: booking.ByOwner, User: 3, Role: app.StaffRole, Host: 1},
		"full key":                 {Kind: booking.ByAPI, Key: 1},
		"agent":                    {Kind: booking.ByAgent, Key: 1},
		"read-only key":            {Kind: booking.ByAPI, Key: 2, ReadOnly: true},
		"an owner's agent":         {Kind: booking.ByAgent, User: 1, Role: app.OwnerRole},
		"staff's agent that reads": {Kind: booking.ByAgent, User: 3, Role: app.StaffRole, Host: 1, ReadOnly: true},
		"invitee":                  {Kind: booking.ByInvitee, Booking: 1},
		"approver":                 {Kind: booking.ByOwner, Booking: 1},
		"system":                   {Kind: booking.BySystem},
		"operator":                 app.Operator(0),
		"nobody":                   {},
	}
	set := reflect.ValueOf(w.Set).Elem()
	seen := 0
	for i := range set.NumField() {
		room := set.Field(i)
		for j := range room.NumMethod() {
			name, do := room.Type().Method(j).Name, room.Method(j)
			at := actorArgument(do.Type())
			if at < 0 || silent[name] {
				continue
			}
			command, known := commands[name]
			if !known {
				t.Errorf("%s.%s takes an Actor and is not in the walk", set.Type().Field(i).Name, name)
				continue
			}
			seen++
			for who, a := range actors {
				a.Workspace = w.Workspace.ID
				err := callAs(t, do, at, a)
				if name == "SuspendWorkspace" { // what is asked next is asked of an open one
					_, resumed := w.Shop.ResumeWorkspace(t.Context(), app.Operator(w.Workspace.ID))
					w.Must(resumed)
				}
				want, forbidden := a.May(command), fault.Is(err, fault.Forbidden)
				// A method may ask for more than its command once it knows what it is asked for, never for less.
				if want != nil && (!forbidden || err.Error() != want.Error()) {
					t.Errorf("%s by %s: %v, want %v", name, who, err, want)
				}
				if want == nil && forbidden && (name != "SaveHost" || who != "staff") {
					t.Errorf("%s by %s is refused: %v", name, who, err)
				}
			}
		}
	}
	if seen != len(commands) {
		t.Errorf("%d methods were called, the walk names %d", seen, len(commands))
	}
}

func actorArgument(f reflect.Type) int {
	for i := range f.NumIn() {
		if f.In(i) == reflect.TypeFor[app.Actor]() {
			return i
		}
	}
	return -1
}

// callAs calls do with the actor, and with what is empty and harmless in all other places.
func callAs(t *testing.T, do reflect.Value, at int, a app.Actor) (err error) {
	args := make([]reflect.Value, do.Type().NumIn())
	for i := range args {
		switch in := do.Type().In(i); {
		case i == at:
			args[i] = reflect.ValueOf(a)
		case i == 0:
			args[i] = reflect.ValueOf(t.Context())
		case in == reflect.TypeFor[io.Writer]():
			args[i] = reflect.ValueOf(io.Discard)
		case in == reflect.TypeFor[io.Reader]():
			args[i] = reflect.ValueOf(strings.NewReader(""))
		case in == reflect.TypeFor[setup.File]():
			file, err := setup.Parse([]byte("workspace: {slug: salon}"))
			if err != nil {
				t.Fatal(err)
			}
			args[i] = reflect.ValueOf(file)
		case in.Kind() == reflect.Func:
			args[i] = reflect.MakeFunc(in, func([]reflect.Value) (out []reflect.Value) {
				for k := range in.NumOut() {
					out = append(out, reflect.Zero(in.Out(k)))
				}
				return out
			})
		default:
			args[i] = reflect.Zero(in)
		}
	}
	call := do.Call
	if do.Type().IsVariadic() {
		call = do.CallSlice
	}
	out := call(args)
	err, _ = out[len(out)-1].Interface().(error)
	return err
}

// withoutActor are the exported methods of the core and the subjects that take no Actor, by the reason why.
var withoutActor = map[string][]string{
	"the caller shows a token, a password, a session or a signature": {
		"SignIn", "SessionOf", "AnySession", "ProvePassword", "SignOut", "ChangePassword", "SetLocale", "InvitationOf", "TakeInvitation", "SetupLink",
		"TakeSetupLink", "Authenticate", "CheckKey", "Allow", "AllowHandshake", "BookingByToken", "VisitByToken", "CheckoutURL", "CheckoutDone", "VisitCheckoutURL", "VisitCheckoutDone",
		"OrderByToken", "OrderedPass", "PrintOrder", "CalendarByToken", "SigningSecret", "AcceptProviderEvent", "Data", "Preview", "Hint",
		"BookingToDecide", "MailToUnsubscribe", "Unsubscribe", "Linked", "SendCode", "Prove", "OpenQuestions", "LeaveWaitlist", "Take", "Refuse", "Open", "Waits", "Device", "AuthenticateToken", "CheckToken", "RevokeToken", "Token",
		"Factors", "BeginApp", "AppAgain", "AddApp", "RemoveApp", "ShowCode", "NewCodes", "Confirm", "BeginPasskey", "AddPasskey",
		"RenamePasskey", "RemovePasskey", "BeginShow", "ShowPasskey",
	},
	"anybody's form, which is limited by its network address":                 {"OrderVoucher", "Book", "Count", "CountOf", "Spent", "Register", "BeginSignIn", "Spend", "Work"},
	"who has the code or the link of a mail to a guest":                       {"ByToken", "ConfirmByLink"},
	"a person at a form, or a text from their number, which the sender signs": {"Tick", "Stop", "Start", "TextsState", "Number", "Inbound", "OpenQuestions"},
	"shown to everybody": {"SellsVouchers", "HasCodes", "Challenge", "Available", "Issuer", "ResourceMetadata", "ServerMetadata", "WorkspaceBySlug", "Listed", "TakesCards", "TakesMoney", "CalendarUID", "UIDDomain"},
	"a timer, or the server as it starts": {
		"Foretell", "Counts",
		"Lapse", "PruneSessions", "KeepSums", "SumDays", "KeepDays", "WriteDays", "CheckSums", "ShareRates", "NewSetupLink", "WaitingEndpoints", "ClaimDeliveries", "SettleDeliveries",
		"PruneWebhooks", "ReconcilePayments", "ClaimPaymentJobs", "NextPaymentJob", "RunPaymentJob", "TakeOver", "TakeOverFrom",
		"NoteBaseURL", "DatabaseID", "Replicas", "NoteReplicas", "WatchReplicas", "ServedAt", "CheckSecretKey", "FormKey", "StoredSecrets", "SealSecrets", "Sweep", "Maintain", "RunNights", "Due", "Step",
		"Certificate", "SaveCertificate", "DeleteCertificate", "ClockSetBack", "ReleaseLost", "Ready",
		"WriteMessages", "QueueCopies", "WriteCopies", "Settle",
		"WriteMails", "HasDueMails", "DueMailServers", "ClaimMail", "ClaimMails", "OwnServer", "MailSubject", "SettleMail",
		"TidyMails", "ShareMailServer", "Alert", "OldestUnsent", "Tend", "TendWatches", "ClaimDue", "ReadDue", "PostReceipt", "PostLink",
		"PostLinkAgain", "PostToGuest", "MailsGuests", "CheckMoved", "CertificateOrTurn", "LoopFailed", "NoteReplicaKey", "Figures",
		"ServerTrouble", "NoteUnknownProxy", "UnknownProxySeen", "OpenSession", "Attempt", "HasPasskeys", "Sample", "Step", "Watch", "CarryOut", "Run",
	},
	"what subjects and doors are built from; no door hands it a person's words": {
		"In", "Setup", "ForgetSetup", "SetBeside", "GoOn", "Beside", "InsertWorkspace", "KeepFields", "Write", "Upload", "Quietly", "Reader", "Now", "BaseURL", "DataVersion",
		"SetupVersion", "HealthKept", "Share", "Log", "Vault", "OnCommit", "Duties", "AddDuties", "SweepSoon", "SetTill", "SetLinks", "SetReceipts", "SetPasses", "PayNew", "GiveBackPasses", "SettleEdited", "GiveCode",
		"PostVoucher", "OpenPage", "ClosePage", "PageState", "PaymentState", "PayBack", "SetOthers", "InviteMember", "PostOwn", "PostWaits", "PostOffer", "PostOfferOver", "PostOpening", "Instead", "Ways", "TextsUsed", "SetChannel", "SetVisited", "NoteAsked", "With", "Divide", "Law", "CalendlyAPI", "Offer", "MayBeOffered", "WaitlistChanged", "SetProvider", "SetCalendars", "Ask", "ChooseListed", "Listed", "SetListed", "AsListed", "CheckListedHost", "Hint", "Most", "Assistant",
		"DecideURL", "UnsubscribeURL", "MailRoute", "ServerCheck", "MailOutlook", "MailsConfirmation", "TellsOfApproval", "TellsOfEnding", "Tells", "VisitEntry", "VisitHistory", "SeriesHistory", "VisitOf", "VisitURL",
		"LateFee", "GoesBack", "CloseAhead", "ContactCreated", "CalendarFailed", "ResourceCalendarFailed", "EndpointDisabled", "CalendarRefused", "FactorChanged",
	},
}

// TestMethodsWithoutAnActor fails when the core or a subject has a method without an Actor that withoutActor does not
// explain.
func TestMethodsWithoutAnActor(t *testing.T) {
	explained := map[string]bool{}
	for _, names := range withoutActor {
		for _, name := range names {
			explained[name] = false
		}
	}
	set := reflect.TypeFor[subjects.Set]()
	for i := range set.NumField() {
		room := set.Field(i)
		for j := range room.Type.NumMethod() {
			m := room.Type.Method(j)
			if actorArgument(m.Type) >= 0 {
				continue
			}
			if _, ok := explained[m.Name]; !ok {
				t.Errorf("%s.%s takes no Actor: give it one, or say in withoutActor why not", room.Name, m.Name)
			}
			explained[m.Name] = true
		}
	}
	for name, there := range explained {
		if !there {
			t.Errorf("withoutActor names %s, which is no method without an Actor", name)
		}
	}
}
