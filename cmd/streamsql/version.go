package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the release; builds from a checkout carry the commit beside it.
const version = "0.1.0-dev"

// versionInfo is the document of `version --json`.
type versionInfo struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func buildVersion() versionInfo {
	v := versionInfo{Version: version, Commit: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v.Commit = s.Value
			}
		}
	}
	return v
}

func newVersion() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "version",
		Short:   "print version, commit and Go version",
		Example: "  streamsql version\n  streamsql version --json",
		Args:    noArgs,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	c.RunE = func(c *cobra.Command, _ []string) error {
		v := buildVersion()
		if asJSON {
			return writeJSON(c.OutOrStdout(), v)
		}
		_, err := fmt.Fprintf(c.OutOrStdout(), "streamsql %s (%s, %s, %s/%s)\n", v.Version, v.Commit, v.Go, v.OS, v.Arch)
		return err
	}
	return c
}
