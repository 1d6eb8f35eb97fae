# `make` alone prints what there is.
GO ?= go
STATICCHECK ?= $(GO) tool -modfile=tools/go.mod staticcheck

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

.PHONY: check
check: format vet lint house race ## all that must hold before a change lands: gofmt, vet, staticcheck, house, tests with -race

.PHONY: build
build: ## the program, one static file
	CGO_ENABLED=0 $(GO) build -o streamsql ./cmd/streamsql

.PHONY: test
test: ## all tests once
	$(GO) test ./...

.PHONY: format vet lint house race
format:
	@test -z "$$(gofmt -l cmd connectors exec nexmark planner queries tests)" || { gofmt -l cmd connectors exec nexmark planner queries tests; exit 1; }
vet:
	$(GO) vet ./...
lint:
	$(STATICCHECK) ./...
house:
	$(GO) test ./tests -run TestHouse -count=1
race:
	$(GO) test -race -short ./...

.PHONY: bench
bench: ## benchmarks beside the code, with allocations; BENCH=regexp PKG=./exec/kernel narrow them
	$(GO) test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem $(or $(PKG),./...)

.PHONY: fuzz
fuzz: ## the fuzz tests, a minute each
	$(GO) test ./planner/parse -run '^$$' -fuzz FuzzParse -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/text -run '^$$' -fuzz FuzzParse -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/regexp -run '^$$' -fuzz FuzzCompile -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/function -run '^$$' -fuzz FuzzCast -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/function -run '^$$' -fuzz FuzzDatePattern -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/function -run '^$$' -fuzz FuzzJSON -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/function -run '^$$' -fuzz FuzzVariant -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/function -run '^$$' -fuzz FuzzLike -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./tests/logic -run '^$$' -fuzz FuzzStatements -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./connectors/filesystem -run '^$$' -fuzz FuzzDecode -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./connectors/filesystem -run '^$$' -fuzz FuzzEscape -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./connectors/filesystem -run '^$$' -fuzz FuzzParquet -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./connectors/filesystem -run '^$$' -fuzz FuzzInfer -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/checkpoint -run '^$$' -fuzz FuzzMetadata -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/checkpoint -run '^$$' -fuzz FuzzBlock -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/state -run '^$$' -fuzz FuzzReadSnapshot -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/state -run '^$$' -fuzz FuzzReadRows -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/network -run '^$$' -fuzz FuzzWire -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x
	$(GO) test ./exec/network -run '^$$' -fuzz FuzzFrames -fuzztime $(or $(TIME),60s) -fuzzminimizetime 10x

.PHONY: interop
interop: ## DuckDB and pyarrow read our files and we read theirs; PYTHON=… has both, else they are installed into a temporary place
	@python="$(PYTHON)"; if [ -z "$$python" ]; then dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; python=$$dir/bin/python; \
		if ! { python3 -m venv $$dir && $$dir/bin/pip install -q duckdb pyarrow; } >/dev/null 2>&1; then \
			echo "interop: skipped, DuckDB and pyarrow cannot be installed here"; exit 0; fi; fi; \
	INTEROP_PYTHON=$$python $(GO) test ./cmd/streamsql -run TestInterop -count=1 -v

.PHONY: soak
soak: ## every setting of batches, parallelism, buffers, transports, checkpoints and crashes over every Nexmark input (some 27,000: 2 hours on 2 idle cores, 5 on busy ones), 200 kills, 300 of jobs that write files, rescaling, half an hour each of four kinds of random queries; TIME=5m bounds each part, which takes a random share then
	$(GO) test ./tests/sameness -v -timeout 600m -args -soak $(if $(TIME),-for $(TIME))
	$(GO) test ./tests -run 'Goldens|Oracle|Permuted' -v -timeout 60m -args -soak
	$(GO) test ./tests/logic -v -timeout 180m -args -soak -for $(or $(TIME),30m)
	$(GO) test ./exec -run 'CheckpointsFail|AtEveryCall' -v -timeout 30m -args -soak
	$(GO) test ./cmd/streamsql -run 'TestKilled|TestRescaled' -v -timeout 120m -args -soak $(if $(TIME),-for $(TIME))

.PHONY: nexmark
nexmark: ## the Nexmark queries over 10 million events: EVENTS=10M
	$(GO) run ./cmd/streamsql nexmark run --events $(or $(EVENTS),10M)

# q0 tells what the generator costs: at ratios that are no powers of two it takes more for a bid.
.PHONY: flat
flat: ## what an event costs at event rates, batch sizes, ratios of hot keys and numbers of windows where it should cost the same: EVENTS=3M, some 3 minutes
	$(GO) build -o streamsql ./cmd/streamsql
	for way in "--with first-event.rate=10000 --with next-event.rate=10000" "--with first-event.rate=10000000 --with next-event.rate=10000000" \
		"-X streamsql.batch-size=250" "-X streamsql.batch-size=4096" "-X streamsql.batch-size=16000" \
		"--with bid.hot-ratio.auctions=1 --with bid.hot-ratio.bidders=1" "--with bid.hot-ratio.auctions=16 --with bid.hot-ratio.bidders=16" \
		"--with bid.hot-ratio.auctions=100 --with bid.hot-ratio.bidders=100"; do \
		echo "$$way"; ./streamsql nexmark run q0 q5 q7 q8 q11 q12 q15 q16 q17 q18 --events $(or $(EVENTS),3M) --pushdown off $$way || exit 1; done
	$(GO) test ./exec/op -run '^$$' -bench WindowAggregate

.PHONY: pause
pause: ## how long a table of a gigabyte stands still: growing to 10 million keys, frozen, written on meanwhile; and a job
	$(GO) test ./exec/state -run '^$$' -bench Pause -benchtime 1x
	dir=$$(mktemp -d) && $(GO) run ./cmd/streamsql nexmark run q20 --events 5M --pushdown off --format json \
		--checkpoint-interval 500ms --checkpoint-dir $$dir | grep -E 'checkpoint|state_bytes'; rm -rf $$dir

.PHONY: kernels
kernels: ## common functions beside loops written by hand, and how many times as long they take
	$(GO) test ./exec/expr -run TestByHand -count=1 -v -args -hand

.PHONY: shell
shell: ## the interactive shell
	$(GO) run ./cmd/streamsql sql

.PHONY: golden
golden: ## rewrites the expected texts of all tests; read the diff
	$(GO) test ./planner ./planner/bind ./planner/parse -update
	$(GO) test ./tests -run 'Corpus|Reference|Bounds|Scalars' -update

.PHONY: conformance
conformance: ## passes of the Flink corpus by topic
	$(GO) test ./tests -run Corpus -count=1 -v -args -all
