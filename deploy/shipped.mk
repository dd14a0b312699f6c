# Makes all that comes with the package anew, from public inputs: the encoder, the starter snapshot and the models.
#
#   make -f deploy/shipped.mk BASE=all-MiniLM-L6-v2 TEACHER=all-mpnet-base-v2 \
#     DUMP=enwiki-relinked-multistream.xml.bz2 DATA=data
#
# BASE and TEACHER: folders of sentence-transformers models, the second larger. DUMP: the dump that docs/starter.md
# names. DATA: the folder of the benchmarks, as `wort benchmarks` finds them: WORD's train split and TR9856 are learnt
# from, others judge the encoder. What is interrupted goes on where it was, and what stands in WORK is not made again.
# docs/starter.md says how long it takes. One worker builds the snapshot, since word vectors are the same in every run
# with one alone.
WORT ?= .venv/bin/wort
WORK ?= build/shipped
ENCODER := $(WORK)/encoder
ENWIKI := $(WORK)/enwiki
STARTER := $(WORK)/starter
MODELS := $(WORK)/models
WORD := --benchmark word-train --data-dir $(DATA)
TR9856 := --benchmark tr9856 --data-dir $(DATA)
JUDGES := tr9856 bird men wordsim353 mturk-771 wikisim
PLUS := --design plus --encoder $(ENCODER)
NAMES := starter enwiki-relinked
MADE := $(NAMES) $(NAMES:%=plus-%) $(NAMES:%=regression-%) $(NAMES:%=terms-%) $(NAMES:%=terms-plus-%) \
  $(NAMES:%=terms-regression-%)

.PHONY: shipped
shipped: $(MADE:%=$(MODELS)/%.json)
	mkdir -p encoders/shipped
	find $(ENCODER) -maxdepth 1 -type f -exec cp {} encoders/shipped/ \;
	rm -rf snapshots/starter
	mkdir snapshots/starter
	cp -r $(STARTER)/. snapshots/starter
	cp $^ models/shipped/

$(ENCODER):
	mkdir -p $(WORK)
	$(WORT) tune --base $(BASE) --teacher $(TEACHER) $(WORD) --dump $(DUMP) $(JUDGES:%=--judge %) \
	  --name wort-minilm --licence Apache-2.0 -o $@

$(ENWIKI): | $(ENCODER)
	$(WORT) build $(DUMP) -o $@ --date 2015-05-23 --invented-ids-from 100000000 \
	  --made-of 'English Wikipedia (May 2015)' \
	  --made-of 'Simple English Wikipedia (February 2017)' \
	  --made-of 'Wikispeedia (2007 Wikipedia Selection for Schools)' --encoder $(ENCODER) \
	  --workers 1

# All concepts of the dump: what is cut is what brings them below 60 MB and costs least (docs/excerpts.md).
CUTS := words=65536 tfidf_words=30 esa_concepts=150 contexts=80 minimum_comentions=5 minimum_word_pairs=15 \
  vector_dimensions=48 encoder_dimensions=128

$(STARTER): | $(ENWIKI)
	$(WORT) excerpt $(ENWIKI) -o $@ --concepts 28250 $(CUTS:%=--set %)

SNAPSHOT = $(if $(filter %starter,$*),$(STARTER),$(ENWIKI))

$(MODELS):
	mkdir -p $@

$(MODELS)/terms-plus-%.json: | $(STARTER) $(MODELS)
	$(WORT) train --snapshot $(SNAPSHOT) --terms $(WORD) $(PLUS) -o $@
$(MODELS)/terms-regression-%.json: | $(STARTER) $(MODELS)
	$(WORT) train --snapshot $(SNAPSHOT) --terms $(TR9856) --design tr9856 --name terms-regression-$* -o $@
$(MODELS)/terms-%.json: | $(STARTER) $(MODELS)
	$(WORT) train --snapshot $(SNAPSHOT) --terms $(TR9856) -o $@
$(MODELS)/plus-%.json: | $(STARTER) $(MODELS)
	$(WORT) train --snapshot $(SNAPSHOT) $(WORD) $(PLUS) --name wort-plus-$* -o $@
$(MODELS)/regression-%.json: | $(STARTER) $(MODELS)
	$(WORT) train --snapshot $(SNAPSHOT) $(WORD) --design plain --name wort-regression-$* -o $@
$(MODELS)/%.json: | $(STARTER) $(MODELS)
	$(WORT) train --snapshot $(SNAPSHOT) $(WORD) --name wort-$* -o $@
