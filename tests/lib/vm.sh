# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Sourced by tests that boot a kernel: what is needed, the kernel, the init
# program, and one boot with a time limit.  Knows qemu; does not know what
# runs in the guest (tests/vm/run and others decide that).
#
# The caller sets VM_SRC, the top of the source tree, and VM_TMP, an empty
# directory that it removes itself, and calls vm_stop in its EXIT trap.

VM_PID=

# Prints why a VM cannot be had here, or nothing.
vm_missing()
{
	for tool in qemu-system-x86_64 cpio xz gzip ldd; do
		if ! command -v "$tool" >/dev/null 2>&1; then
			echo "$tool is not installed"
			return
		fi
	done
	if ! command -v "${CC:-gcc}" >/dev/null 2>&1; then
		echo "no C compiler for the guest's init"
	elif [ "$(uname -m)" != x86_64 ]; then
		echo "the guest's programs are taken from an x86_64 host"
	elif [ ! -x /bin/busybox ] && [ ! -x /usr/bin/busybox ]; then
		echo "busybox-static is not installed"
	fi
}

# vm_kernel [VARIANT]: sets KERNEL, MODULES and RELEASE; else VM_WHY
vm_kernel()
{
	VM_WHY=
	if ! vm_found=$("$VM_SRC/scripts/lbs-kernel" --variant "${1:-4k}" \
			2>"$VM_TMP/kernel.log"); then
		VM_WHY=$(tail -n 1 "$VM_TMP/kernel.log")
		return 1
	fi
	KERNEL=$(printf '%s\n' "$vm_found" | sed -n 's/^KERNEL=//p')
	MODULES=$(printf '%s\n' "$vm_found" | sed -n 's/^MODULES=//p')
	RELEASE=$(printf '%s\n' "$vm_found" | sed -n 's/^RELEASE=//p')
	export KERNEL MODULES RELEASE VM_WHY
}

# vm_compile OUT SOURCE...: a static program for the guest
vm_compile()
{
	vm_out=$1
	shift
	"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wshadow \
		-static -o "$vm_out" "$@"
}

# vm_build_init OUT: the guest's init program
vm_build_init()
{
	vm_guest=$VM_SRC/tests/vm/guest
	vm_compile "$1" "$vm_guest/init.c" "$vm_guest/case.c" \
		"$vm_guest/work.c" "$vm_guest/device.c" "$vm_guest/kmsg.c"
}

# Ends a VM that is still running, by its own process id.
vm_stop()
{
	[ -z "$VM_PID" ] || kill "$VM_PID" 2>/dev/null
	VM_PID=
}

# vm_boot INITRD LOG SECONDS [qemu argument]...: boots once, the console goes
# to LOG.  0 when the guest powered off by itself, 1 when it had to be ended.
# Memory in VM_MEM (MiB), processors in VM_CPUS, more kernel arguments in
# VM_APPEND.  Always emulated: one way to run, the same on every machine.
# loglevel=2 keeps kernel messages out of the result lines, panics excepted.
vm_boot()
{
	vm_initrd=$1 vm_log=$2 vm_left=$3
	shift 3
	: >"$vm_log"
	qemu-system-x86_64 -accel tcg,thread=multi -cpu max \
		-m "${VM_MEM:-3072}" -smp "${VM_CPUS:-1}" -no-reboot \
		-display none -monitor none -nic none -serial "file:$vm_log" \
		-kernel "$KERNEL" -initrd "$vm_initrd" \
		-append "console=ttyS0 loglevel=2 panic=-1 mitigations=off ${VM_APPEND:-}" \
		"$@" </dev/null >"$VM_TMP/qemu.log" 2>&1 &
	VM_PID=$!
	while kill -0 "$VM_PID" 2>/dev/null && [ "$vm_left" -gt 0 ]; do
		sleep 1
		vm_left=$((vm_left - 1))
	done
	vm_pid=$VM_PID vm_rc=0
	[ "$vm_left" -gt 0 ] || vm_rc=1
	vm_stop
	wait "$vm_pid" 2>/dev/null || vm_rc=1
	return $vm_rc
}
