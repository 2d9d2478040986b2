#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# e2lbs check against measured mounts: each row of a mount matrix names a
# kernel, a filesystem by its mke2fs arguments, mount options, and what the
# kernel did. The filesystem is rebuilt with stock mke2fs and e2lbs must say
# the same. Skipped where the matrix is not at hand.
use strict;
use warnings;
use File::Temp qw(tempdir);

my $src = $ENV{SRCDIR} || '.';
my $build = $ENV{BUILD} || "$src/build";
my $matrix = $ENV{LBS_MOUNT_MATRIX} || "$src/../shared/facts/mount-matrix.tsv";
my $sysbin = '/usr/sbin:/sbin:/usr/bin:/bin';

unless (-r $matrix) {
	print "1..0 # SKIP no measured mount matrix at $matrix\n";
	exit 0;
}
$ENV{PATH} = $sysbin;
$ENV{MKE2FS_CONFIG} = "$src/tests/lbs/upstream-mke2fs.conf";
$ENV{LC_ALL} = 'C';
my $tmp = tempdir('lbs-matrix.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @loops;
END { detach($_) for @loops }


sub quietly {
	my ($cmd) = @_;
	my $out = `( $cmd ) </dev/null 2>&1`;
	return ($? >> 8, $out);
}

sub attach {
	my ($file, $sector) = @_;
	my ($rc, $dev) = quietly("losetup -f --show -b $sector $file");
	return undef if $rc;
	chomp $dev;
	push @loops, $dev;
	return $dev;
}

sub detach {
	my ($dev) = @_;
	quietly("losetup -d $dev");
	@loops = grep { $_ ne $dev } @loops;
}

# Splits the notes in brackets from the mke2fs arguments.
sub parse_row {
	my ($line) = @_;
	my %r;
	@r{qw(kernel ps bs sector fs opts result message)} = split /\t/, $line;
	my $args = $r{fs};
	$r{type} = $args =~ s/ \[mount -t (\w+)\]// ? $1 : 'ext4';
	$r{dax} = $args =~ s/ \[dev (\w+)\]// && $1 eq 'pmem0' ? 'yes' : 'no';
	# The pre command may hold brackets of its own, so take it greedily.
	$r{flags} = $args =~ s/ \[flags: (.*)\]$// ? $1 : '';
	$r{journal} = $args =~ s/ \[-J device= bs:sector (\d+:\d+)\]// ? $1 : '';
	$r{pre} = $args =~ s/ \[pre: (.*)\]$// ? $1 : '';
	$r{args} = $args;
	$r{size} = $r{flags} =~ /SIZE=(\d+)/ ? "$1M" : '512M';
	# What is measured there is the mount after the change.
	$r{pre} = 'tune2fs -O encrypt $DEV' if $r{flags} =~ /second_mount_rc/;
	# Newer mke2fs cuts the orphan file at 512 blocks by itself, and older
	# ones take a bare number for blocks.
	if ($r{args} =~ /orphan_file_size=(\d+)(M?)/) {
		my $bytes = $1 * ($2 ? 1 << 20 : 1);
		my $cap = 512 * $r{bs};
		$bytes = $cap if $bytes > $cap;
		my $kib = $bytes >> 10;
		$r{args} =~ s/orphan_file_size=\d+M?/orphan_file_size=${kib}K/;
	}
	# Older libext2fs rounds the orphan file up to a cluster, and so makes
	# one no kernel takes; the measured rows had it at its right size.
	$r{args} .= ' -O ^orphan_file'
		if $r{args} =~ /bigalloc -C (\d+)/ && $1 > 512 * $r{bs};
	return \%r;
}

sub recipe {
	my ($r) = @_;
	return join "\t", @$r{qw(bs args size journal pre)};
}

sub build_image {
	my ($r) = @_;
	my $img = "$tmp/fs.img";
	unlink $img, "$tmp/journal.img";
	my $args = $r->{args};
	my $jdev;
	if ($r->{journal}) {
		my ($jbs, $jsector) = split /:/, $r->{journal};
		quietly("truncate -s 256M $tmp/journal.img");
		$jdev = attach("$tmp/journal.img", $jsector)
			or return (undef, 'no loop device for the journal');
		my ($rc, $out) = quietly("mke2fs -Fq -O journal_dev -b $jbs $jdev");
		return (undef, "journal: $out") if $rc;
		$args .= " -J device=$jdev";
	}
	my ($rc, $out) = quietly("mke2fs -Fq -b $r->{bs} $args $img $r->{size}");
	detach($jdev) if $jdev;
	return (undef, "mke2fs: $out") if $rc;
	if ($r->{pre}) {
		my $pre = $r->{pre};
		$pre =~ s{/e/}{}g;
		$ENV{DEV} = $img;
		quietly($pre);
	}
	return ($img, '');
}

# Exit code e2lbs check must give for what the kernel did.
sub expected {
	my ($r) = @_;
	return 1 if $r->{result} eq 'fail';
	return 0 if $r->{result} =~ /^ok/;
	# A filesystem that was merely too small for the workload is fine.
	return $r->{message} =~ /ENOSPC only/ ? 0 : 2;
}

sub judge {
	my ($r, $img) = @_;
	my ($version) = $r->{kernel} =~ /^(\d+\.\d+)/;
	my $lbs = $r->{kernel} =~ /^6\.1\./ ? 'no' : 'yes';
	my $opts = $r->{opts} eq '-' ? '' : "-o '$r->{opts}'";
	return quietly("$build/e2lbs check -t $r->{type} $opts"
		. " --target-kernel $version --target-page-size $r->{ps}"
		. " --target-lbs $lbs --target-sector-size $r->{sector}"
		. " --target-dax $r->{dax} $img");
}

open my $in, '<', $matrix or die "$matrix: $!";
my @rows = map { chomp; parse_row($_) } grep { !/^kernel\t/ } <$in>;
close $in;
my ($nr, $failed, $unbuilt, $last, $img, $why) = (0, 0, 0, '');
for my $r (sort { recipe($a) cmp recipe($b) } @rows) {
	($img, $why) = build_image($r) if recipe($r) ne $last;
	$last = recipe($r);
	my $name = "$r->{kernel} ps=$r->{ps} bs=$r->{bs} sector=$r->{sector}"
		. " $r->{fs} -o $r->{opts}";
	$name =~ s/#/ /g;
	$nr++;
	if (!$img) {
		$unbuilt++;
		$why =~ s/\s+/ /g;
		print "ok $nr - # SKIP cannot be rebuilt with this mke2fs: ",
			"$r->{bs} $r->{args} $r->{journal}: $why\n";
		next;
	}
	my ($rc, $out) = judge($r, $img);
	if ($rc == expected($r)) {
		print "ok $nr - $name\n";
		next;
	}
	$failed++;
	print "not ok $nr - $name\n";
	$out =~ s/^/# /mg;
	print "# exit $rc, the kernel: $r->{result} $r->{message}\n$out";
}
# At least 95 of 100 rows must have been stated.
$nr++;
my $stated = @rows - $unbuilt;
print $stated >= 0.95 * @rows ? 'ok' : 'not ok',
	" $nr - $stated of ", scalar @rows, " rows could be stated\n";
print "1..$nr\n";
exit($failed ? 1 : 0);
