package views

import (
	"strings"
	"time"
)

var (
	formsUS = forms{
		months:        list("January February March April May June July August September October November December"),
		weekdays:      list("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
		shortMonths:   list("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
		shortWeekdays: list("Sun Mon Tue Wed Thu Fri Sat"),
		firstDay:      time.Sunday, am: "AM", pm: "PM",
		fullDate: "{weekday}, {month} {day}, {year}", dayDate: "{weekday}, {month} {day}",
		shortDate: "{wday}, {mon} {day}", monthYear: "{month} {year}",
		decimal: ".", group: ",", groupFrom: 4, symbolBefore: true,
	}
	formsGB = func() forms {
		f := formsUS
		f.firstDay, f.clock24, f.am, f.pm = time.Monday, true, "am", "pm"
		f.fullDate, f.dayDate, f.shortDate = "{weekday} {day} {month} {year}", "{weekday} {day} {month}", "{wday} {day} {mon}"
		f.shortMonths = list("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec")
		return f
	}()
	formsDE = forms{
		months:        list("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		weekdays:      list("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
		shortMonths:   list("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
		shortWeekdays: list("So Mo Di Mi Do Fr Sa"),
		firstDay:      time.Monday, clock24: true, am: "AM", pm: "PM",
		fullDate: "{weekday}, {day}. {month} {year}", dayDate: "{weekday}, {day}. {month}",
		shortDate: "{wday}, {day}. {mon}", monthYear: "{month} {year}",
		decimal: ",", group: ".", groupFrom: 4,
	}
	formsFR = forms{
		months:        list("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		weekdays:      list("dimanche lundi mardi mercredi jeudi vendredi samedi"),
		shortMonths:   list("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
		shortWeekdays: list("dim. lun. mar. mer. jeu. ven. sam."),
		firstDay:      time.Monday, clock24: true, am: "AM", pm: "PM",
		fullDate: "{weekday} {day} {month} {year}", dayDate: "{weekday} {day} {month}",
		shortDate: "{wday} {day} {mon}", monthYear: "{month} {year}", ordinalFirst: true,
		decimal: ",", group: nnbsp, groupFrom: 4, colonSpace: nbsp,
	}
	formsES = forms{
		months:        list("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
		weekdays:      list("domingo lunes martes miércoles jueves viernes sábado"),
		shortMonths:   list("ene feb mar abr may jun jul ago sept oct nov dic"),
		shortWeekdays: list("dom lun mar mié jue vie sáb"),
		firstDay:      time.Monday, clock24: true, am: "a." + nbsp + "m.", pm: "p." + nbsp + "m.",
		fullDate: "{weekday}, {day} de {month} de {year}", dayDate: "{weekday}, {day} de {month}",
		shortDate: "{wday}, {day} {mon}", monthYear: "{month} de {year}",
		decimal: ",", group: ".", groupFrom: 5, // 1234,50 but 12.345,60
	}
)

func list(words string) []string { return strings.Fields(words) }
