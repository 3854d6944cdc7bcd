package discover

import (
	"slices"
	"strings"

	"daybook/app/mail/smtp"
)

// Provider is who keeps the mailboxes of many, as its help pages describe it, or else Thunderbird's collection of
// autoconfiguration files.
type Provider struct {
	Key, Name string // those of one Key are one provider, the first of them where somebody chooses
	Domains   string // of its addresses
	MX        string // domains of the hosts that take the mail of its customers' own domains
	Host      string
	Ports     Ports
	ByName    bool // it knows a mailbox by what is before the @
	Passwords Passwords
	Help      string
}

// Ports says at which ports a provider takes mails, 465 with TLS from the start and 587 with STARTTLS.
type Ports int

const (
	Both    Ports = iota
	Only465       // with TLS from the start
	Only587       // with STARTTLS
)

const (
	yahooDomains = `yahoo.com yahoo.ca yahoo.de yahoo.it yahoo.fr yahoo.es yahoo.se yahoo.ie yahoo.co.in yahoo.co.uk
		yahoo.co.nz yahoo.com.au yahoo.com.ar yahoo.com.br yahoo.com.mx ymail.com myyahoo.com rocketmail.com`
	aolDomains = `aol.com aim.com netscape.net compuserve.com cs.com aol.de aol.it aol.fr aol.es aol.se aol.co.uk aol.co.nz
		aol.com.au aol.com.ar aol.com.br aol.com.mx`
	outlookDomains = `outlook.com outlook.at outlook.be outlook.cl outlook.cz outlook.de outlook.dk outlook.es outlook.fr
		outlook.hu outlook.ie outlook.in outlook.it outlook.jp outlook.kr outlook.lv outlook.my outlook.ph outlook.pt
		outlook.sa outlook.sg outlook.sk outlook.co.id outlook.co.il outlook.co.th outlook.com.ar outlook.com.au
		outlook.com.br outlook.com.gr outlook.com.tr outlook.com.vn hotmail.com hotmail.be hotmail.ca hotmail.cl hotmail.cz
		hotmail.de hotmail.dk hotmail.es hotmail.fi hotmail.fr hotmail.gr hotmail.hu hotmail.it hotmail.lt hotmail.lv
		hotmail.my hotmail.nl hotmail.no hotmail.ph hotmail.rs hotmail.se hotmail.sg hotmail.sk hotmail.co.id hotmail.co.il
		hotmail.co.in hotmail.co.jp hotmail.co.kr hotmail.co.th hotmail.co.uk hotmail.co.za hotmail.com.ar hotmail.com.au
		hotmail.com.br hotmail.com.hk hotmail.com.tr hotmail.com.tw hotmail.com.vn live.com live.at live.be live.ca live.cl
		live.cn live.de live.dk live.fi live.fr live.hk live.ie live.in live.it live.jp live.nl live.no live.ru live.se
		live.co.jp live.co.kr live.co.uk live.co.za live.com.ar live.com.au live.com.mx live.com.my live.com.ph live.com.pt
		live.com.sg msn.com windowslive.com passport.com`
	gmxDomains     = `gmx.net gmx.de gmx.at gmx.ch gmx.eu gmx.biz gmx.org gmx.info`
	telekomDomains = `t-online.de magenta.de`
	posteoDomains  = `posteo.de posteo.net posteo.org posteo.eu posteo.at posteo.be posteo.ch posteo.es posteo.it posteo.nl
		posteo.uk posteo.us posteo.com posteo.co.uk posteo.me`
	ionosDomains = `online.de onlinehome.de sofortstart.de sofort-start.de sofortsurf.de sofort-surf.de go4more.de`
)

// Providers are those that are known.
var Providers = []Provider{
	{Key: "gmail", Name: "Google", Domains: "gmail.com googlemail.com", MX: "google.com googlemail.com",
		Host: "smtp.gmail.com", Passwords: AppPassword, Help: "https://myaccount.google.com/apppasswords"},
	{Key: "outlook", Name: "Outlook.com", Domains: outlookDomains, MX: "olc.protection.outlook.com",
		Host: "smtp-mail.outlook.com", Ports: Only587, Passwords: NoPassword,
		Help: "https://support.microsoft.com/office/d088b986-291d-42b8-9564-9c414e2aa040"},
	{Key: "microsoft", Name: "Microsoft 365", Domains: "office365.com",
		MX:   "mail.protection.outlook.com mx.microsoft",
		Host: "smtp.office365.com", Ports: Only587, Passwords: NoPassword,
		Help: "https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/deprecation-of-basic-authentication-exchange-online"},
	{Key: "icloud", Name: "Apple iCloud", Domains: "icloud.com me.com mac.com", Host: "smtp.mail.me.com", Ports: Only587,
		Passwords: AppPassword, Help: "https://support.apple.com/102654"},
	{Key: "aol", Name: "AOL", Domains: aolDomains, MX: "mail.gm0.yahoodns.net", Host: "smtp.aol.com", Ports: Only465,
		Passwords: AppPassword, Help: "https://login.aol.com/account/security"},
	{Key: "yahoo", Name: "Yahoo", Domains: yahooDomains, MX: "yahoodns.net", Host: "smtp.mail.yahoo.com", Ports: Only465,
		Passwords: AppPassword, Help: "https://login.yahoo.com/account/security"},
	{Key: "gmx", Name: "GMX", Domains: gmxDomains, MX: "gmx.net", Host: "mail.gmx.net", Passwords: Switched,
		Help: "https://hilfe.gmx.net/pop-imap/einschalten.html"},
	{Key: "webde", Name: "WEB.DE", Domains: "web.de", Host: "smtp.web.de", ByName: true, Passwords: Switched,
		Help: "https://hilfe.web.de/pop-imap/einschalten.html"},
	{Key: "telekom", Name: "Telekom", Domains: telekomDomains, MX: "t-online.de", Host: "securesmtp.t-online.de",
		Passwords: OwnPassword,
		Help:      "https://www.telekom.de/hilfe/apps-dienste/e-mail/einstellungen/posteingang-postausgang-server"},
	{Key: "fastmail", Name: "Fastmail", Domains: "fastmail.com fastmail.fm", MX: "messagingengine.com",
		Host: "smtp.fastmail.com", Ports: Only465, Passwords: AppPassword,
		Help: "https://www.fastmail.com/help/clients/apppassword.html"},
	{Key: "ionos", Name: "IONOS", Domains: ionosDomains, MX: "ionos.de kundenserver.de", Host: "smtp.ionos.de"},
	{Key: "ionos", Name: "IONOS", MX: "ionos.com", Host: "smtp.ionos.com"},
	{Key: "ionos", Name: "IONOS", MX: "ionos.co.uk", Host: "smtp.ionos.co.uk"},
	{Key: "ionos", Name: "IONOS", MX: "ionos.fr", Host: "smtp.ionos.fr"},
	{Key: "ionos", Name: "IONOS", MX: "ionos.es", Host: "smtp.ionos.es"},
	{Key: "ionos", Name: "IONOS", MX: "ionos.it", Host: "smtp.ionos.it"},
	{Key: "strato", Name: "STRATO", MX: "rzone.de", Host: "smtp.strato.de"},
	{Key: "ovh", Name: "OVHcloud", MX: "mail.ovh.net ovh.net", Host: "ssl0.ovh.net"},
	{Key: "infomaniak", Name: "Infomaniak", Domains: "ik.me ikmail.com etik.com", MX: "infomaniak.ch infomaniak.com",
		Host: "mail.infomaniak.com"},
	{Key: "mailbox", Name: "mailbox.org", Domains: "mailbox.org", MX: "mailbox.org", Host: "smtp.mailbox.org",
		Passwords: SecondApp, Help: "https://kb.mailbox.org/en/private/e-mail/e-mail-configuration"},
	{Key: "posteo", Name: "Posteo", Domains: posteoDomains, Host: "posteo.de"},
	{Key: "zoho", Name: "Zoho Mail", Domains: "zoho.com zohomail.com", MX: "zoho.com", Host: "smtp.zoho.com",
		Passwords: SecondApp, Help: "https://www.zoho.com/mail/help/zoho-smtp.html"},
	{Key: "zoho", Name: "Zoho Mail", Domains: "zoho.eu zohomail.eu", MX: "zoho.eu", Host: "smtp.zoho.eu",
		Passwords: SecondApp, Help: "https://www.zoho.com/mail/help/zoho-smtp.html"},
	{Key: "one", Name: "one.com", MX: "one.com", Host: "send.one.com", Ports: Only465},
	{Key: "gandi", Name: "Gandi", MX: "mail.gandi.net", Host: "mail.gandi.net"},
	{Key: "orange", Name: "Orange", Domains: "orange.fr wanadoo.fr", Host: "smtp.orange.fr", Ports: Only465},
	{Key: "free", Name: "Free", Domains: "free.fr", Host: "smtp.free.fr", Ports: Only465, ByName: true},
	{Key: "laposte", Name: "La Poste", Domains: "laposte.net", Host: "smtp.laposte.net", Ports: Only465, ByName: true},
}

func providerOfDomain(domain string) *Provider {
	return find(func(p *Provider) bool {
		return slices.Contains(strings.Fields(p.Domains), domain) ||
			p.Key == "microsoft" && within(domain, "onmicrosoft.com")
	})
}

func providerOfMX(host string) *Provider {
	return find(func(p *Provider) bool {
		return slices.ContainsFunc(strings.Fields(p.MX), func(of string) bool { return within(host, of) })
	})
}

func find(is func(p *Provider) bool) *Provider {
	for i := range Providers {
		if is(&Providers[i]) {
			return &Providers[i]
		}
	}
	return nil
}

// Advice returns what its customers must know.
func (p *Provider) Advice() Advice {
	return Advice{Provider: p.Name, Passwords: p.Passwords, Help: p.Help}
}

// servers returns those of a mailbox; none if the provider takes no passwords.
func (p *Provider) servers(addr string) (all []Server) {
	if p.Passwords == NoPassword {
		return nil
	}
	user := addr
	if p.ByName {
		user, _ = split(addr)
	}
	if p.Ports != Only587 {
		all = append(all, Server{Host: p.Host, Port: 465, TLS: smtp.FullTLS, User: user, Sure: true})
	}
	if p.Ports != Only465 {
		all = append(all, Server{Host: p.Host, Port: 587, TLS: smtp.StartTLS, User: user, Sure: true})
	}
	return all
}
