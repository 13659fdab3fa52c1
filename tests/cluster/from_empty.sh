# Part of scripts/cluster --from-empty: carries out the commands of docs/patroni.md on empty Debian machines, and looks
# whether draws are paid before and after a switchover and a takeover. A machine is a set of namespaces with a Debian of
# its own, made by debootstrap. No systemd runs there: tests/cluster/systemctl starts what the units say.
# shellcheck shell=bash disable=SC2154
#
# Arguments: the release of the database machines, the folder for this run, the package. File 9 is the network of the
# host, from which packages come.
set -euo pipefail
release=$1 work=$2 package=$3
here=$(cd "$(dirname "$0")/../.." && pwd)
roots=${XDG_CACHE_HOME:-$HOME/.cache}/drawbridge-tests
own_release=$(. /etc/os-release && echo "$VERSION_CODENAME")
databases=(db1 db2 db3) payers=(pay1 pay2)
declare -A address=([db1]=10.0.0.11 [db2]=10.0.0.12 [db3]=10.0.0.13 [pay1]=10.0.0.21 [pay2]=10.0.0.22) first_process

say() { printf '\n== %s  %s\n' "$(date +%T)" "$*"; }
die() { echo "from-empty: $*" >&2; exit 1; }
seconds_since() { awk "BEGIN {printf \"%.1f\", $(date +%s.%N) - $1}"; }
# In the host's network.
outside() { nsenter --net=/proc/self/fd/9 "$@"; }

make_root() {  # RELEASE
  [[ -e $roots/debian-$1/made ]] && return
  say "An empty Debian: $1"
  mkdir -p "$roots"
  rm -rf "${roots:?}/debian-$1"
  outside debootstrap --variant=minbase --include=ca-certificates,iproute2,procps "$1" "$roots/debian-$1" \
    http://deb.debian.org/debian >"$work/debootstrap.log" 2>&1 || die "debootstrap: see $work/debootstrap.log"
  touch "$roots/debian-$1/made"
}
boot() {  # MACHINE RELEASE
  local name=$1 root=$work/$1/root
  mkdir -p "$work/$name/written" "$work/$name/aside" "$root"
  local inside="
    hostname $name
    mount -t overlay overlay -o lowerdir=$roots/debian-$2,upperdir=$work/$name/written,workdir=$work/$name/aside $root
    mount -t proc proc $root/proc && mount -t tmpfs tmpfs $root/run && mount -t tmpfs tmpfs $root/tmp && mount --bind /dev $root/dev && mount -t tmpfs -o mode=1777 tmpfs $root/dev/shm
    chmod 1777 $root/tmp
    exec chroot $root /bin/sh -c 'sleep infinity & wait'"
  unshare --net --uts --pid --mount --fork --kill-child /bin/sh -c "$inside" 9<&- &
  local outer=$!
  until first_process[$name]=$(cat "/proc/$outer/task/$outer/children" | tr -d ' ') && [[ -n ${first_process[$name]} ]] &&
    [[ $(readlink "/proc/${first_process[$name]}/root") == */root ]]; do sleep 0.05; done
  while ip link show "v-$name" >/dev/null 2>&1; do sleep 0.05; done
  ip link add "v-$name" type veth peer name eth0 netns "${first_process[$name]}"
  ip link set "v-$name" master switch up
  nsenter --target "${first_process[$name]}" --net sh -c "ip link set lo up; ip address add ${address[$name]}/24 dev eth0; ip link set eth0 up"
}
off() { kill -9 "${first_process[$1]}"; }
# Commands on a machine. Those that fetch packages use the host's network.
on() {  # MACHINE COMMANDS [in-the-host's-network]
  local network=(--net)
  [[ ${3-} == "" ]] || network=(--net=/proc/self/fd/9)
  nsenter --target "${first_process[$1]}" --uts --pid --mount --root "${network[@]}" \
    setsid env --chdir=/ -i PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    bash -euo pipefail -c "$2"
}
put() { on "$2" "cat >'$3'" <"$1"; }  # FILE MACHINE PATH
carry() { on "$1" "cat '$2'" | on "$3" "cat >'$4'"; }  # FROM PATH TO PATH
waits_for() {  # SECONDS WHAT COMMAND…
  local until=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    ((SECONDS < until)) || die "did not happen: $what"
    sleep 0.1
  done
}
leader() { on db1 "patronictl -c /etc/patroni/config.yml list -f json" 2>/dev/null | jq -r '.[] | select(.Role == "Leader" and .State == "running") | .Member'; }
has_roles() {
  [[ $(on db1 "patronictl -c /etc/patroni/config.yml list -f json" 2>/dev/null |
    jq -r '[.[] | select(.State == "running" or .State == "streaming") | .Role] | sort | join(",")' 2>/dev/null) == "Leader,Replica,Sync Standby" ]]
}
status_of() { on "$1" "drawbridge status --json" 2>/dev/null; }
works() { status_of "$1" | jq -e .daemon.running >/dev/null 2>&1; }
# As another writer than before.
works_anew() { status_of "$1" | jq -e "select(.daemon.running) | .ledger.hosts.takeovers > $2" >/dev/null 2>&1; }
draws_in() { status_of "$1" | jq "[.states[] | select(.state == \"$2\") | .count] | add // 0"; }
stands_by() { on "$1" "tail -n 1 /var/log/units/drawbridge.log" | grep -q 'standing by'; }

# What a person who follows set-up.md has written.
write_office() {
  local minute
  minute=$(date +%s)
  on "$1" '
    cd /etc/drawbridge
    printf demo-office >credentials/client_id; printf demo-secret >credentials/client_secret; printf 4400123456 >credentials/check_account
    cat >drawbridge.yaml <<YAML
service: {base_url: "http://127.0.0.1:8080", client_id_file: credentials/client_id, client_secret_file: credentials/client_secret}
state_dir: /var/lib/drawbridge
rules: {file: rules.yaml}
payees: {file: payees.csv, key: fieldA}
poll: {every: 2s}
pay: {timezone: '"$zone"', cutoffs: ['"$(for ((i = 1; i <= 30; ++i)); do TZ=$zone date -d "@$((minute + i * 60))" '+"%H:%M",'; done | sed '$ s/,$//')"'], release: auto}
ach:
  odfi: {routing_number: "091000019", name: FIRST BANK}
  origin: {id: "1123456789", name: CITY HOUSING OFFICE}
  company: {name: CITY HOUSING, id: "1123456789", entry_description: DRAWPMT}
checks: {account_number_file: credentials/check_account, first_number: 10001, layout: layouts/issue-csv.yaml}
confirmations: {profiles: [{match: "*.csv", format: csv}], quiet_period: 100ms}
YAML
    printf "version: 1\napprover_id: 1201\nrules:\n  - name: all\n    when: {amountRequested: {gt: 0}}\n    approve: {}\n" >rules.yaml
    rm -f rules.test.yaml
    { echo "key,name,rail,routing_number,account_number,account_type,sec_code,address1,address2,city,state,zip"
      for ((i = 1; i <= 400; ++i)); do printf "PAYEE-%04d,Maple Street Rentals LLC,ach,091000019,88%06d,checking,CCD,,,,,\n" $i $((i * 37)); done
    } >payees.csv'
  # As docs/patroni.md has it.
  awk '/^```yaml$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$here/docs/patroni.md" | on "$1" 'cat >>/etc/drawbridge/drawbridge.yaml'
  on "$1" "printf '%s\n' '$password' >/etc/drawbridge/credentials/ledger_password"
  # The service, as if it were on the machine: in clear text it may be nowhere else.
  nsenter --target "${first_process[$1]}" --net python3 "$here/tests/cluster/relay.py" 127.0.0.1 8080 10.0.0.1 8080 9<&- &
}

zone=$("$here/scripts/banking-zone")
mkdir -p "$work"
make_root "$release"
make_root "$own_release"
password=$(openssl rand -hex 16)
"$(dirname "$package")/draws-sandbox" --listen 10.0.0.1:8080 --db "$work/service.db" --draws 60 --seed 7 --client-id demo-office \
  --client-secret demo-secret >"$work/service.log" 2>&1 9<&- &
say "Five machines"
for name in "${databases[@]}"; do boot "$name" "$release"; done
for name in "${payers[@]}"; do boot "$name" "$own_release"; done
for name in "${databases[@]}" "${payers[@]}"; do
  # Packages start nothing there.
  on "$name" 'printf "#!/bin/sh\nexit 101\n" >/usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d; mkdir -p /root/drawbridge /usr/local/sbin'
  put "$here/tests/cluster/systemctl" "$name" /usr/local/sbin/systemctl
  on "$name" 'chmod +x /usr/local/sbin/systemctl'
  cp /etc/resolv.conf "$work/$name/root/etc/resolv.conf" 2>/dev/null || put /etc/resolv.conf "$name" /etc/resolv.conf
done
for name in "${databases[@]}"; do
  for file in etcd.default patroni.yml; do put "$here/config/postgresql/$file" "$name" "/root/drawbridge/$file"; done
done

# Each block of commands in the page, with the machines that it is for.
awk -v folder="$work" '/^```sh on=/ {file = sprintf("%s/block-%02d", folder, ++n); sub(/^```sh on=/, ""); print > file; next}
                       /^```$/ {file = ""} file != "" {print > file}' "$here/docs/patroni.md"
for block in "$work"/block-*; do
  machines=$(head -n 1 "$block") commands=$(tail -n +2 "$block") network='' input=/dev/null
  [[ $machines != leader ]] || { waits_for 90 "all three servers have their roles" has_roles; machines=$(leader); }
  case $commands in
    *"apt-get install"*drawbridge.deb*)
      network=outside
      for name in "${payers[@]}"; do
        put "$package" "$name" /root/drawbridge.deb
        carry db1 /root/ca/ca.crt "$name" /root/ca.crt
      done ;;
    *"apt-get install"*) network=outside ;;
    *createuser*) printf '%s\n%s\n' "$password" "$password" >"$work/typed"; input=$work/typed ;;
    *"patronictl -c /etc/patroni/config.yml list") waits_for 120 "all three servers have their roles" has_roles ;;
    *"endpoint health") sleep 3 ;;
    *switchover*)
      since=$(date +%s.%N) writers=$(status_of pay1 | jq .ledger.hosts.takeovers) ;;
  esac
  say "$machines: $(head -n 1 <<<"$commands") …"
  pids=()
  for name in ${machines//,/ }; do
    on "$name" "$commands" $network <"$input" >"$block.$name" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || { tail -n 20 "$block".*; die "$block failed"; }; done
  case $commands in
    *"openssl x509 -req"*)
      for name in "${databases[@]}"; do
        for file in ca.crt "$name.crt" "$name.key"; do carry db1 "/root/ca/$file" "$name" "/root/$file"; done
      done ;;
    *"s/REPLICATOR_PASSWORD/"*)
      for name in db2 db3; do carry db1 /root/drawbridge/patroni.yml "$name" /root/drawbridge/patroni.yml; done ;;
    *drawbridge.deb*)
      for name in "${payers[@]}"; do write_office "$name"; done
      carry pay1 /etc/drawbridge/credentials/sealing_key pay2 /etc/drawbridge/credentials/sealing_key ;;
    *"enable --now drawbridge")
      if [[ $machines == pay1 ]]; then waits_for 60 "Drawbridge works" works pay1; else waits_for 60 "pay2 stands by" stands_by pay2; fi ;;
    *"drawbridge check --online" | *"drawbridge status" | *"endpoint health" | *" list") cat "$block".* ;;
    *switchover*)
      waits_for 60 "pay1 works again" works_anew pay1 "$writers"
      echo "switchover: pay1 answers as the writer again $(seconds_since "$since") s after the order"
      waits_for 90 "draws are paid" test "$(draws_in pay1 pending)" = 0
      on db1 "patronictl -c /etc/patroni/config.yml list" ;;
    *"stop drawbridge")
      since=$(date +%s.%N)
      waits_for 60 "pay2 works" works pay2
      echo "planned takeover: pay2 answers $(seconds_since "$since") s after the stop"
      on pay1 "systemctl start drawbridge"
      waits_for 30 "pay1 stands by" stands_by pay1
      status_of pay2 | jq -c .ledger.hosts

      say "pay2 is lost"
      off pay2
      since=$(date +%s.%N)
      waits_for 60 "pay1 works" works pay1
      echo "unplanned takeover: pay1 answers $(seconds_since "$since") s after the loss of pay2"

      lost=$(leader) writers=$(status_of pay1 | jq .ledger.hosts.takeovers)
      say "$lost, the leader, is lost"
      off "$lost"
      since=$(date +%s.%N)
      waits_for 90 "pay1 works again" works_anew pay1 "$writers"
      echo "loss of the leader: pay1 answers as the writer again $(seconds_since "$since") s after it"
      on pay1 "drawbridge verify"
      # Whatever either machine offered to the bank, also the one that is lost.
      cat "$work"/pay?/written/var/lib/drawbridge/spool/outgoing/*.ach | grep '^6' | cut -c80-94 >"$work/references"
      [[ -s $work/references && -z $(sort "$work/references" | uniq -d) ]] || die "a payment is there twice, or none is"
      echo "$(wc -l <"$work/references") payments, each once" ;;
    *"ledger copy --to"*) cat "$block".* ;;
  esac
done
say "Every command of docs/patroni.md was carried out"
