package main

import (
	"github.com/spf13/cobra"
)

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "print what makes a shell of the system complete the command line",
		Example: `  source <(streamsql completion bash)
  streamsql completion zsh > "${fpath[1]}/_streamsql"
  streamsql completion fish > ~/.config/fish/completions/streamsql.fish`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("completion takes one of bash, zsh, fish and powershell")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return usagef("there is no completion for '%s': bash, zsh, fish and powershell", args[0])
		},
	}
}
