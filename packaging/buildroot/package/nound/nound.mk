################################################################################
#
# nound
#
################################################################################

NOUND_VERSION = 0.2.0
# A release that has an address names it here. Without it, the tarball is beside the folder packaging/ of the release.
NOUND_SITE = file://$(BR2_EXTERNAL_NOUND_PATH)/../..
NOUND_SOURCE = nound-$(NOUND_VERSION).tar.xz
NOUND_LICENSE = MIT, Apache-2.0 (Mbed TLS, in vendor)
NOUND_LICENSE_FILES = LICENSE vendor/quickjs-ng/LICENSE vendor/mbedtls/LICENSE
NOUND_CPE_ID_VENDOR = nound
# In a release, nound.hash has the tarball's hash instead of this line.
BR_NO_CHECK_HASH_FOR += $(NOUND_SOURCE)
NOUND_CONF_OPTS = -DCMAKE_BUILD_TYPE=Release

ifeq ($(BR2_PACKAGE_LIBGPIOD2),y)
NOUND_CONF_OPTS += -DNOUND_LIBGPIOD=system
NOUND_DEPENDENCIES += host-pkgconf libgpiod2
else
NOUND_CONF_OPTS += -DNOUND_LIBGPIOD=off
endif

ifneq ($(BR2_PACKAGE_NOUND_TLS),y)
NOUND_CONF_OPTS += -DNOUND_TLS=off
endif

# What is the same on all systems comes with the source.
NOUND_FILES = $(@D)/packaging/systemd

define NOUND_INSTALL_CONFIGURATION
	$(INSTALL) -D -m 0644 $(NOUND_FILES)/nound.json \
		$(TARGET_DIR)/etc/nound/nound.json
endef
NOUND_POST_INSTALL_TARGET_HOOKS += NOUND_INSTALL_CONFIGURATION

ifeq ($(BR2_PACKAGE_HAS_UDEV),y)
define NOUND_INSTALL_UDEV_RULES
	$(INSTALL) -D -m 0644 $(NOUND_FILES)/60-nound.rules \
		$(TARGET_DIR)/usr/lib/udev/rules.d/60-nound.rules
endef
NOUND_POST_INSTALL_TARGET_HOOKS += NOUND_INSTALL_UDEV_RULES
endif

define NOUND_INSTALL_INIT_SYSV
	$(INSTALL) -D -m 0755 $(NOUND_PKGDIR)/S25nound \
		$(TARGET_DIR)/etc/init.d/S25nound
endef

define NOUND_INSTALL_INIT_SYSTEMD
	$(INSTALL) -D -m 0644 $(NOUND_FILES)/nound.service \
		$(TARGET_DIR)/usr/lib/systemd/system/nound.service
	$(INSTALL) -D -m 0755 $(NOUND_FILES)/announce.sh \
		$(TARGET_DIR)/usr/lib/nound/announce.sh
endef

define NOUND_USERS
	nound -1 nound -1 * - - - noun daemon
endef

$(eval $(cmake-package))
