package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "write the manual pages",
		Example: "  streamsql man ~/.local/share/man/man1",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("man takes the directory to write to")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return usagef("%v", err)
			}
			return manPages(c.Root(), args[0])
		},
	}
}

// manPages writes the page of a command and those below it.
func manPages(c *cobra.Command, dir string) error {
	if c.Hidden {
		return nil
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(manPage(c)), 0o644); err != nil {
		return usagef("%v", err)
	}
	for _, sub := range c.Commands() {
		if err := manPages(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

// roff keeps text from being read as requests and escapes.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

func manPage(c *cobra.Command) string {
	var b strings.Builder
	title := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"streamsql %s\" \"streamsql\"\n", strings.ToUpper(title), version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(title), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	about := c.Long
	if about == "" {
		about = c.Short
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(about))
	flags := 0
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if flags++; flags == 1 {
			b.WriteString(".SH OPTIONS\n")
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+kind)), roff(usage))
	})
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	var other []string
	if c.HasParent() {
		other = append(other, c.Parent().CommandPath())
	}
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			other = append(other, sub.CommandPath())
		}
	}
	if len(other) > 0 {
		b.WriteString(".SH SEE ALSO\n")
		for i, o := range other {
			if i > 0 {
				b.WriteString(",\n")
			}
			fmt.Fprintf(&b, ".BR %s (1)", roff(strings.ReplaceAll(o, " ", "-")))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
