package setup

import (
	"daybook/app/catalog"
	"daybook/app/fault"
)

// checkPicture warns about a picture that the workspace doesn't have, and leaves the one that was there: files don't
// have pictures, and that of another server must not fail for that.
func checkPicture[T any](p *planner, f *patch[T], field string, was catalog.PictureID,
	picture *catalog.PictureID) error {
	v, given := f.given["picture"]
	if !given || *picture == was {
		return nil
	}
	err := catalog.CheckPicture(p.tx, p.workspace.ID, field+".picture", *picture)
	if fault.As(err) == nil {
		return err
	}
	p.report.Warnings = append(p.report.Warnings, Warning{v.node.Line, field + ".picture", "there is no picture " +
		picture.String() + " in this workspace, so nothing is changed; upload it, and choose it then"})
	*picture = was
	return nil
}
