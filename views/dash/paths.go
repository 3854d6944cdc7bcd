package dash

import (
	"net/url"
	"time"
)

// The addresses before signing in, and out again.
const (
	LoginPath  = "/login"
	LogoutPath = "/logout"
)

// What is asked after the password, and a passkey instead of it.
const (
	SecondPath         = LoginPath + "/second"
	SecondPasskeyPath  = SecondPath + "/passkey"
	LoginPasskeyPath   = LoginPath + "/passkey"
	SecurityPath       = AccountPath + "/security"
	ConfirmPath        = SecurityPath + "/confirm" // that it is them
	ConfirmPasskeyPath = ConfirmPath + "/passkey"
	AppPath            = SecurityPath + "/app"
	AppRemovePath      = AppPath + "/remove"
	CodesPath          = SecurityPath + "/codes"
	PasskeysPath       = SecurityPath + "/passkeys"
	PasskeyAskPath     = PasskeysPath + "/ask"
)

// PasskeyPath gives a passkey another name.
func PasskeyPath(id string) string { return PasskeysPath + "/" + id }

// PasskeyRemovePath removes it.
func PasskeyRemovePath(id string) string { return PasskeyPath(id) + "/remove" }

// SetupPath makes the first account, with the token of the set-up link.
func SetupPath(token string) string { return "/setup/" + url.PathEscape(token) }

// InvitePath takes an invitation up.
func InvitePath(token string) string { return "/invite/" + url.PathEscape(token) }

// The first steps of a new owner.
const (
	StartHoursPath    = TodayPath + "/start/hours"
	StartTradePath    = TodayPath + "/start/trade"
	StartServicesPath = TodayPath + "/start/services"
	StartServicePath  = TodayPath + "/start/service" // of no trade that is known
	StartPicturePath  = TodayPath + "/start/picture"
	StartShopPath     = TodayPath + "/start/shop"
	StartDonePath     = TodayPath + "/start/done"
)

// PosterPath is what is printed for the shop: a poster, or with kind=cards ten cards on a sheet.
const PosterPath = TodayPath + "/poster"

// Today, and a member's own account.
const (
	TodayPath      = "/dashboard"
	ThemePath      = TodayPath + "/theme"
	AccountPath    = TodayPath + "/account"
	ManifestPath   = TodayPath + "/manifest.webmanifest"
	WorkerPath     = TodayPath + "/worker.js"
	OfflinePath    = TodayPath + "/offline" // what the worker shows without a network
	LanguagePath   = AccountPath + "/language"
	PasswordPath   = AccountPath + "/password"
	PushPath       = AccountPath + "/push"
	EverywherePath = AccountPath + "/everywhere" // signs out everywhere
)

// Bookings.
const (
	BookingsPath   = TodayPath + "/bookings"
	CalendarPath   = BookingsPath + "/calendar"
	CalendarMove   = CalendarPath + "/move"
	CalendarGrow   = CalendarPath + "/grow" // gives a booking another end
	CalendarBlock  = CalendarPath + "/block"
	CalendarFree   = CalendarPath + "/free" // removes a time off
	NewBookingPath = BookingsPath + "/new"
	CancelPath     = BookingsPath + "/cancel"   // several at once
	PeoplePath     = NewBookingPath + "/people" // finds whom it is for
	PersonPath     = NewBookingPath + "/person" // what is known of them
)

// CancellationPath returns a cancellation of several bookings; the functions below undo it and take its result from
// Today.
func CancellationPath(id string) string { return TodayPath + "/cancellations/" + id }

func CancellationUndoPath(id string) string { return CancellationPath(id) + "/undo" }

func CancellationSeenPath(id string) string { return CancellationPath(id) + "/seen" }

// BookingPath returns a booking; the functions below are what can be done about it.
func BookingPath(id string) string { return BookingsPath + "/" + id }

// BookingMovePath picks another time.
func BookingMovePath(id string) string { return BookingPath(id) + "/move" }

// Operation is something that a form with one button does about a booking. It ends the form's address.
type Operation string

// The operations that pages or tests name. What is offered, and in which order, are the rows of operations in
// app/dashboard/calendar; a new one needs no name here.
const (
	DoConfirm Operation = "confirm"
	DoDecline Operation = "decline"
	DoArrived Operation = "arrived"
	DoDone    Operation = "done"
	DoNoShow  Operation = "no-show"
	DoUndo    Operation = "undo" // takes a mark back
	DoEdit    Operation = "edit"
	DoResend  Operation = "resend"
	DoCancel  Operation = "cancel"

	DoAskComing Operation = "ask-coming" // asks the invitee whether they come
	DoComing    Operation = "coming"     // notes that they say so
	DoNotComing Operation = "not-coming" // or that they don't
)

// BookingDoPath does an operation.
func BookingDoPath(id string, o Operation) string { return BookingPath(id) + "/" + string(o) }

// BookingRefundPath gives money of a payment ("price" or "fee") back.
func BookingRefundPath(id, of string) string { return BookingPath(id) + "/refund?of=" + of }

// BookingPayPath takes money for a booking.
func BookingPayPath(id string) string { return BookingPath(id) + "/pay" }

// BookingReceiptPath makes a receipt of what is paid so far.
func BookingReceiptPath(id string) string { return BookingPath(id) + "/receipt" }

// The till.
const (
	TillPath       = TodayPath + "/till"
	TillClosePath  = TillPath + "/close"
	BooksPath      = TillPath + "/books"
	BooksDATEVPath = BooksPath + "/datev"
	BooksTablePath = BooksPath + "/table"
	ReceiptsPath   = TillPath + "/receipts"
	PassesPath     = TillPath + "/passes"
	OwedPath       = PassesPath + "/owed"
)

// PassPath is a pass or voucher.
func PassPath(id string) string { return PassesPath + "/" + id }

// PassPrintPath prints it with its code.
func PassPrintPath(id string) string { return PassPath(id) + "/print" }

// SellPath begins a sale, with a booking if one is named.
const SellPath = TillPath + "/sell"

// SalePath is a sale.
func SalePath(id string) string { return TillPath + "/sales/" + id }

// ReceiptPath returns a receipt.
func ReceiptPath(id string) string { return ReceiptsPath + "/" + id }

// ReceiptMailPath sends a receipt by e-mail.
func ReceiptMailPath(id string) string { return ReceiptPath(id) + "/mail" }

// GiveBackPath gives a payment at the counter back.
func GiveBackPath(id string) string { return TillPath + "/payments/" + id + "/back" }

// Event types.
const (
	TypesPath   = TodayPath + "/types"
	NewTypePath = TypesPath + "/new"
)

// TypePath returns an event type's form.
func TypePath(id string) string { return TypesPath + "/" + id }

// TypeMovePath moves an event type by so many places.
func TypeMovePath(id string) string { return TypePath(id) + "/move" }

// TypeCategoryPath moves the category of an event type by so many places.
func TypeCategoryPath(id string) string { return TypePath(id) + "/category" }

// TypePricePath sets the price of an event type.
func TypePricePath(id string) string { return TypePath(id) + "/price" }

// TypeSwitchPath switches an event type on or off.
func TypeSwitchPath(id string) string { return TypePath(id) + "/switch" }

// TypePreviewPath shows the booking page of what is typed; id may be "new".
func TypePreviewPath(id string) string { return TypePath(id) + "/preview" }

// TypeCopyPath makes a copy of an event type.
func TypeCopyPath(id string) string { return TypePath(id) + "/copy" }

// Availability.
const (
	HostsPath   = TodayPath + "/hosts"
	NewHostPath = HostsPath + "/new"
)

// HostPath is a person's page: what is true of them, their name and their picture.
func HostPath(id string) string { return HostsPath + "/" + id }

// HostServicesPath has what a person does.
func HostServicesPath(id string) string { return HostPath(id) + "/services" }

// HostHoursPath has a person's week.
func HostHoursPath(id string) string { return HostPath(id) + "/hours" }

// HostCalendarPath has a person's other calendars.
func HostCalendarPath(id string) string { return HostPath(id) + "/calendar" }

// HostSignInPath invites a person to sign in, or changes as what they do.
func HostSignInPath(id string) string { return HostPath(id) + "/sign-in" }

// HostSignInAgainPath makes another link for a password.
func HostSignInAgainPath(id string) string { return HostSignInPath(id) + "/again" }

// HostSignInEndPath ends that they sign in.
func HostSignInEndPath(id string) string { return HostSignInPath(id) + "/end" }

// HostActivePath switches a host on or off.
func HostActivePath(id string) string { return HostPath(id) + "/active" }

// HostDatesPath lists a host's special days.
func HostDatesPath(id string) string { return HostPath(id) + "/dates" }

// HostMonthPath shows a month of them.
func HostMonthPath(id string, month time.Time) string {
	return HostDatesPath(id) + "?month=" + month.Format("2006-01")
}

// HostDatePath changes one day ("2026-12-24").
func HostDatePath(id, date string) string {
	return HostDatesPath(id) + "?date=" + url.QueryEscape(date)
}

// HostAwayPath lists a host's time off.
func HostAwayPath(id string) string { return HostPath(id) + "/away" }

// HostAwayRemovePath ends a time off.
func HostAwayRemovePath(id string) string { return HostAwayPath(id) + "/remove" }

// HostAwayHolidaysPath sets whether public holidays are days off.
func HostAwayHolidaysPath(id string) string { return HostAwayPath(id) + "/holidays" }

// HostAwayBookingsPath lists the bookings in a time off.
func HostAwayBookingsPath(id string) string { return HostAwayPath(id) + "/bookings" }

// HostWhyPath explains why a time can't be booked.
func HostWhyPath(id string) string { return HostPath(id) + "/why" }

// What is sold besides services.
const (
	ProductsPath   = TodayPath + "/products"
	NewProductPath = ProductsPath + "/new"
)

// ProductPath returns a product's form.
func ProductPath(id string) string { return ProductsPath + "/" + id }

// ProductStockPath sets how many there are.
func ProductStockPath(id string) string { return ProductPath(id) + "/stock" }

// ProductActivePath archives a product, or puts it back on sale.
func ProductActivePath(id string) string { return ProductPath(id) + "/active" }

// ProductDeletePath deletes a product that was never sold.
func ProductDeletePath(id string) string { return ProductPath(id) + "/delete" }

// Rooms, chairs and equipment.
const (
	ResourcesPath   = TodayPath + "/resources"
	NewResourcePath = ResourcesPath + "/new"
)

// ResourcePath returns a resource's form.
func ResourcePath(id string) string { return ResourcesPath + "/" + id }

// ResourceActivePath switches a resource on or off.
func ResourceActivePath(id string) string { return ResourcePath(id) + "/active" }

// ResourceAwayPath lists a resource's time off.
func ResourceAwayPath(id string) string { return ResourcePath(id) + "/away" }

// ResourceAwayRemovePath ends a time off.
func ResourceAwayRemovePath(id string) string { return ResourceAwayPath(id) + "/remove" }

// Contacts.
const (
	ContactsPath       = TodayPath + "/contacts"
	NewContactPath     = ContactsPath + "/new"
	ContactsImportPath = ContactsPath + "/import"
	ContactsExportPath = ContactsPath + "/export"
)

// ImportPath returns an import of contacts.
func ImportPath(id string) string { return TodayPath + "/imports/" + id }

// ImportUndoPath undoes an import of contacts.
func ImportUndoPath(id string) string { return ImportPath(id) + "/undo" }

// ContactPath returns a contact.
func ContactPath(id string) string { return ContactsPath + "/" + id }

// ContactEditPath changes a contact.
func ContactEditPath(id string) string { return ContactPath(id) + "/edit" }

// ContactTextsPath notes what a customer said about texts.
func ContactTextsPath(id string) string { return ContactPath(id) + "/texts" }

// ContactNotesPath saves the notes of a contact.
func ContactNotesPath(id string) string { return ContactPath(id) + "/notes" }

// ContactMergePath makes one contact of two.
func ContactMergePath(id string) string { return ContactPath(id) + "/merge" }

// ContactDeletePath deletes a contact.
func ContactDeletePath(id string) string { return ContactPath(id) + "/delete" }

// SameAgainPath opens the card of a contact with the form that is filled with the last formula.
func SameAgainPath(id string) string { return ContactPath(id) + "?again=1#" + WritePart }

// CardEntriesPath writes on the card of a contact; the two below pin an entry, or take the pin off, and delete it.
func CardEntriesPath(id string) string { return ContactPath(id) + "/entries" }

func CardPinPath(id, entry string) string { return CardEntriesPath(id) + "/" + entry + "/pin" }

func CardEntryDeletePath(id, entry string) string {
	return CardEntriesPath(id) + "/" + entry + "/delete"
}

// CardConsentsPath records a consent of a contact; the others are where it is signed and shown, and withdraw it.
func CardConsentsPath(id string) string { return ContactPath(id) + "/consents" }

func CardSignPath(id string) string { return CardConsentsPath(id) + "/new" }

// CardSignedPath thanks for it.
func CardSignedPath(id string) string { return CardConsentsPath(id) + "/thanks" }

func CardConsentPath(id, consent string) string { return CardConsentsPath(id) + "/" + consent }

func CardWithdrawPath(id, consent string) string { return CardConsentPath(id, consent) + "/withdraw" }

// CardHealthPath writes something of a contact's health; the other deletes it.
func CardHealthPath(id string) string { return ContactPath(id) + "/health" }

func CardHealthDeletePath(id, entry string) string {
	return CardHealthPath(id) + "/" + entry + "/delete"
}

// CardFilesPath adds a photograph or a file to the card of a contact; the others send one, a picture made small, and
// delete one.
func CardFilesPath(id string) string { return ContactPath(id) + "/files" }

func CardFilePath(id, file string) string { return CardFilesPath(id) + "/" + file }

func CardSmallPath(id, file string) string { return CardFilePath(id, file) + "?small" }

func CardFileDeletePath(id, file string) string { return CardFilePath(id, file) + "/delete" }

// Analytics.
const (
	AnalyticsPath       = TodayPath + "/analytics"
	AnalyticsExportPath = AnalyticsPath + "/export"
	StatementPath       = AnalyticsPath + "/month" // of a person, with host and month
	StatementExportPath = StatementPath + "/export"
)

// Integrations: keys, webhooks and agents are for developers; the other tabs have kept their addresses among settings.
const (
	IntegrationsPath = TodayPath + "/integrations"
	KeysPath         = TodayPath + "/developers"
	NewKeyPath       = KeysPath + "/keys/new"
	WebhooksPath     = KeysPath + "/webhooks"
	NewWebhookPath   = WebhooksPath + "/new"
	AgentsPath       = KeysPath + "/agents"
	EmbedPath        = KeysPath + "/embed"
	EmbedPreviewPath = EmbedPath + "/preview"
)

// KeyRotatePath gives a key a new value.
func KeyRotatePath(id string) string { return KeysPath + "/keys/" + id + "/rotate" }

// KeyRevokePath ends a key.
func KeyRevokePath(id string) string { return KeysPath + "/keys/" + id + "/revoke" }

// WebhookPath returns a webhook and what was sent to it.
func WebhookPath(id string) string { return WebhooksPath + "/" + id }

// WebhookTestPath sends a test.
func WebhookTestPath(id string) string { return WebhookPath(id) + "/test" }

// WebhookOnPath switches a webhook on.
func WebhookOnPath(id string) string { return WebhookPath(id) + "/on" }

// WebhookOffPath switches a webhook off.
func WebhookOffPath(id string) string { return WebhookPath(id) + "/off" }

// WebhookRotatePath gives a webhook a new signing secret.
func WebhookRotatePath(id string) string { return WebhookPath(id) + "/rotate" }

// WebhookDeletePath deletes a webhook.
func WebhookDeletePath(id string) string { return WebhookPath(id) + "/delete" }

// DeliveryPath returns one delivery of a webhook.
func DeliveryPath(webhook, id string) string { return WebhookPath(webhook) + "/deliveries/" + id }

// DeliveryAgainPath sends it again.
func DeliveryAgainPath(webhook, id string) string { return DeliveryPath(webhook, id) + "/again" }

// Settings.
const (
	SettingsPath      = TodayPath + "/settings"
	ConsentsPath      = SettingsPath + "/consents"
	AccountsPath      = SettingsPath + "/accounts"
	SettingsBrandPath = SettingsPath + "/brand"
	BrandPreviewPath  = SettingsBrandPath + "/preview"
	MembersPath       = SettingsPath + "/members"
	MembersFactorPath = SettingsPath + "/factor"
	DataPath          = SettingsPath + "/data"
	ExportPath        = SettingsPath + "/export"
	SetupFilePath     = SettingsPath + "/setup"
	DeletePath        = SettingsPath + "/delete"
	MailPath          = SettingsPath + "/mail"
	MailTestPath      = MailPath + "/test"
	MailKindsPath     = MailPath + "/kinds"
	TextsPath         = SettingsPath + "/texts"
	TextsTestPath     = TextsPath + "/test"
	TextsRemovePath   = TextsPath + "/remove"
	TextsRulesPath    = TextsPath + "/rules"
	TextsRoutePath    = TextsPath + "/address" // makes another secret address
	MailFindPath      = MailPath + "/find"
	MailConnectPath   = MailPath + "/connect"
	MailCodePath      = MailPath + "/code"
	MailSendPath      = MailPath + "/send-code"
	PaymentsPath      = SettingsPath + "/payments"
	DisconnectPath    = PaymentsPath + "/disconnect"
	FeedsPath         = SettingsPath + "/feeds"
)

// MemberPath changes a member.
func MemberPath(id string) string { return MembersPath + "/" + id }

// MemberInvitePath invites a member again.
func MemberInvitePath(id string) string { return MemberPath(id) + "/invite" }

// MemberRemovePath removes a member.
func MemberRemovePath(id string) string { return MemberPath(id) + "/remove" }

// MailAgainPath sends a mail again.
func MailAgainPath(id string) string { return MailPath + "/" + id + "/again" }

// TextsSenderPath is the form of a way to send texts.
func TextsSenderPath(preset string) string { return TextsPath + "/by/" + preset }

// TextAgainPath sends a text of the log again.
func TextAgainPath(id string) string { return TextsPath + "/again/" + id }
