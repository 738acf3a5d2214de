#!/usr/bin/perl
# Does some of the tasks with HTTP::Tiny and JSON::PP, which come with Perl.
use strict;
use warnings;
use Fcntl ':flock';
use HTTP::Tiny;
use JSON::PP;

my $json = JSON::PP->new->utf8->canonical->allow_bignum;
my $task = $json->decode(slurp($ENV{SHELFLEET_TASK}));
my ($name, $data) = @$task{qw(name data)};
my ($base, $secret) = $task->{api} eq 'store' ? @ENV{qw(STORE_URL STORE_TOKEN)} : @ENV{qw(FLEET_URL FLEET_KEY)};
my $http = HTTP::Tiny->new(timeout => 1.5, default_headers => { authorization => "Bearer $secret" });

sub slurp { local $/; open my $file, '<', $_[0] or die "$_[0]: $!"; return scalar <$file> }

sub encode { my ($text) = @_; utf8::encode($text); $text =~ s/([^A-Za-z0-9_.~-])/sprintf '%%%02X', ord $1/ge; return $text }

sub call {
    my ($method, $path, $body) = @_;
    my %options = defined $body ? (headers => { 'content-type' => 'application/json' }, content => $json->encode($body)) : ();
    my $response;
    for my $attempt (1 .. $method eq 'POST' ? 1 : 3) {
        $response = $http->request($method, "$base$path", \%options);
        last if $response->{success} || $response->{status} !~ /^(429|5..)$/;
        my $wait = $response->{headers}{'retry-after'} // 0.2;
        die "$method $path: told to wait $wait s\n" if $wait =~ /^\d+$/ && $wait > 5;
        select undef, undef, undef, $wait =~ /^[\d.]+$/ ? $wait : 1;
    }
    die "$method $path: $response->{status}\n" unless $response->{success};
    return length $response->{content} ? $json->decode($response->{content}) : undef;
}

sub by_cursor {
    my ($path, @rows) = @_;
    my $cursor;
    do {
        my $page = call('GET', $path . (defined $cursor ? '&cursor=' . encode($cursor) : ''));
        push @rows, @{ $page->{items} };
        $cursor = $page->{nextCursor};
    } while defined $cursor;
    return @rows;
}

sub by_number {
    my ($path, @rows) = @_;
    for (my $number = 1 ;; $number++) {
        my $page = call('GET', "$path?limit=100&page=$number");
        push @rows, @{ $page->{data} };
        return @rows unless $page->{meta}{pagination}{hasNextPage};
    }
}

sub deliver {
    open my $file, '>', "$ENV{SHELFLEET_OUT}/rows.ndjson" or die $!;
    print $file $json->encode($_), "\n" for @_;
    close $file or die $!;
}

open my $lock, '>', "$ENV{SHELFLEET_OUT}/lock" or die $!;
flock $lock, LOCK_EX | LOCK_NB or die "another run is in progress\n";

if    ($name eq 'copy-stores')   { deliver(by_cursor('/v1/stores?limit=100')) }
elsif ($name eq 'copy-vehicles') { deliver(by_number('/vehicles')) }
elsif ($name eq 'copy-damages')  { deliver(by_number('/damages')) }
elsif ($name eq 'report-damages') {
    my %known = map { ($_->{description} => 1) } by_number('/damages');
    for my $damage (@{ $data->{damages} }) { call('POST', '/damages', $damage) unless $known{ $damage->{description} } }
}
elsif ($name eq 'change-vehicles') {
    for my $change (@{ $data->{vehicles} }) {
        my $path = '/vehicles/' . encode($change->{id});
        call('PUT', $path, { %{ call('GET', $path)->{data} }, %$change });
    }
}
elsif ($name eq 'change-stores') {
    for my $change (@{ $data->{stores} }) {
        my $path = '/v1/stores/' . encode($change->{externalId});
        my %store = (%{ call('GET', $path) }, name => $change->{name});
        delete $store{storeId};
        call('PUT', $path, \%store);
    }
}
else { die "cannot do $name\n" }
