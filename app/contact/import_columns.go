package contact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"daybook/app/catalog"
)

// ImportField says what a column of an imported file becomes.
type ImportField string

// samplesMost is how many cells of a column are shown.
const samplesMost = 3

// What a column becomes.
const (
	Dropped    ImportField = "" // it is not kept
	FullName   ImportField = "name"
	FirstName  ImportField = "first"
	MiddleName ImportField = "middle"
	LastName   ImportField = "last"
	EmailField ImportField = "email"
	PhoneField ImportField = "phone"
	ZoneField  ImportField = "zone"
	NotesField ImportField = "notes"
	// NumberField is the number of the person in the program that the file is of.
	NumberField ImportField = "number"
)

// ImportFields are all that a column can become besides the workspace's own fields, see OwnField.
var ImportFields = []ImportField{Dropped, FullName, FirstName, MiddleName, LastName, EmailField, PhoneField, NotesField,
	ZoneField, NumberField, TagsField, BirthdayField, TellByField}

// ImportColumn is a column of an imported file and what becomes of it.
type ImportColumn struct {
	Heading string
	Becomes ImportField
	Filled  int      // lines with something in it
	Samples []string // of its first different cells, at most samplesMost
	Noted   int      // how many values don't fit where they belong, and go to the notes
	NotedAs []string // the first of these, at most samplesMost

	either   bool // half a name beside the other half, or the whole name, cell by cell
	labelled bool // notes that say little without their heading
}

// knownHeadings are the headings of each field, folded, as businesses, address books and other booking programs write
// them in the dashboard's languages.
var knownHeadings = map[ImportField]string{
	FullName: `name fullname displayname customername clientname contactname customer client nameofcustomer
		kunde kundin kundenname kundinname vollername vollstandigername anzeigename
		nomcomplet nometprenom nomprenom prenomnom prenometnom nom nomduclient nomclient client
		nombrecompleto nombreyapellidos nombreyapellido nombreapellidos nombre nombredelcliente cliente`,
	FirstName: `firstname givenname forename first fname clientfirstname customerfirstname contactfirstname
		vorname rufname prenom prenoms primernombre nombredepila nombres`,
	MiddleName: `middlename additionalname secondname zweitervorname weiterevornamen deuxiemeprenom autresprenoms
		segundonombre`,
	LastName: `lastname familyname surname last lname secondlastname clientlastname customerlastname contactlastname
		nachname familienname zuname nomdefamille apellido apellidos primerapellido segundoapellido`,
	EmailField: `email mail emailaddress emailvalue emails mailaddress primaryemail clientemail customeremail
		contactemail workemail homeemail personalemail businessemail emailhome emailwork
		emailadresse mailadresse emailadressen emailprivat emailgeschaftlich emailwert elektronischepost
		courriel courriels mel adresseemail adressemail adressecourriel adresseelectronique emailclient
		correo correoelectronico correoe direcciondecorreo direcciondecorreoelectronico emailcliente`,
	PhoneField: `phone phones telephone phonenumber telephonenumber phoneno phonevalue tel telno mobile mobilenumber
		mobileno mobilephone mobilephonenumber mobiletelephone cell cellphone cellphonenumber cellular cellnumber
		smsnumber homephone homephonenumber workphone workphonenumber businessphone primaryphone otherphone
		mobilesms smsphone smsmobile
		dayphone nightphone eveningphone landline landlinenumber contactnumber contactphone clientphone customerphone
		carphone companymainphone whatsappnumber
		telefon telefonnummer telefonnr telnr telefonprivat telefongeschaftlich telefonmobil telefonwert festnetz
		festnetznummer rufnummer handy handynummer handynr mobil mobilnummer mobilnr mobiltelefon mobilfunk
		mobilfunknummer mobiltelefonnummer privattelefon weiterestelefon haupttelefon
		telephoneportable telephonemobile telephonefixe telephonedomicile telephonebureau telephoneprincipal
		numerodetelephone numerotelephone notelephone portable telportable telfixe teldomicile telmobile mobile
		numerodeportable numeroportable numerodemobile fixe gsm natel
		telefono telefonomovil telefonofijo telefonocelular telefonoparticular telefonodecasa telefonodeltrabajo
		telefonos numerodetelefono numerotelefono movil numerodemovil numeromovil celular fijo telmovil`,
	ZoneField: `timezone zeitzone fuseauhoraire zonahoraria`,
	NumberField: `id customerid clientid squarecustomerid contactid guestid patientid customernumber clientnumber customerno
		clientno customeruuid clientuuid
		kundennummer kundennr kundenid kundinnennummer kontaktid
		numeroclient noclient nclient idclient identifiantclient numeroduclient
		idcliente iddecliente iddelcliente numerodecliente numerocliente nocliente ncliente`,
	TagsField: `tags tag label labels clienttags customertags keywords
		schlagworte schlagworter schlagwort etiketten etikett markierungen stichworte
		etiquettes etiquette motscles libelles
		etiquetas etiqueta`,
	BirthdayField: `birthday birthdate dateofbirth dob bday clientbirthday customerbirthday
		geburtstag geburtsdatum gebdatum geboren geborenam
		anniversaire datedanniversaire datedenaissance naissance neele
		cumpleanos fechadenacimiento fechadecumpleanos fechanacimiento nacimiento`,
	TellByField: `tellby preferredcontact preferredcontactmethod contactpreference contactmethod communicationpreference prefers
		bevorzugterkontakt bevorzugterkontaktweg kontaktweg bevorzugtekontaktart erreichbarper
		contactprefere moyendecontact moyendecontactprefere preferencedecontact
		contactopreferido mediodecontacto mediodecontactopreferido preferenciadecontacto`,
	NotesField: `notes note comment comments memo remark remarks clientnotes clientnote customernotes customernote
		contactnotes internalnote internalnotes additionalnotes importantinformation importantinfo allergies allergy
		medicalnotes medicalinformation clientalert clientalerts colourformula colorformula formula formulas technicalnotes
		notiz notizen bemerkung bemerkungen anmerkung anmerkungen kommentar kommentare hinweis hinweise kundennotiz
		kundennotizen farbrezept farbrezeptur rezeptur rezepturen allergien allergie unvertraglichkeiten internenotiz internenotizen
		remarque remarques commentaire commentaires observation observations notesclient notesinternes memo
		nota notas comentario comentarios observacion observaciones anotaciones notasdelcliente notasinternas
		alergia alergias`,
}

// fieldOf is knownHeadings the other way round.
var fieldOf = func() map[string]ImportField {
	of := map[string]ImportField{}
	for field, headings := range knownHeadings {
		for _, heading := range strings.Fields(headings) {
			of[heading] = field
		}
	}
	return of
}()

// foldLabel returns a label, or what is compared with one, in lower case with nothing but its letters and digits, without
// accents: "E-mail 1 - Value" is "email1value", "Prénom" is "prenom".
func foldLabel(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// folded is foldLabel without digits, which only count columns that are alike: "E-mail 1 - Value" is "emailvalue".
func folded(heading string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, foldLabel(heading))
}

// isHead reports whether a row has a heading by which somebody is known.
func isHead(cells []string) bool {
	return slices.ContainsFunc(cells, func(cell string) bool {
		field := fieldOf[folded(cell)]
		return field == EmailField || field == PhoneField
	})
}

// columnsOf reads the line of headings; chosen says what the columns become instead, if it isn't nil. A column that is called like a full name, such as "Nom" or "Nombre", is the
// missing half of the name beside a column with the other half.
func columnsOf(headings []string, chosen []ImportField, own []catalog.ContactField) []ImportColumn {
	columns := make([]ImportColumn, len(headings))
	for i, heading := range headings {
		heading = strings.TrimSpace(FromCSVCell(heading))
		columns[i] = ImportColumn{Heading: heading, Becomes: fieldFor(heading, own), labelled: about.MatchString(folded(heading))}
	}
	other := FullName
	switch first, last := has(columns, FirstName), has(columns, LastName); {
	case first && !last:
		other = LastName
	case last && !first:
		other = FirstName
	}
	for i := range columns {
		if columns[i].Becomes == FullName && ambiguous[folded(columns[i].Heading)] {
			columns[i].Becomes, columns[i].either = other, other != FullName
		}
	}
	for i, field := range chosen[:min(len(chosen), len(columns))] {
		if c := &columns[i]; c.Becomes != field {
			c.Becomes, c.either, c.labelled = field, false, true
		}
	}
	return columns
}

// ambiguous are the headings of full names that are also those of one half.
var ambiguous = map[string]bool{"name": true, "nom": true, "nombre": true}

// about are the headings that say what their notes are about.
var about = regexp.MustCompile(`allerg|alergi|unvertrag|medical|formula|rezept|alert`)

func has(columns []ImportColumn, field ImportField) bool {
	return slices.ContainsFunc(columns, func(c ImportColumn) bool { return c.Becomes == field })
}

// noted counts a value of the column that goes to the notes.
func (c *ImportColumn) noted(value string) {
	c.Noted++
	if len(c.NotedAs) < samplesMost && !slices.Contains(c.NotedAs, value) {
		c.NotedAs = append(c.NotedAs, value)
	}
}

// saw counts a cell of the column.
func (c *ImportColumn) saw(cell string) {
	c.Filled++
	if len(c.Samples) < samplesMost && !slices.Contains(c.Samples, cell) {
		c.Samples = append(c.Samples, cell)
	}
}
