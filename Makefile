# Trunk for Linux. `make` without a target lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD_DIR ?= .build
CONFIG ?= release
ARGS ?=
# How long each decoder is fuzzed.
SECONDS ?= 60

app_id = garden.trunk.trunk
programs = trunk trunkctl trunk-server
# Programs that only the desktop starts.
helpers = trunk-search
# The programs that `build` builds; targets that need fewer of them override it.
built = $(programs) $(helpers)
# Programs with shell completions.
completed = trunkctl trunk-server
# The window and trunkctl have their translations in separate folders, because two packages can't contain the same file.
locales = locale trunkctl/locale
languages = $(shell sed 's/\#.*//' po/LINGUAS)
# A language may have no questions yet; they then appear in English.
question_languages = $(patsubst po/questions/%.po,%,$(wildcard po/questions/*.po))
catalogues = $(languages:%=%/LC_MESSAGES/trunk.mo) $(question_languages:%=%/LC_MESSAGES/trunk-questions.mo)
locale_dir = $(BUILD_DIR)/locale
share = $(DESTDIR)$(PREFIX)/share
icons = $(share)/icons/hicolor
units = $(DESTDIR)$(PREFIX)/lib/systemd/system
user_units = $(DESTDIR)$(PREFIX)/lib/systemd/user
# As the standard for file systems has it: /etc for a system, and otherwise below the prefix.
sysconfdir ?= $(if $(filter /usr /usr/local,$(PREFIX)),,$(PREFIX))/etc
configuration = $(DESTDIR)$(sysconfdir)/trunk-server.conf
manual = $(share)/man
libexec = $(PREFIX)/libexec
handbook_pictures = $(shell grep -oh 'screenshots/[a-z-]*\.png' docs/handbook/*.html | sort -u)
# The handbook in each language and its pictures, in one folder below a share folder.
define install_handbook
install -d '$(1)/doc/trunk/handbook'
install -m 644 docs/handbook/* $(handbook_pictures:%=docs/%) '$(1)/doc/trunk/handbook'
sed -i 's|"../screenshots/|"|' '$(1)'/doc/trunk/handbook/*.html
endef

.PHONY: help run demo build built translations test check soak check-headers check-newer fuzz bench install install-data uninstall \
  deb source-archive check-packages format lint pot resources screenshots films clean

help:
	@echo 'make run           build Trunk and start it (ARGS= are passed on)'
	@echo 'make demo          a server and two windows on this computer, to try syncing'
	@echo 'make build         build trunk, trunkctl, trunk-server and trunk-search (CONFIG=debug or release)'
	@echo 'make test          the tests and checks; ends with one line of totals'
	@echo 'make check         style, catalogues and Swift tests of what you changed'
	@echo 'make soak          make test with all of its longest tests, of which it otherwise runs a sample'
	@echo 'make check-headers compile the window against the headers of Debian 13'
	@echo 'make check-newer   before a release: build, start and test the window inside a Debian 13'
	@echo 'make fuzz          look for text that ends the program, for SECONDS=60 each kind'
	@echo 'make bench         measure the promised speed, update docs/benchmarks.md'
	@echo 'make install       install what was built to PREFIX=$(PREFIX), staged below DESTDIR='
	@echo 'make uninstall     remove what make install wrote'
	@echo 'make deb           build packages for Debian and Ubuntu into $(BUILD_DIR)/deb'
	@echo 'make source-archive  write one file from which everything is built without a network'
	@echo 'make check-packages  before a release: test the packages in a new Debian 12 and 13'
	@echo 'make format        format the Swift code'
	@echo 'make lint          check the style of Swift, Python and shell code'
	@echo 'make pot           collect the texts to translate into the templates in po'
	@echo 'make resources     bundle data/icons into data/trunk.gresource'
	@echo 'make screenshots   render every screen, for looking at them and for the documents'
	@echo 'make films         record each act as a strip of frames into $(BUILD_DIR)/films'
	@echo 'make clean         remove what was built'

run: built = trunk
run: build
	@echo 'Starting trunk.'
	@$(call install_handbook,$(BUILD_DIR)/share)
	@TRUNK_LOCALEDIR='$(abspath $(locale_dir))' \
	XDG_DATA_DIRS='$(CURDIR)/data':'$(abspath $(BUILD_DIR)/share)':"$${XDG_DATA_DIRS:-/usr/local/share:/usr/share}" \
	'$(BUILD_DIR)/$(CONFIG)/trunk' $(ARGS)

demo: built = trunk trunk-server
demo: build
	@BUILD_DIR='$(BUILD_DIR)' CONFIG='$(CONFIG)' scripts/demo

build: translations
	@BUILD_DIR='$(BUILD_DIR)' CONFIG='$(CONFIG)' scripts/build $(built)

translations:
	@scripts/install-dependencies run
	@mkdir -p $(patsubst %,'$(locale_dir)/%',$(dir $(catalogues)))
	@for language in $(languages); do \
	  msgfmt -o "$(locale_dir)/$$language/LC_MESSAGES/trunk.mo" "po/$$language.po" || exit 1; \
	done
	@for language in $(question_languages); do \
	  msgfmt -o "$(locale_dir)/$$language/LC_MESSAGES/trunk-questions.mo" "po/questions/$$language.po" || exit 1; \
	done

test:
	@scripts/install-dependencies test
	@BUILD_DIR='$(BUILD_DIR)' Tests/all

check:
	@scripts/install-dependencies test
	@BUILD_DIR='$(BUILD_DIR)' scripts/check $(ARGS)

soak:
	@SOAK=1 $(MAKE) --no-print-directory test

check-headers:
	@scripts/install-dependencies run
	@BUILD_DIR='$(BUILD_DIR)' scripts/check-headers

check-newer:
	@BUILD_DIR='$(BUILD_DIR)' scripts/check-newer

fuzz:
	@scripts/install-dependencies run
	@BUILD_DIR='$(BUILD_DIR)' Tests/Fuzz/run '$(SECONDS)' $(ARGS)

bench:
	@scripts/install-dependencies bench
	@$(MAKE) --no-print-directory build built='$(programs) $(helpers) trunk-bench sync-bench'
	BUILD_DIR='$(BUILD_DIR)' Benchmarks/run

screenshots:
	@scripts/install-dependencies screenshots
	@$(MAKE) --no-print-directory build
	BUILD_DIR='$(BUILD_DIR)' CONFIG='$(CONFIG)' scripts/screenshots

films:
	@scripts/install-dependencies screenshots
	@$(MAKE) --no-print-directory build built='trunk trunkctl'
	BUILD_DIR='$(BUILD_DIR)' CONFIG='$(CONFIG)' scripts/films

# Builds nothing, so that `sudo make install` neither needs Swift nor leaves files of root in the build folder.
install: built install-data
	install -d '$(DESTDIR)$(PREFIX)/bin'
	for program in $(programs); do \
	  install -s -m 755 "$(BUILD_DIR)/$(CONFIG)/$$program" '$(DESTDIR)$(PREFIX)/bin' || exit 1; \
	done
	install -d '$(DESTDIR)$(libexec)'
	for program in $(helpers); do \
	  install -s -m 755 "$(BUILD_DIR)/$(CONFIG)/$$program" '$(DESTDIR)$(libexec)' || exit 1; \
	done
	install -d '$(share)/bash-completion/completions' '$(share)/zsh/site-functions' '$(share)/fish/vendor_completions.d'
	for program in $(completed); do \
	  "$(BUILD_DIR)/$(CONFIG)/$$program" --generate-completion-script bash > "$(share)/bash-completion/completions/$$program" && \
	  sed -i '1{/^#!/d}' "$(share)/bash-completion/completions/$$program" && \
	  "$(BUILD_DIR)/$(CONFIG)/$$program" --generate-completion-script zsh > "$(share)/zsh/site-functions/_$$program" && \
	  "$(BUILD_DIR)/$(CONFIG)/$$program" --generate-completion-script fish > "$(share)/fish/vendor_completions.d/$$program.fish" \
	  || exit 1; \
	done
	@if [ -z '$(DESTDIR)' ]; then \
	  gtk4-update-icon-cache -qtf '$(icons)' 2>/dev/null || gtk-update-icon-cache -qtf '$(icons)' 2>/dev/null || true; \
	  update-desktop-database -q '$(share)/applications' 2>/dev/null || true; \
	fi

built:
	@for file in $(patsubst %,"$(BUILD_DIR)/$(CONFIG)/%",$(programs) $(helpers)); do \
	  [ -x "$$file" ] || { echo "$$file is not built yet. Run \"make build\" first, without sudo." >&2; exit 1; }; \
	done

# Everything but the programs: desktop integration, icons, manual pages, translations.
install-data:
	@[ -d '$(locale_dir)' ] || { echo 'The translations are not built yet. Run "make build" first, without sudo.' >&2; exit 1; }
	install -d '$(share)/applications' '$(share)/metainfo' '$(share)/mime/packages' '$(share)/dbus-1/services' '$(share)/gnome-shell/search-providers' '$(share)/krunner/dbusplugins' '$(manual)/man1' '$(manual)/man8' \
	  '$(icons)/scalable/apps' '$(icons)/symbolic/apps'
	msgfmt --desktop -d po --template=data/$(app_id).desktop.in -o '$(share)/applications/$(app_id).desktop'
	msgfmt --xml -d po --template=data/$(app_id).metainfo.xml.in -o '$(share)/metainfo/$(app_id).metainfo.xml'
	msgfmt --xml -d po --template=data/$(app_id).xml.in -o '$(share)/mime/packages/$(app_id).xml'
	sed 's|@bindir@|$(PREFIX)/bin|' data/$(app_id).service.in > '$(share)/dbus-1/services/$(app_id).service'
	sed 's|@libexecdir@|$(libexec)|' data/$(app_id).Search.service.in > '$(share)/dbus-1/services/$(app_id).Search.service'
	install -m 644 data/$(app_id).search-provider.ini '$(share)/gnome-shell/search-providers'
	msgfmt --desktop -d po --template=data/$(app_id).krunner.desktop.in -o '$(share)/krunner/dbusplugins/$(app_id).desktop'
	install -d '$(units)' '$(user_units)'
	install -m 644 data/trunk-reminder.service data/trunk-reminder.timer '$(user_units)'
	sed -e 's|@bindir@|$(PREFIX)/bin|' -e 's|@sysconfdir@|$(sysconfdir)|' data/trunk-server.service.in \
	  > '$(units)/trunk-server.service'
	install -d '$(dir $(configuration))'
	[ -e '$(configuration)' ] || install -m 644 data/trunk-server.conf '$(configuration)'
	chmod 644 '$(share)/mime/packages/$(app_id).xml' '$(units)/trunk-server.service' '$(share)/applications/$(app_id).desktop' '$(share)/metainfo/$(app_id).metainfo.xml' \
	  '$(share)/dbus-1/services/$(app_id).service' '$(share)/dbus-1/services/$(app_id).Search.service' \
	  '$(share)/krunner/dbusplugins/$(app_id).desktop'
	install -m 644 data/icons/hicolor/scalable/apps/$(app_id).svg '$(icons)/scalable/apps'
	install -m 644 data/icons/hicolor/symbolic/apps/$(app_id)-symbolic.svg '$(icons)/symbolic/apps'
	install -m 644 data/man/*.1 '$(manual)/man1'
	install -m 644 data/man/*.8 '$(manual)/man8'
	$(call install_handbook,$(share))
	for folder in $(locales); do \
	  for catalogue in $(catalogues); do \
	    install -D -m 644 "$(locale_dir)/$$catalogue" "$(share)/$$folder/$$catalogue" || exit 1; \
	  done; \
	done

uninstall:
	rm -rf '$(share)/doc/trunk/handbook'
	! cmp -s data/trunk-server.conf '$(configuration)' || rm '$(configuration)'
	rm -f $(programs:%='$(DESTDIR)$(PREFIX)/bin/%') $(helpers:%='$(DESTDIR)$(libexec)/%') \
	  '$(share)/dbus-1/services/$(app_id).Search.service' '$(share)/krunner/dbusplugins/$(app_id).desktop' \
	  '$(share)/gnome-shell/search-providers/$(app_id).search-provider.ini' $(patsubst data/man/%.1,'$(manual)/man1/%.1',$(wildcard data/man/*.1)) \
	  $(patsubst data/man/%.8,'$(manual)/man8/%.8',$(wildcard data/man/*.8)) \
	  '$(share)/applications/$(app_id).desktop' '$(share)/metainfo/$(app_id).metainfo.xml' \
	  '$(share)/dbus-1/services/$(app_id).service' '$(share)/mime/packages/$(app_id).xml' \
	  '$(icons)/scalable/apps/$(app_id).svg' '$(icons)/symbolic/apps/$(app_id)-symbolic.svg' \
	  $(foreach program,$(completed),'$(share)/bash-completion/completions/$(program)' \
	  '$(share)/zsh/site-functions/_$(program)' '$(share)/fish/vendor_completions.d/$(program).fish') \
	  '$(units)/trunk-server.service' '$(user_units)/trunk-reminder.service' '$(user_units)/trunk-reminder.timer' \
	  $(foreach folder,$(locales),$(catalogues:%='$(share)/$(folder)/%'))

deb:
	@scripts/install-dependencies run packages
	@BUILD_DIR='$(BUILD_DIR)' packaging/deb

source-archive:
	@BUILD_DIR='$(BUILD_DIR)' packaging/source-archive

check-packages:
	@scripts/install-dependencies run packages
	@BUILD_DIR='$(BUILD_DIR)' packaging/check

format:
	swift format --in-place --recursive $(wildcard Package.swift Sources Tests Benchmarks Tools)

lint:
	@scripts/install-dependencies test
	@scripts/lint

pot:
	@scripts/install-dependencies run
	@scripts/update-pot

resources:
	@scripts/install-dependencies run resources
	@scripts/update-resources

clean:
	rm -rf '$(BUILD_DIR)'
