package setup

import (
	"context"
	"errors"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/text"
	"daybook/app/text/sms"
)

// senderPath is where the file says through what texts are sent.
const senderPath = "workspace.textSender"

// checkTextHost asks DNS whether texts may be handed to the host that the file names, if it is another one. What else is
// wrong with the file is told when it is applied.
func (s *Service) checkTextHost(ctx context.Context, f *File) error {
	id, err := givenID[catalog.WorkspaceIDKind](f.workspace.id, "workspace")
	if f.workspace.sender == nil || err != nil {
		return nil
	}
	r := s.Reader(ctx)
	var was *text.ListedSender
	w, err := findWorkspace(r, id, f.workspace.key)
	if err == nil {
		was, err = s.texts.AsListed(r, w.ID)
	}
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	now, err := f.sender(was)
	if err != nil {
		return nil
	}
	return under(senderPath, s.texts.CheckListedHost(ctx, now, was))
}

// sender returns what the file makes of the workspace's sender: what it leaves out stays, unless it is another service.
func (f *File) sender(was *text.ListedSender) (*text.ListedSender, error) {
	of, now := f.workspace.sender, &text.ListedSender{}
	if was != nil && (of.key == "" || of.key == was.Preset) {
		*now = *was
	} else {
		if err := of.require(senderPath, &text.ListedSenderFields); err != nil {
			return nil, err
		}
		now.Preset = of.key
	}
	if err := of.apply(now); err != nil {
		return nil, err
	}
	var wrong mistakes
	for _, x := range []struct{ name, reference string }{{"secret", now.Secret}, {"signingKey", now.SigningKey}} {
		if x.reference != "" {
			wrong.add(catalog.CheckReference(senderPath+"."+x.name, x.reference))
		}
	}
	return now, wrong.err()
}

// applyTextSender has texts sent through what the file says.
func (p *planner) applyTextSender() error {
	if !hasKey(p.file.workspace.given, "textSender") {
		return nil
	}
	was, err := p.s.texts.AsListed(p.tx, p.workspace.ID)
	if err != nil {
		return err
	}
	var now *text.ListedSender
	if p.file.workspace.sender != nil {
		if now, err = p.file.sender(was); err != nil {
			return err
		}
	}
	told, err := p.s.texts.SetListed(p.tx, p.workspace.ID, now, p.file.look)
	if err != nil {
		return under(senderPath, err)
	}
	if now, err = p.s.texts.AsListed(p.tx, p.workspace.ID); err != nil {
		return err
	}
	p.compare("workspace", p.workspace.Slug, Object{senderMember(was)}, Object{senderMember(now)})
	for _, name := range told.Replaced {
		p.report.Differences = append(p.report.Differences, Difference{Change: "update", Kind: "workspace", Name: p.workspace.Slug,
			Field: "textSender." + name, From: rawJSON("the secret that is stored"), To: rawJSON("another one, of " + reference(now, name))})
	}
	for _, name := range told.Unset {
		_, err := p.file.look(reference(now, name))
		p.warnAt(senderPath+"."+name, "%v, so that the secret that is stored stays", err)
	}
	if told.NoRoute {
		p.warnAt(senderPath+".template", "what comes in is taken at a secret address only, and there is none yet: an owner makes it in the "+
			"dashboard, under Integrations, Texts")
	}
	return nil
}

func reference(l *text.ListedSender, name string) string {
	if name == "secret" {
		return l.Secret
	}
	return l.SigningKey
}

func senderMember(l *text.ListedSender) Member { return Member{Name: "textSender", Value: rawJSON(l)} }

// under puts the fields of an error below a path.
func under(path string, err error) error {
	e := fault.As(err)
	if e == nil {
		return err
	}
	var all mistakes
	all.add(e)
	for i, part := range all {
		moved := *part
		moved.Field = path + "." + moved.Field
		all[i] = &moved
	}
	return all.err()
}

func readTemplate(v at) (*sms.Template, error) {
	if v.null() {
		return nil, nil
	}
	t := new(sms.Template)
	return t, readShape(v, t)
}
