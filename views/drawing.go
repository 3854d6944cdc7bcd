package views

// drawings are the pictures of trades, by the trade's name: what stands in a square of 96. Lines have the colour of the
// text; "soft" and "full" are shades of the business's colour.
var drawings = map[string]string{
	"hair": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<path d="M57 57 33 18M39 57l24-39"/><circle class="full" cx="33" cy="67" r="10"/><circle class="full" cx="63" cy="67" r="10"/>` +
		`<circle cx="48" cy="43" r="1.5"/>`,
	"barber": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<rect class="paper" x="37" y="25" width="22" height="48" rx="3"/><path class="full" d="m37 41 22-14v10L37 51ZM37 59l22-14v10L37 69Z"/>` +
		`<rect x="37" y="25" width="22" height="48" rx="3"/><path d="M32 25h32M32 73h32"/><circle class="full" cx="48" cy="16" r="6"/><path d="M42 80h12"/>`,
	"nails": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<rect class="paper" x="29" y="42" width="38" height="38" rx="10"/><path class="full" d="M30 58c8-5 13 4 20 0s9-3 16 0v12a10 10 0 0 1-10 10H40a10 10 0 0 1-10-10Z"/>` +
		`<path d="M40 42V18a4 4 0 0 1 4-4h8a4 4 0 0 1 4 4v24"/><rect x="29" y="42" width="38" height="38" rx="10"/>`,
	"beauty": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<circle class="paper" cx="46" cy="38" r="23"/><path class="full" d="M46 61a23 23 0 0 0 21-32L31 55a23 23 0 0 0 15 6Z"/>` +
		`<circle cx="46" cy="38" r="23"/><path d="M46 61v23M40 84h12M74 60v10M69 65h10M80 18v8M76 22h8"/>`,
	"massage": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<ellipse class="full" cx="48" cy="73" rx="28" ry="9"/><ellipse class="paper" cx="48" cy="57" rx="21" ry="8"/><ellipse class="full" cx="48" cy="43" rx="14" ry="7"/>` +
		`<path class="paper" d="M48 36c-1-12 6-21 19-23 1 13-6 22-19 23Z"/><path d="m48 36 11-14"/>`,
	"physio": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<circle class="full" cx="34" cy="24" r="8"/><path d="M36 36c10 6 16 14 17 25M36 36l-9 18 12 10M40 40l20-3 10-12M53 61 40 82M53 61l20 6v15"/>` +
		`<path d="M20 84h58"/>`,
	"therapy": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<path class="paper" d="M22 22h38a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H38L26 64V54h-4a8 8 0 0 1-8-8V30a8 8 0 0 1 8-8Z"/>` +
		`<path class="full" d="M46 46h28a8 8 0 0 1 8 8v12a8 8 0 0 1-8 8h-2v9l-11-9H46a8 8 0 0 1-8-8V54a8 8 0 0 1 8-8Z"/><path d="M26 33h30M26 42h10"/>`,
	"tutoring": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<path class="paper" d="M48 34c-9-8-22-9-32-6v42c10-3 23-2 32 6Z"/><path class="full" d="M48 34c9-8 22-9 32-6v42c-10-3-23-2-32 6Z"/>` +
		`<path d="M24 40c6-1 11 0 16 3M24 51c6-1 11 0 16 3M56 43c5-3 10-4 16-3M56 54c5-3 10-4 16-3"/>`,
	"fitness": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<path d="M34 48h28"/><rect class="full" x="22" y="30" width="12" height="36" rx="4"/><rect class="full" x="62" y="30" width="12" height="36" rx="4"/>` +
		`<rect class="paper" x="12" y="38" width="10" height="20" rx="4"/><rect class="paper" x="74" y="38" width="10" height="20" rx="4"/>`,
	"studio": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<path class="paper" d="M22 32h14l5-10h14l5 10h14a8 8 0 0 1 8 8v28a8 8 0 0 1-8 8H22a8 8 0 0 1-8-8V40a8 8 0 0 1 8-8Z"/>` +
		`<circle class="full" cx="48" cy="53" r="15"/><circle class="paper" cx="48" cy="53" r="7"/><path d="M70 42h3"/>`,
	"garage": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<path class="full" d="M14 56l7-3 7-15a7 7 0 0 1 6-4h26a7 7 0 0 1 6 4l8 15 8 4v14H14Z"/><path class="paper" d="M30 51l5-10h11v10ZM51 41h9l6 10H51Z"/>` +
		`<circle class="paper" cx="30" cy="71" r="8"/><circle class="paper" cx="66" cy="71" r="8"/>`,
	"other": `<path class="soft" d="M14 48a34 34 0 1 1 68 0 34 34 0 0 1-68 0Z"/>` +
		`<path class="paper" d="M22 44h52v34H22Z"/><path class="full" d="M18 40l6-18h48l6 18c0 5-4 8-10 8s-9-4-10-8c-1 4-4 8-10 8s-9-4-10-8c-1 4-4 8-10 8s-10-3-10-8Z"/>` +
		`<path d="M54 78V58h12v20M30 58h14v10H30Z"/>`,
}

// Drawn reports whether there is a picture of the trade.
func Drawn(trade string) bool { return drawings[trade] != "" }
