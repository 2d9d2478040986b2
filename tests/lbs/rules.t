#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Each line of rules.cases: the filesystem is made with stock mke2fs, changed,
# and judged with facts from a file; the rule must hold, or with ! must not.
# Texts must have every {word} filled in.
use strict;
use warnings;
use File::Temp qw(tempdir);

my $src = $ENV{SRCDIR} || '.';
my $build = $ENV{BUILD} || "$src/build";
$ENV{PATH} = '/usr/sbin:/sbin:/usr/bin:/bin';
$ENV{MKE2FS_CONFIG} = "$src/tests/lbs/upstream-mke2fs.conf";
$ENV{LC_ALL} = 'C';
my $tmp = tempdir('lbs-rules.XXXXXX', TMPDIR => 1, CLEANUP => 1);
$ENV{DEV} = "$tmp/fs.img";

sub quietly {
	my ($cmd) = @_;
	my $out = `( $cmd ) </dev/null 2>&1`;
	return ($? >> 8, $out);
}

sub make_fs {
	my ($args) = @_;
	my ($size) = $args =~ s/ (\d+[MG])$// ? $1 : die "no size: $args";
	unlink $ENV{DEV};
	return quietly("mke2fs -Fq $args $ENV{DEV} $size");
}

open my $in, '<', "$src/tests/lbs/rules.cases" or die $!;
my ($nr, $failed) = (0, 0);
while (<$in>) {
	next if /^#/;
	chomp;
	my ($id, $facts, $args, $pre, $type, $opts) = split /\t/;
	my $want = $id =~ s/^!// ? 0 : 1;
	my ($rc, $out) = make_fs($args);
	my $why = $rc ? "mke2fs: $out" : '';
	quietly($pre) if $pre ne '-';
	($rc, $out) = quietly("$build/tests/tools/judge"
		. " $src/tests/lbs/facts/$facts.json $ENV{DEV} '$type' '$opts'");
	my $has = $out =~ /^$id\t/m ? 1 : 0;
	my $bad = $why || $rc || $has != $want || $out =~ /\{\w+\}/;
	$nr++;
	$failed++ if $bad;
	print $bad ? 'not ok' : 'ok', " $nr - ", $want ? '' : 'not ',
		"$id: $facts, $args, $pre, $type, $opts\n" =~ s/#/ /gr;
	print map { "# $_\n" } split /\n/, "exit $rc\n$why$out" if $bad;
}
print "1..$nr\n";
exit($failed ? 1 : 0);
