package id

// Listed is a kind of id, for the documents.
type Listed struct{ Prefix, Of string }

// Kinds are all kinds of the program. A test finds what is missing.
var Kinds = []Listed{
	{"ws_", "workspace"},
	{"hs_", "host"},
	{"rs_", "resource: a room, a chair, a piece of equipment"},
	{"et_", "event type"},
	{"bk_", "booking"},
	{"vi_", "visit of several bookings"},
	{"sr_", "series of bookings that come again"},
	{"ct_", "contact"},
	{"en_", "entry on a contact's card"},
	{"cf_", "photograph or file of a contact"},
	{"im_", "import of contacts"},
	{"key_", "API key"},
	{"us_", "user"},
	{"evt_", "event"},
	{"wh_", "webhook endpoint"},
	{"dl_", "delivery"},
	{"pay_", "payment, online or at the counter"},
	{"rc_", "receipt"},
	{"dc_", "count of a day's cash"},
	{"inv_", "invitation link"},
	{"hd_", "hold"},
	{"gr_", "request of a person's assistant, which waits to be confirmed"},
	{"ag_", "what a member allowed an agent's program"},
	{"oc_", "agent's program that has registered"},
	{"ml_", "mail"},
	{"log_", "entry of the audit log"},
	{"pky_", "passkey"},
	{"ps_", "device that gets notifications; never shown"},
	{"pm_", "notification that waits; never shown"},
	{"pic_", "uploaded picture"},
	{"fd_", "calendar address"},
	{"cc_", "connection to another calendar of a host"},
	{"cal_", "calendar of such a connection"},
	{"cx_", "cancellation of several bookings at once"},
	{"pj_", "work at Stripe that waits; never shown"},
	{"co_", "visit to Stripe's payment page; never shown"},
}
