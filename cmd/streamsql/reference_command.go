package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/reference"
	"streamsql/connectors"
)

// referenceCommands show what there is, one kind of things each.
func referenceCommands() []*cobra.Command {
	return []*cobra.Command{
		newTopic("functions", "regexp", "UPPER", func() reference.Topic { return reference.Functions(newSession()) }),
		newTopic("types", "time", "DATE", func() reference.Topic { return reference.Types(newSession()) }),
		newTopic("errors", "SQ02", "SQ0203", func() reference.Topic { return reference.Errors() }),
		newTopic("options", "checkpoint", "parallelism.default", func() reference.Topic { return reference.TableOptions(connectors.All()) }),
		newTopic("connectors", "file", "filesystem", func() reference.Topic { return reference.Connectors(connectors.All()) }),
	}
}

func newTopic(name, part, one string, topic func() reference.Topic) *cobra.Command {
	var markdown bool
	c := &cobra.Command{
		Use:   name + " [NAME]",
		Short: "list " + name + ", or show one",
		Example: fmt.Sprintf("  streamsql %[1]s\n  streamsql %[1]s %[2]s          those with this in their name\n  streamsql %[1]s %[3]s",
			name, part, one),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("%s takes one name", name)
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, e := range topic().Entries {
				if len(args) == 0 && !strings.ContainsAny(e.Name, " <") {
					names = append(names, e.Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&markdown, "markdown", false, "print the page of docs/reference")
	c.RunE = func(c *cobra.Command, args []string) error {
		t := topic()
		text := t.List("")
		switch {
		case markdown:
			text = t.Page()
		case len(args) == 1:
			e, near := t.Find(args[0])
			if e != nil {
				text = e.Plain()
				break
			}
			if text = t.List(args[0]); text != "" {
				break
			}
			hint := fmt.Sprintf("'streamsql %s' lists them", name)
			if near != "" {
				hint = fmt.Sprintf("did you mean '%s'?  %s", near, hint)
			}
			return usagef("there is no %s '%s'; %s", t.Name, args[0], hint)
		}
		_, err := io.WriteString(c.OutOrStdout(), text)
		return err
	}
	return c
}
