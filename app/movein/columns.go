package movein

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"daybook/app/contact"
)

// Field says what a column of a table of appointments becomes. Columns that name the customer have the fields of
// contact.ImportField.
type Field string

// What a column becomes besides the fields of a customer.
const (
	Dropped   Field = ""
	Start     Field = "start"   // date and time
	Date      Field = "date"    // of the start, with Clock in another column
	Clock     Field = "clock"   // time of the start
	End       Field = "end"     // date and time, or the time alone
	Length    Field = "length"  // in minutes, or as 1:30
	Treatment Field = "service" // the name of the service
	Person    Field = "person"  // who does it
	Price     Field = "price"
	Paid      Field = "paid" // what was paid there, of as many columns as there are: it stands in the internal note
	Status    Field = "status"
	Note      Field = "note"
	Foreign   Field = "id" // that the other program has
	Made      Field = "made"
)

// Fields are all that a column can become.
var Fields = []Field{Dropped, Start, Date, Clock, End, Length, Treatment, Person, Field(contact.FullName), Field(contact.FirstName),
	Field(contact.LastName), Field(contact.EmailField), Field(contact.PhoneField), Field(contact.NumberField), Price, Paid, Note, Foreign, Status, Made}

// knownHeadings are the headings of each field, folded, in the dashboard's languages and of other booking programs.
var knownHeadings = map[Field]string{
	Start: `start starttime startdatetime startdate startat startsat begin begins beginn appointmentstart bookingstart
		appointmentdatetime datetime dateandtime datumundzeit termin terminbeginn startzeit debut debutdurendezvous
		dateetheure inicio comienzo fechayhora`,
	Date: `date appointmentdate bookingdate scheduleddate day datum tag termindatum jour datedurendezvous fecha dia
		fechadelacita`,
	Clock: `time appointmenttime bookingtime scheduledtime uhrzeit zeit heure heurededebut hora horadeinicio`,
	End: `end endtime enddatetime enddate endat endsat finish finishtime ende endzeit terminende fin heuredefin
		horadefin final`,
	Length: `duration durationmins durationminutes durationmin length minutes dauer dauermin dauerinminuten duree dureemin
		duracion duracionmin`,
	Treatment: `service services servicename type appointmenttype treatment treatmentname event eventtype item leistung
		leistungen dienstleistung behandlung terminart prestation prestations soin servicio servicios tratamiento`,
	Person: `calendar staff staffmember staffname teammember employee employeename provider stylist therapist resource host
		performer practitioner mitarbeiter mitarbeiterin kalender behandler behandlerin collaborateur collaboratrice
		praticien employe personal empleado empleada profesional calendario`,
	Price: `price appointmentprice amount total cost value netsales grosssales preis betrag summe prix montant
		precio importe`,
	Paid: `paid amountpaid amountpaidonline paidonline deposit depositpaid depositamount paymentstatus prepaid bezahlt
		anzahlung angezahlt zahlungsstatus onlinebezahlt paye montantpaye acompte statutdupaiement pagado importepagado
		senal anticipo estadodelpago`,
	Status: `status appointmentstatus bookingstatus state zustand statut etat estado`,
	Note:   `appointmentnotes bookingnotes appointmentnote bookingnote terminnotiz terminnotizen`,
	Foreign: `id appointmentid bookingid ref reference bookingreference appointmentref bookingref confirmationnumber terminid
		terminnummer buchungsnummer buchungsid numero reservation identifiant referencia idcita iddelacita`,
	Made: `created createdat createddate createdon datecreated datescheduled bookedon bookdatetime bookingcreated dateofbooking
		erstellt erstelltam angelegtam gebuchtam creele datedecreation creado creadoel fechadecreacion`,
}

var fieldOf = func() map[string]Field {
	of := map[string]Field{}
	for field, headings := range knownHeadings {
		for heading := range strings.FieldsSeq(headings) {
			of[heading] = field
		}
	}
	return of
}()

// become returns what the columns with these headings become. The first column of a field has it, the others are
// dropped; of customers all are read.
func become(headings []string) []Field {
	fields, met := make([]Field, len(headings)), map[Field]bool{}
	for i, heading := range headings {
		name := contact.Folded(heading)
		if f := fieldOf[name]; f != Dropped {
			if !met[f] || f == Paid {
				fields[i], met[f] = f, true
			}
			continue
		}
		switch f := contact.FieldOf(heading); f {
		case contact.NotesField:
			if !met[Note] {
				fields[i], met[Note] = Note, true
			}
		case contact.ZoneField, contact.Dropped, contact.TagsField, contact.BirthdayField, contact.TellByField:
		default:
			fields[i] = Field(f)
		}
	}
	if met[Start] && met[Clock] && !met[Date] { // "Start date" beside a time
		for i := range fields {
			if fields[i] == Start {
				fields[i] = Date
			}
		}
	} else if met[Date] && !met[Clock] && !met[Start] {
		for i := range fields {
			if fields[i] == Date {
				fields[i] = Start
			}
		}
	} else if met[Date] && met[Start] && !met[Clock] { // a date beside the time of its start
		for i := range fields {
			if fields[i] == Start {
				fields[i] = Clock
			}
		}
	}
	return fields
}

// isPerson reports whether the column names the customer.
func (f Field) isPerson() bool {
	switch contact.ImportField(f) {
	case contact.FullName, contact.FirstName, contact.MiddleName, contact.LastName, contact.EmailField, contact.PhoneField,
		contact.NumberField:
		return true
	}
	return false
}

// heads reports whether the cells are headings of appointments.
func heads(cells []string) bool {
	when, who := false, false
	for _, f := range become(cells) {
		when = when || f == Start || f == Date
		who = who || f.isPerson()
	}
	return when && who
}

// named folds a name for comparing: in lower case, letters and digits only, without accents.
func named(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}
