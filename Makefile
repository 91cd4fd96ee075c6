# sealcheck: the commands that people need. `make demo` and `make test` install what is missing, all but Swift.

SWIFT ?= swift
# Extra flags for every build, such as -Xswiftc -warnings-as-errors.
SWIFTFLAGS ?=
# Extra flags for `swift test`, such as --filter FaultTests.
TESTFLAGS ?=
# A folder with the corpus (machos.tsv, bundles.tsv, samples/), and one with unpacked wheels if there is one.
CORPUS ?= ../shared/corpus
WHEELS ?=

.PHONY: help setup build demo test lint format corpus fixtures clean

help:
	@echo 'make demo      build, and verify testdata/Demo.ipa'
	@echo 'make test      build, and run all tests'
	@echo 'make lint      check style'
	@echo 'make format    apply it'
	@echo 'make corpus    compare with an independent reading of real signed files (CORPUS=folder WHEELS=folder)'
	@echo 'make fixtures  remake testdata and compare (needs clang, lld and a Python with testdata/requirements.txt)'

setup:
	@./scripts/setup.sh

build: setup
	$(SWIFT) build -c release --product sealcheck $(SWIFTFLAGS)

demo: build
	.build/release/sealcheck verify testdata/Demo.ipa

test: setup
	$(SWIFT) test --parallel $(SWIFTFLAGS) $(TESTFLAGS)

lint:
	$(SWIFT) format lint --strict -r Sources Tests Package.swift

format:
	$(SWIFT) format -i -r Sources Tests Package.swift

corpus: build
	python3 Tests/tools/corpus.py --sealcheck .build/release/sealcheck --corpus '$(CORPUS)' $(if $(WHEELS),--wheels '$(WHEELS)')
	python3 Tests/tools/corpus.py --unpack .cache/corpus --corpus '$(CORPUS)' $(if $(WHEELS),--wheels '$(WHEELS)')
	SEALCHECK_CORPUS_TREES='.cache/corpus$(if $(WHEELS),:$(WHEELS)/trees)' $(SWIFT) test $(SWIFTFLAGS) --filter CorpusTests

fixtures:
	python3 testdata/make-demo.py --check

clean:
	rm -rf .build
