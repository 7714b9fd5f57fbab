/** The names and versions that an application may have as a service. */

/** The names that the application's user may have. */
const userName = /^[a-z][a-z0-9-]{0,30}$/;

/**
 * Users and programs of Debian, OpenWrt, Buildroot and BusyBox: a service would replace such a program, or run as such
 * a user.
 */
const taken = new Set(
  `
  acpid adjtimex adm apk apt ar arch arp arping ascii ash audio avahi avahi-daemon awk backup base64 basename bash bc
  bin blkdiscard blkid blockdev brctl bridge bunzip2 bzcat bzip2 cal cat chgrp chmod chown chronyd chroot chvt clear
  cmp cp cpio crc32 crond cttyhack curl cut daemon dash date dbus dc dd deallocvt depmod devmem df dialout diff
  dirname disk dmesg dnsdomainname dnsmasq dos2unix dpkg dropbear dropbearkey du dumpkmap dumpleases echo egrep env
  expand expr factor fallocate false fatattr fdisk fgrep find findfs fold free freeramdisk fsfreeze fstrim ftp ftpget
  ftpput fw4 games gdb gdbserver getopt getty gpio grep groups gunzip gzip halt head hexdump hostapd hostid hostname
  httpd hwclock i2c i2cdetect i2cdump i2cget i2cset i2ctransfer id ifconfig ifdown ifup init input insmod ionice ip
  ip6tables ipcalc ipneigh iptables irc journalctl jshn jsonfilter kill killall klogd kmem kvm last less link linux32
  linux64 linuxrc list ln loadfont loadkmap logd logger login loginctl logname logread losetup lp ls lsmod lsscsi lua
  luajit lzcat lzma lzop mail man md5sum mdev messagebus microcom micropython mim mkdir mkdosfs mke2fs mkfifo mknod
  mkpasswd mkswap mktemp mmcli modem-manager modinfo modprobe more mosquitto mount mt mv nameif nc netdev netifd
  netstat network news nft nginx nl nmcli nobody node nologin nound npm nproc nsenter nslookup ntp ntpd nuke od openvt
  operator opkg partprobe paste patch perl php pidof ping ping6 pivot_root plugdev polkitd poweroff printf procd proxy
  ps pwd python python3 rdate readlink realpath reboot render renice reset resume rev rm rmdir rmmod root route rpcd
  rpm rpm2cpio run-init run-parts scp sed seq setkeycodes setpriv setsid sftp sh sha1sum sha256sum sha3sum sha512sum
  shred shuf sleep sort spi ssh sshd ssl_client staff start-stop-daemon stat strace strings stty sudo svc svok swapoff
  swapon switch_root sync sys sysctl syslogd systemctl tac tail tar taskset tc tee telnet test tftp time timeout top
  touch tr traceroute traceroute6 true truncate ts tss tty ubirename ubus ubusd uci udevadm udhcpc udhcpd uevent
  uhttpd umount uname uncompress unexpand uniq unix2dos unlink unlzma unshare unxz unzip uptime users usleep uucp
  uudecode uuencode vconfig vi video w watch watchdog wc wget wheel which who whoami www-data xargs xxd xz xzcat yes
  zcat zsh
`.match(/\S+/g),
);

/** A version that the Makefiles of OpenWrt and Buildroot take as it is. Each version of npm is one. */
const version = /^[0-9][0-9A-Za-z.+-]{0,63}$/;

/**
 * @param {{ name: string, version: unknown }} project of package.json.
 * @returns {string | undefined} a sentence that says what is wrong.
 */
export function problemOf(project) {
  const { name } = project;
  if (!userName.test(name))
    return `a service's user cannot be called ${name}: use lower-case letters, digits and - in package.json's name`;
  if (taken.has(name) || name.startsWith("systemd-"))
    return (
      `a service cannot be called ${name}: systems already have a user or program of that name; change ` +
      `the name in package.json`
    );
  if (typeof project.version !== "string" || !version.test(project.version))
    return (
      `${JSON.stringify(project.version)} cannot be the version of a package: use one such as 1.2.3 in ` +
      `package.json`
    );
  return undefined;
}
