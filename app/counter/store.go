package counter

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/when"
)

// Entry is a row of the ledger: money that was taken for a booking or, with amounts below zero, given back. It is never
// changed. Its JSON is that of an export.
type Entry struct {
	ID          booking.PaymentID   `json:"id"`
	WorkspaceID catalog.WorkspaceID `json:"-"`
	BookingID   booking.BookingID   `json:"bookingId,omitzero"` // 0: for what is no service
	SaleID      SaleID              `json:"saleId,omitzero"`    // 0: of none
	HostID      catalog.HostID      `json:"hostId,omitzero"`    // whose it is where there is no booking
	GivesBack   booking.PaymentID   `json:"givesBack,omitzero"` // the entry whose money goes back; 0: it was taken
	Method      booking.Method      `json:"method"`
	Amount      int64               `json:"amount"`
	Tip         int64               `json:"tip"`
	Currency    string              `json:"currency"`
	Actor       booking.ActorKind   `json:"by"`
	By          string              `json:"byId,omitempty"` // id of the key or user
	At          when.Instant        `json:"at"`
}

// Reads are the subject's own reads.
type Reads interface {
	// CounterEntry returns the entry with that id.
	CounterEntry(ws catalog.WorkspaceID, id booking.PaymentID) (Entry, error)
	// CounterEntries returns at most limit entries after that one, the oldest first.
	CounterEntries(ws catalog.WorkspaceID, at when.Instant, id booking.PaymentID, limit int) ([]Entry, error)
	// CounterSums returns the sums of the entries made in [from, to).
	CounterSums(ws catalog.WorkspaceID, from, to when.Instant) ([]Taking, error)
	Receipt(ws catalog.WorkspaceID, id booking.ReceiptID) (Receipt, error)
	// Receipts returns the receipts that the filter selects, the latest first unless it says otherwise.
	Receipts(ws catalog.WorkspaceID, f ReceiptFilter) ([]Receipt, error)
	// DayCloses returns the counts of a day, the earliest first.
	DayCloses(ws catalog.WorkspaceID, day string) ([]DayClose, error)
	// AllDayCloses returns at most limit counts after that one, the earliest first.
	AllDayCloses(ws catalog.WorkspaceID, day string, id CloseID, limit int) ([]DayClose, error)
	// Sale returns a sale. Errors: ErrNotFound.
	Sale(ws catalog.WorkspaceID, id SaleID) (Sale, error)
	// Sales returns the sales that the filter selects, the latest first.
	Sales(ws catalog.WorkspaceID, f SaleFilter) ([]Sale, error)
	// OpenSale returns the open sale that the booking is in. Errors: ErrNotFound.
	OpenSale(ws catalog.WorkspaceID, of booking.BookingID) (SaleID, error)
	// Product returns a product, though it isn't sold any more. Errors: ErrNotFound.
	Product(ws catalog.WorkspaceID, id catalog.ProductID) (catalog.Product, error)
	// HasOtherRate reports whether a product on sale has another rate of tax than that.
	HasOtherRate(ws catalog.WorkspaceID, than money.Rate) (bool, error)
	// Order returns an order of a voucher. Errors: ErrNotFound, as of those below.
	Order(ws catalog.WorkspaceID, id payment.CheckoutID) (Order, error)
	OrderBySession(ws catalog.WorkspaceID, session string) (Order, error)
	OrderByIntent(ws catalog.WorkspaceID, intent string) (Order, error)
	OrderOfSale(ws catalog.WorkspaceID, sale SaleID) (Order, error)
	// DueOrders returns orders of all workspaces about which the provider is to be asked now.
	DueOrders(now when.Instant, limit int) ([]Order, error)
	// LastClose returns the latest count of an earlier day, or ErrNotFound.
	LastClose(ws catalog.WorkspaceID, before string) (DayClose, error)
}

// Writes are the subject's own writes.
type Writes interface {
	InsertCounterEntry(e *Entry) error
	// NextReceiptNumber returns the number after the last one of that year. Every other transaction that asks for a
	// number of the workspace waits for the end of this one, so it must be called after hosts and bookings are locked.
	NextReceiptNumber(ws catalog.WorkspaceID, year int) (int64, error)
	InsertReceipt(r *Receipt) error // ErrTaken: the receipt that it reverses was reversed already
	InsertDayClose(c *DayClose) error

	InsertSale(s *Sale) error
	UpdateSale(s *Sale) error
	// LockSale makes every other transaction that locks the sale wait for the end of this one. It comes behind the locks of
	// its bookings.
	LockSale(ws catalog.WorkspaceID, id SaleID) error
	// SaleHas says which bookings the open sale has, in place of those that it had. ErrTaken: one is in another open sale.
	SaleHas(ws catalog.WorkspaceID, id SaleID, all []booking.BookingID) error
	// LeaveSale says that a booking is no more in the open sale: it may join another one.
	LeaveSale(ws catalog.WorkspaceID, id SaleID, b booking.BookingID) error
	// SettleSale says that the sale is open no more: its bookings may join another one.
	SettleSale(ws catalog.WorkspaceID, id SaleID) error
	InsertOrder(o *Order) error
	UpdateOrder(o *Order) error
	DeleteOrder(ws catalog.WorkspaceID, id payment.CheckoutID) error
	// LockOrder makes every other transaction that locks the order wait for the end of this one, and returns it. It comes
	// behind the lock of its sale, and before those of passes. Errors: ErrNotFound.
	LockOrder(ws catalog.WorkspaceID, id payment.CheckoutID) (Order, error)
	// ClaimOrder reports whether the order was due as o says, and then makes it due again at until.
	ClaimOrder(o *Order, until when.Instant) (bool, error)
	// AddToStock counts a product up or down, where it is counted.
	AddToStock(ws catalog.WorkspaceID, id catalog.ProductID, delta int64) error
}

// ReceiptFilter says which receipts are listed.
type ReceiptFilter struct {
	Booking  booking.BookingID // 0 is all
	Host     catalog.HostID    // 0 is all
	From, To booking.ReceiptID // in [From, To); To 0 is no end
	Limit    int

	OldestFirst bool
}
