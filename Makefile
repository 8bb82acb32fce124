# The one door: what a developer runs is what CI runs. Anything longer than a line is in Scripts/.
.DEFAULT_GOAL := help
.PHONY: help set-up run test torture sanitize fuzz bench format docs clean

help: ## lists these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

set-up: ## installs the Debian packages that are missing
	@Scripts/set-up

run: set-up ## builds in release and runs the main example
	swift run -c release SpeechDiary

test: set-up ## everything CI checks
	@Scripts/test

torture: set-up ## the random and kill tests in their long form
	@CAIRN_LONG=1 Scripts/test-build release

sanitize: set-up ## the concurrency suites under the thread sanitizer, long form
	@CAIRN_LONG=1 Scripts/sanitize

fuzz: ## a minute of random predicate text: SECONDS=60
	@Scripts/fuzz $(SECONDS)

bench: set-up ## the benchmarks: N=100000,1000000 ONLY=a,b ROUNDS=5 JSON=FILE LARGE=10000000 ACCESSORS=1 MIGRATIONS=1
	swift build -c release --product CairnBenchmarks
	@$$(swift build -c release --show-bin-path)/CairnBenchmarks \
		$(if $(N),--n $(N)) $(if $(ONLY),--only $(ONLY)) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(JSON),--json $(JSON)) \
		$(if $(LARGE),--large-write $(LARGE)) $(if $(ACCESSORS),--accessors) \
		$(if $(MIGRATIONS),--migrations)

format: ## formats every Swift file in place
	@Scripts/format

docs: set-up ## the reference of all targets, into docs/api
	@Scripts/make-docs

clean: ## removes what was built
	rm -rf .build docs/api
