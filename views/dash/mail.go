package dash

// MailPage is how a business sends mail: whether it does, by an address and a password, or by a server that somebody
// describes; which mails are sent; and those that were.
type MailPage struct {
	SettingsFrame
	Status  SettingsList
	Digits  *MailDigits
	Connect MailConnect
	Expert  MailExpert
	Kinds   []Group
	Lists   []SettingsList
}

// MailDigits takes the four digits of a test mail.
type MailDigits struct {
	Text    string
	Problem string
	Groups  []Group // none: the digits can't be typed any more
	Again   string  // sends others
}

// MailConnect is a step of finding a server by an address.
type MailConnect struct {
	Title, Text string
	Problem     string
	Fold        string // what opens it; "" shows it
	Action      string // "" asks for nothing
	Submit      string
	Address     string     // that was typed before
	Server      string     // the only one to choose
	Help        []MailLink // where the provider explains it, or where to go on
	Groups      []Group
}

// MailLink leads to a page, of another site if Away.
type MailLink struct {
	Label, URL string
	Away       bool
}

// MailExpert is the form of a server for those who know how to describe one.
type MailExpert struct {
	Problem string
	Presets Presets
	Groups  []Group
	Open    bool
}
