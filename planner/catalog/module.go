package catalog

import "slices"

// CoreModule is the module that has the built-in functions, the only one that there is.
const CoreModule = "core"

// modules are those that are loaded, and those of them that functions are looked for in, in order.
type modules struct{ loaded, used []string }

// Modules are the loaded modules in the order in which they are used, those that are not used behind; used is how many are.
func (c *Catalog) Modules() (names []string, used int) {
	names = slices.Clone(c.modules.used)
	for _, m := range c.modules.loaded {
		if !slices.Contains(names, m) {
			names = append(names, m)
		}
	}
	return names, len(c.modules.used)
}

// UsesModule tells that functions are looked for in a module.
func (c *Catalog) UsesModule(name string) bool { return slices.Contains(c.modules.used, name) }

// LoadModule loads a module and uses it behind the others; it is false where it is loaded already.
func (c *Catalog) LoadModule(name string) bool {
	if slices.Contains(c.modules.loaded, name) {
		return false
	}
	c.modules.loaded, c.modules.used = append(c.modules.loaded, name), append(c.modules.used, name)
	return true
}

// UnloadModule forgets a module; it is false where it is not loaded.
func (c *Catalog) UnloadModule(name string) bool {
	is := func(m string) bool { return m == name }
	n := len(c.modules.loaded)
	c.modules.loaded, c.modules.used = slices.DeleteFunc(c.modules.loaded, is), slices.DeleteFunc(c.modules.used, is)
	return len(c.modules.loaded) < n
}

// UseModules says which of the loaded modules are used.
func (c *Catalog) UseModules(names []string) { c.modules.used = names }
