package dash

// BooksPage is what an accountant gets of some days.
type BooksPage struct {
	Frame
	Tabs         []Tab
	From, To     string
	Problem      string
	Count        int      // of documents
	Currencies   []string // others, which are not in the files
	Missing      []string // accounts that the plain table needs
	MissingDATEV []string // what the batch needs
	DATEVURL     string   // "" while something is missing
	TableURL     string   // likewise
	SettingsURL  string   // where accounts are named; "" for those who may not
}
