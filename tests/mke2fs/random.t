#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Random options and sizes. What is made is clean for the installed e2fsck,
# opens in dumpe2fs and is not refused by e2lbs check; what is refused says so in
# one sentence, exits 1, and has neither created nor touched its target. Nothing
# crashes, hangs or asks. A case is made from its number alone:
#	RANDOM_FIRST=N RANDOM_CASES=1 tests/mke2fs/random.t
use strict;
use warnings;
use File::Temp qw(tempdir);
use POSIX qw(:sys_wait_h);
use Time::HiRes qw(time);

use constant LIMIT_SECONDS => 30;

my $build = $ENV{BUILD} || 'build';
my $first = $ENV{RANDOM_FIRST} || 1;
my $cases = $ENV{RANDOM_CASES} || 600;
my $base = -w '/dev/shm' ? '/dev/shm' : ($ENV{TMPDIR} || '/tmp');
my $tmp = tempdir('lbs-random.XXXXXX', DIR => $base, CLEANUP => 1);
my $img = "$tmp/a.img";
$ENV{PATH} = '/usr/sbin:/sbin:/usr/bin:/bin';
$ENV{LC_ALL} = 'C';

my @features = qw(has_journal ext_attr resize_inode dir_index sparse_super2
	fast_commit orphan_file stable_inodes filetype extent meta_bg 64bit mmp
	flex_bg ea_inode metadata_csum_seed large_dir inline_data sparse_super
	large_file huge_file uninit_bg dir_nlink extra_isize bigalloc
	metadata_csum verity none bogus quota);
my @extended = qw(stride=16 stride=65535 stride=65536 stripe_width=4294967295
	lazy_itable_init=0 lazy_itable_init=1 lazy_journal_init=1 discard
	nodiscard orphan_file_size=1 orphan_file_size=512 orphan_file_size=513
	orphan_file_size=3P resize=100000 resize=4294967295 resize=16T resize=1P
	desc_size=32 desc_size=128 desc_size=1024 num_backup_sb=0
	num_backup_sb=1 num_backup_sb=3 mmp_update_interval=0
	mmp_update_interval=300 hash_alg=legacy hash_alg=tea hash_alg=x
	hash_seed=00112233-4455-6677-8899-aabbccddeeff hash_seed=
	root_owner=4294967295:4294967295 root_owner=1 bogus);

sub one_of { return $_[int rand @_] }
sub chance { return rand() < $_[0] }

# (arguments, bytes) of a case
sub make_case {
	my $bs = 1024 << int rand 7;
	my @a = ('-b', $bs);
	my @e = ('target_kernel=7.3,target_lbs=yes');
	push @a, '-t', one_of(('ext4') x 6, 'ext2', 'ext3') if chance(0.9);
	my $big = chance(0.2);
	if ($big || chance(0.5)) {
		my @f = map { one_of('', '^') . one_of(@features[0..26]) }
			1 .. 1 + int rand 3;
		push @f, 'bigalloc' if $big;
		push @f, one_of(@features) if chance(0.1);
		push @a, '-O', join ',', @f;
	}
	push @a, '-C', $bs << int rand 15 if chance($big ? 0.6 : 0.02);
	push @a, '-I', one_of(100, map { 128 << $_ } 0 .. 9) if chance(0.2);
	push @a, '-i', one_of(map { 1024 << $_ } 0 .. 16) if chance(0.2);
	push @a, '-N', one_of(1, 12, 1000, int rand 2**22, 2**32 - 1)
		if chance(0.15);
	push @a, '-g', one_of(256, 512, 1024, 65528, 8 * int rand 8200)
		if chance(0.25);
	push @a, '-G', one_of(1, 4, 64, 1 << 20, 2**31, 3) if chance(0.15);
	push @a, '-m', one_of(0, 50, 51, 0.1, 'nan', '') if chance(0.1);
	push @a, '-J', one_of(map { "size=$_" } 1, 4, 64, 1024, 10240, 2**40)
		if chance(0.15);
	push @a, '-J', 'fast_commit_size=' . one_of(1, 256, 65536)
		if chance(0.05);
	push @e, map { one_of(@extended) } 0 .. rand 2 if chance(0.4);
	push @a, '-L', one_of('x' x 16, 'x' x 17, '', "\xff\x01")
		if chance(0.1);
	push @a, '-U', one_of('clear', 'time', 'random', 'x') if chance(0.1);
	push @a, one_of('-q', '-v', '-j', '-n', '-F') if chance(0.2);
	my $bytes = $bs * int(chance(0.3) ? rand 4000 : 2 ** rand 22);
	$bytes = 2**36 + $bs * int rand 1000 if $bytes > 2**36;
	return ([@a, '-E', join ',', @e], $bytes);
}

# Exit status of a command, -1 when it was too slow, -2 when it was killed.
sub run {
	my ($out, @cmd) = @_;
	my $pid = fork // die "fork: $!";
	if (!$pid) {
		open STDIN, '<', '/dev/null' or exit 126;
		open STDOUT, '>', "$out.out" or exit 126;
		open STDERR, '>', "$out.err" or exit 126;
		exec 'timeout', '20', @cmd or exit 127;
	}
	waitpid $pid, 0;
	return -2 if WIFSIGNALED($?);
	my $status = WEXITSTATUS($?);
	return $status == 124 ? -1 : $status;
}

sub slurp {
	open my $in, '<', $_[0] or return '';
	local $/;
	return scalar(<$in>) // '';
}

# What a target is: nothing, or its size, times and first bytes.
sub state_of {
	my @st = stat $img or return 'none';
	open my $in, '<', $img or return 'unreadable';
	my $n = read $in, my ($bytes), 200000;
	return join ' ', @st[7, 9, 12], $n, unpack '%32C*', $bytes;
}

sub check_refusal {
	my ($rc, $before) = @_;
	my @lines = grep { !/\[LBS_\w+\]$/ } split /\n/, slurp("$tmp/m.err");
	return "exit $rc" if $rc != 1;
	return 'not one sentence' if @lines != 1 || $lines[0] !~ /^mke2fs: /;
	return 'the target was touched' if state_of() ne $before;
	return '';
}

sub check_result {
	my ($forced) = @_;
	my $rc = run("$tmp/f", 'e2fsck', '-fn', $img);
	return "e2fsck: exit $rc\n" . slurp("$tmp/f.out") if $rc;
	$rc = run("$tmp/d", 'dumpe2fs', '-h', $img);
	return "dumpe2fs: exit $rc" if $rc;
	$rc = run("$tmp/c", "$build/e2lbs", 'check', '--target-kernel', '7.3',
		'--target-lbs', 'yes', $img);
	return "e2lbs: exit $rc" if $rc > 3 || $rc < 0 ||
		(!$forced && $rc == 1);
	return 'e2lbs finds damage' if slurp("$tmp/c.out") !~ /looks healthy/;
	return '';
}

sub try_case {
	my ($nr) = @_;
	srand $nr;
	my ($args, $bytes) = make_case();
	my $old = chance(0.4);
	unlink $img;
	if ($old) {
		open my $file, '>', $img or die $!;
		print $file "\xa5" x 70000 if chance(0.5);
		truncate $file, $bytes or die $!;
	}
	my @cmd = (@$args, $img, $old && chance(0.5) ? () : $bytes / 1024 . 'k');
	my $before = state_of();
	my $rc = run("$tmp/m", "$build/mke2fs", @cmd);
	my $err = slurp("$tmp/m.err");
	my $bad = $rc < 0 || $rc > 1 || $err =~ /Sanitizer|runtime error/
		? "exit $rc"
		: $rc || grep({ $_ eq '-n' } @cmd)
		? ($rc ? check_refusal($rc, $before)
			: state_of() eq $before ? '' : '-n wrote')
		: check_result(scalar grep { $_ eq '-F' } @cmd);
	return ($rc, $bad ? "@cmd: $bad\n$err" : '');
}

my ($start, $made, $refused, $failed) = (time, 0, 0, 0);
my $nr = $first;
for (; $nr < $first + $cases && time - $start < LIMIT_SECONDS; $nr++) {
	my ($rc, $bad) = try_case($nr);
	$rc ? $refused++ : $made++;
	next if !$bad;
	$failed++;
	print "not ok $failed - random case $nr\n";
	print map { "# $_\n" } split /\n/, $bad;
}
$failed++;
print $failed > 1 ? 'not ok' : 'ok', " $failed - random cases $first to ",
	$nr - 1, ": $made made, $refused refused\n";
$failed++;
print $made && ($refused || $cases < 20) ? 'ok' : 'not ok',
	" $failed - some were made and some refused\n";
print "1..$failed\n";
exit($failed > 2 ? 1 : 0);
