#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Help and manual name the same options: for a program the options of its
# --help and the .TP tags of its page; for a program with verbs, each verb's
# --help and the section "PROGRAM VERB" of the page.
use strict;
use warnings;

my $src = $ENV{SRCDIR} || '.';
my $build = $ENV{BUILD} || "$src/build";
my $nr = 0;
my $failed = 0;

sub ok {
	my ($good, $name, @notes) = @_;

	$nr++;
	$failed++ unless $good;
	print $good ? 'ok' : 'not ok', " $nr - $name\n";
	print "# $_\n" for $good ? () : @notes;
}

sub options_in {
	my ($text) = @_;

	return $text =~ /(?<![\w-])(--?[A-Za-z0-9][\w-]*)/g;
}

# The options at the head of each option line: "  -t, --type TYPE   what".
sub from_help {
	my ($help) = @_;
	my %seen;

	for my $line (split /\n/, $help) {
		next unless $line =~ /^\s+(-.*)/;
		my ($head) = split /\s{2,}/, $1;

		$seen{$_} = 1 for options_in($head);
	}
	return %seen;
}

# Sections of a manual page: name => options in the tags of its paragraphs.
sub from_man {
	my ($text) = @_;
	my (%sections, $name, $tag);

	$name = '';
	for my $line (split /\n/, $text) {
		$name = uc $1 if $line =~ /^\.SH\s+"?(.*?)"?\s*$/;
		if ($tag) {
			$line =~ s/\\-/-/g;
			$line =~ s/\\f.//g;
			$line =~ s/["\\]//g;
			$sections{$name}{$_} = 1 for grep { !/\*/ } options_in($line);
		}
		$tag = $line =~ /^\.(TP|TQ)\b/;
	}
	return \%sections;
}

sub differences {
	my ($help, $man) = @_;

	return ((map { "$_ is in the help but not in the manual" }
		grep { !$man->{$_} } sort keys %$help),
		(map { "$_ is in the manual but not in the help" }
		grep { !$help->{$_} } sort keys %$man));
}

sub all_sections {
	my ($sections) = @_;
	my %all;

	%all = (%all, %$_) for values %$sections;
	return \%all;
}

sub check_program {
	my ($prog, $sections) = @_;
	my $help = `$build/$prog --help 2>&1`;
	my $rc = $? >> 8;
	my %own = from_help($help);
	my @verbs = $help =~ /^Verbs/m ? $help =~ /^  ([a-z]\w*)  /mg : ();
	my @diff = differences(\%own, @verbs ? $sections->{OPTIONS} || {}
		: all_sections($sections));

	ok($rc == 0 && %own, "$prog --help lists options", "exit $rc", $help);
	ok(!@diff, "$prog: help and manual agree", @diff);
	for my $verb (@verbs) {
		my %of_verb = from_help(scalar `$build/$prog $verb --help 2>&1`);
		my $name = uc "$prog $verb";

		@diff = $sections->{$name}
			? differences(\%of_verb, $sections->{$name})
			: "the manual has no section '$name'";
		ok(%of_verb && !@diff, "$prog $verb: help and manual agree",
			@diff);
	}
}

# The check itself, on made-up texts.
my %help = from_help("Usage: x\n  -a, --all FILE   do -z\n  --new  it\n");
my $man = from_man(".SH OPTIONS\n.TP\n.BR \\-a \", \" \\-\\-all\nand \\-z\n" .
	".TP\n.B \\-\\-old\n");
ok(join(' ', sort keys %help) eq '--all --new -a', 'options are found in help');
ok(join('; ', differences(\%help, $man->{OPTIONS})) eq
	'--new is in the help but not in the manual; ' .
	'--old is in the manual but not in the help', 'differences are found');

my @progs = grep { -f "$src/misc/$_.c" } qw(mke2fs e2lbs tune2fs dumpe2fs);
for my $prog (@progs) {
	my $page = "$src/misc/$prog.8.in";

	if (!open my $in, '<', $page) {
		ok(0, "$prog has a manual page", "$page: $!");
	} else {
		local $/;
		check_program($prog, from_man(scalar <$in>));
	}
}
print "1..$nr\n";
exit($failed ? 1 : 0);
