package bind

import (
	"slices"
	"strconv"

	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// loadModule loads the one module that there is. Functions of others, such as hive, are written in Java.
func (w *work) loadModule(s *syntax.LoadModule) error {
	if s.Name.Name != catalog.CoreModule {
		return failf(s.Name, CodeFunction, "there is no module '%s' to load", s.Name.Name).
			WithHint("modules: %s; its functions are built in", catalog.CoreModule)
	}
	if len(s.Options) > 0 {
		return failf(s, CodeOption, "module '%s' takes no option '%s'", s.Name.Name, s.Options[0].Key).
			WithHint("LOAD MODULE %s", s.Name.Name)
	}
	if !w.cat.LoadModule(s.Name.Name) {
		e := failf(s.Name, CodeExists, "module '%s' is loaded already", s.Name.Name)
		if !w.cat.UsesModule(s.Name.Name) {
			return e.WithHint("USE MODULES %s, so that its functions are found", s.Name.Name)
		}
		return e.WithHint("its functions can be called as it is; SHOW FUNCTIONS lists them")
	}
	return nil
}

func (w *work) unloadModule(s *syntax.UnloadModule) error {
	if !w.cat.UnloadModule(s.Name.Name) {
		return w.noModule(s.Name)
	}
	return nil
}

// useModules says in which modules functions are looked for.
func (w *work) useModules(list []syntax.Ident) error {
	loaded, _ := w.cat.Modules()
	var names []string
	for _, m := range list {
		switch {
		case !slices.Contains(loaded, m.Name):
			return w.noModule(m)
		case slices.Contains(names, m.Name):
			return failf(m, CodeDuplicate, "module '%s' stands twice", m.Name).
				WithHint("name it once")
		}
		names = append(names, m.Name)
	}
	w.cat.UseModules(names)
	return nil
}

func (w *work) noModule(m syntax.Ident) error {
	loaded, _ := w.cat.Modules()
	if len(loaded) == 0 {
		return failf(m, CodeFunction, "module '%s' is not loaded", m.Name).WithHint("LOAD MODULE %s", catalog.CoreModule)
	}
	return failf(m, CodeFunction, "module '%s' is not loaded", m.Name).WithHint("%s", suggest(m.Name, "modules", loaded))
}

// showModules lists the modules that are used, or all that are loaded.
func (w *work) showModules(s *syntax.Show) *Result {
	names, used := w.cat.Modules()
	if !s.Full {
		return list("module name", names[:used])
	}
	r := &Result{Columns: []string{"module name", "used"}, Types: []types.Type{types.String(), types.Of(types.Boolean)}}
	for i, m := range names {
		r.Rows = append(r.Rows, []string{m, strconv.FormatBool(i < used)})
	}
	return r
}
