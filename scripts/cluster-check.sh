#!/usr/bin/env bash
# Builds a corpus and links it by one process, by eight at once, on Apache Beam's Prism, on SLURM and on Spark, and compares all
# files of the results. On SLURM a node is killed in mid-run, and on Spark a worker. What is not installed is skipped.
#
#   CTXNORM_DATA=folder scripts/cluster-check.sh
#
#   SLURM   Debian's packages munge, slurmctld, slurmd and slurm-client, and root: two nodes on this machine
#   Spark   SPARK_PYTHON=python with the package pyspark, and Java 17 (PATH or JAVA_HOME): a master and two workers
#   DOCS=n  number of records (36,000), in 24 files
#   WORK=d  work folder (build/cluster), which is emptied
#
# shellcheck disable=SC2317 # some functions are called by their names
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

data=${CTXNORM_DATA:-}
[[ -n $data ]] || fail "CTXNORM_DATA is not set" "set it to the folder with dict/ and raw/"
data=$(realpath "$data")
work=${WORK:-$root/build/cluster}
rm -rf "$work"
mkdir -p "$work/bin"
work=$(realpath "$work")
program=$work/bin/ctxnorm
failed=0
rows=()

CGO_ENABLED=0 go build -buildvcs=false -o "$program" ./cmd/ctxnorm
python3 bench/peers/make_pubmed_xml.py --raw "$data/raw/raw_text.jsonl.gz" --docs "${DOCS:-36000}" --files 24 --out "$work/pubmed" >&2
rm -f "$work/pubmed/truth.jsonl.gz"
dict=$data/dict/biocom_half.jsonl.gz
files=("$work"/pubmed/*.xml.gz)
build=(--dict "$dict" --workers 1)
link=(--dict "$dict" --tag --method exact --format jsonl --input "$work/pubmed")

# stop_all stops what was started.
pids=()
stop_all() {
	local pid
	for pid in "${pids[@]}"; do
		kill -9 -- "-$pid" 2>/dev/null || kill -9 "$pid" 2>/dev/null || true
	done
	[[ ! -e $work/munge.pid ]] || kill "$(<"$work/munge.pid")" 2>/dev/null || true
}
trap stop_all EXIT

# start NAME COMMAND... starts a server in a session of its own, and sets pid.
start() {
	local name=$1
	shift
	setsid "$@" >"$work/$name.log" 2>&1 </dev/null &
	pid=$!
	pids+=("$pid")
}

# wait_for SECONDS COMMAND... waits until a command succeeds.
wait_for() {
	local until=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		((SECONDS < until)) || return 1
		sleep .3
	done
}

# kill_tree PID kills a process and all below it, also in sessions of their own.
kill_tree() {
	local child
	for child in $(pgrep -P "$1"); do kill_tree "$child"; done
	kill -9 "$1" 2>/dev/null || true
}

# compare NAME JOB KILLED FOLDER compares the result of a job with that of one process.
compare() {
	local same=yes seconds
	seconds=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
	diff -rq "$work/one/$2" "$4" >&2 || { same=no; failed=1; }
	rows+=("| $1 | $2 | $3 | $seconds s | $same |")
	say "$1, $2: $seconds s, the same bytes: $same"
}

run_one() {
	began=$EPOCHREALTIME
	"$program" build-corpus "${build[@]}" --corpus "$work/one/build-corpus" "${files[@]}" 2>"$work/one.log"
	compare "one process" build-corpus "" "$work/one/build-corpus"
	began=$EPOCHREALTIME
	"$program" link "${link[@]}" --output "$work/one/link/" 2>>"$work/one.log"
	compare "one process" link "" "$work/one/link"
}

run_shards() {
	local i
	began=$EPOCHREALTIME
	for i in {1..8}; do "$program" build-corpus "${build[@]}" --corpus "$work/shards/build-corpus" --shard "$i/8" "${files[@]}" 2>>"$work/shards.log" & done
	wait
	"$program" build-corpus "${build[@]}" --corpus "$work/shards/build-corpus" "${files[@]}" 2>>"$work/shards.log"
	compare "eight processes" build-corpus "" "$work/shards/build-corpus"
	began=$EPOCHREALTIME
	for i in {1..8}; do "$program" link "${link[@]}" --output "$work/shards/link/" --shard "$i/8" 2>>"$work/shards.log" & done
	wait
	compare "eight processes" link "" "$work/shards/link"
}

run_prism() {
	CGO_ENABLED=0 go -C distributed build -buildvcs=false -o "$work/bin/ctxnorm-beam" ./cmd/ctxnorm-beam
	began=$EPOCHREALTIME
	"$work/bin/ctxnorm-beam" build-corpus --program "$program" --shards 8 -- "${build[@]}" --corpus "$work/prism/build-corpus" "${files[@]}" 2>"$work/prism.log"
	compare Prism build-corpus "" "$work/prism/build-corpus"
	began=$EPOCHREALTIME
	"$work/bin/ctxnorm-beam" link --program "$program" --shards 8 -- "${link[@]}" --output "$work/prism/link/" 2>>"$work/prism.log"
	compare Prism link "" "$work/prism/link"
}

# slurmd_of NODE starts a node.
slurmd_of() {
	start "$1" slurmd -D -N "$1" -f "$SLURM_CONF"
	node_pid=$pid
}

run_slurm() {
	local host job last kill_at
	host=$(hostname -s)
	export SLURM_CONF=$work/slurm.conf
	mkdir -p "$work/slurm/state" "$work/slurm/n1" "$work/slurm/n2"
	cat >"$SLURM_CONF" <<-CONF
		ClusterName=check
		SlurmctldHost=$host(127.0.0.1)
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$work/munge.socket
		StateSaveLocation=$work/slurm/state
		SlurmdSpoolDir=$work/slurm/%n
		SlurmctldPidFile=$work/slurm/ctld.pid
		SlurmdPidFile=$work/slurm/%n.pid
		SlurmctldPort=17000
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		ReturnToService=2
		SlurmdTimeout=15
		JobRequeue=1
		NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=1 RealMemory=2000
		NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=1 RealMemory=2000
		PartitionName=all Nodes=n1,n2 Default=YES MaxTime=60 State=UP
	CONF
	head -c 1024 /dev/urandom >"$work/munge.key"
	chmod 600 "$work/munge.key"
	munged --force --key-file "$work/munge.key" --socket "$work/munge.socket" --pid-file "$work/munge.pid" --log-file "$work/munge.log" --seed-file "$work/munge.seed"
	start slurmctld slurmctld -D -i -f "$SLURM_CONF"
	slurmd_of n2
	slurmd_of n1
	wait_for 60 slurm_idle || fail "SLURM did not start: $(tail -n 3 "$work/slurmctld.log")"

	for job in build-corpus link; do
		began=$EPOCHREALTIME
		case $job in
		build-corpus) command=(build-corpus "${build[@]}" --corpus "$work/slurm/$job" "${files[@]}") ;;
		link) command=(link "${link[@]}" --output "$work/slurm/$job/") ;;
		esac
		last=$(CTXNORM=$program sbatch --parsable --array=1-8 --cpus-per-task=1 --mem=500 --output="$work/slurm/$job-%a.log" examples/cluster/slurm.sh "${command[@]}")
		kill_at=$((SECONDS + 60))
		until squeue -h -j "$last" -t R -w n1 | grep -q . || ((SECONDS > kill_at)); do sleep .1; done
		sleep .5
		say "SLURM, $job: killing the node n1 and what runs on it"
		kill_node n1 "$node_pid"
		wait_for 90 slurm_down || fail "SLURM did not miss its node: $(tail -n 3 "$work/slurmctld.log")"
		slurmd_of n1 # the node comes back; its task is queued again
		sbatch --parsable --dependency="afterok:$last" --cpus-per-task=1 --mem=500 --output="$work/slurm/$job-last.log" --wrap "$program $(printf '%q ' "${command[@]}")" >/dev/null
		wait_for 300 slurm_empty || { squeue >&2; fail "SLURM did not end: $(tail -n 3 "$work/slurmctld.log")"; }
		grep -h -i -e error -e cancel "$work/slurm/$job-"*.log >&2 || true
		compare SLURM "$job" "a node" "$work/slurm/$job"
	done
}

# kill_node NODE PID kills the server of a node, then what watches over its tasks, which could not tell anybody, then these.
kill_node() {
	local environ task parent tasks=()
	kill -9 "$2" 2>/dev/null || true
	for environ in /proc/[0-9]*/environ; do
		! tr '\0' '\n' 2>/dev/null <"$environ" | grep -qx "SLURMD_NODENAME=$1" || tasks+=("$(basename "$(dirname "$environ")")")
	done
	for task in "${tasks[@]}"; do
		parent=$(ps -o ppid= -p "$task" | tr -d ' ')
		[[ $(ps -o comm= -p "${parent:-1}") != slurmstepd* ]] || kill -9 "$parent"
	done
	kill -9 "${tasks[@]}" 2>/dev/null || true
}
slurm_down() { sinfo -h -n n1 -o %t | grep -q down; }
slurm_idle() { [[ $(sinfo -h -N -t idle -o %N | wc -l) == 2 ]]; }
slurm_empty() { ! squeue -h | grep -q .; }

run_spark() {
	local home worker job submit
	home=$("$SPARK_PYTHON" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
	export SPARK_HOME=$home SPARK_LOCAL_IP=127.0.0.1 SPARK_DAEMON_MEMORY=400m PYSPARK_PYTHON=$SPARK_PYTHON
	start spark-master "$home/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 17077 --webui-port 17080
	wait_for 60 grep -q "I have been elected leader" "$work/spark-master.log" || fail "Spark did not start: $(tail -n 3 "$work/spark-master.log")"
	for worker in 1 2; do
		start "spark-worker$worker" "$home/bin/spark-class" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --cores 1 --memory 900m --work-dir "$work/spark-worker$worker" spark://127.0.0.1:17077
	done
	wait_for 60 bash -c "[[ \$(grep -c 'Registering worker' '$work/spark-master.log') == 2 ]]" || fail "the workers of Spark did not start: $(tail -n 3 "$work/spark-worker2.log")"
	for job in build-corpus link; do
		began=$EPOCHREALTIME
		case $job in
		build-corpus) command=(build-corpus "${build[@]}" --corpus "$work/spark/$job" "${files[@]}") ;;
		link) command=(link "${link[@]}" --output "$work/spark/$job/") ;;
		esac
		"$home/bin/spark-submit" --master spark://127.0.0.1:17077 --conf spark.executor.memory=512m --conf spark.driver.memory=512m \
			examples/cluster/spark.py --ctxnorm "$program" --shards 24 "${command[@]}" >"$work/spark-$job.log" 2>&1 &
		submit=$!
		if [[ $job == build-corpus ]]; then
			wait_for 120 pgrep -f "$program build-corpus .*--shard" || true
			say "Spark, $job: killing a worker and its executor"
			kill_tree "$pid"
		fi
		wait "$submit" || { tail -n 5 "$work/spark-$job.log" >&2; failed=1; }
		compare Spark "$job" "$([[ $job == build-corpus ]] && echo 'a worker')" "$work/spark/$job"
	done
}

run_one
run_shards
run_prism
if [[ $(id -u) == 0 ]] && command -v slurmctld slurmd munged sbatch >/dev/null; then
	run_slurm
else
	say "SLURM is skipped: it needs root and Debian's packages munge, slurmctld, slurmd and slurm-client"
fi
if [[ -n ${SPARK_PYTHON:-} ]] && "$SPARK_PYTHON" -c 'import pyspark' 2>/dev/null && { command -v java >/dev/null || [[ -x ${JAVA_HOME:-}/bin/java ]]; }; then
	run_spark
else
	say "Spark is skipped: it needs SPARK_PYTHON, a Python with the package pyspark, and Java"
fi

printf '\n| run | job | killed | time | as by one process |\n| --- | --- | --- | ---: | --- |\n'
printf '%s\n' "${rows[@]}"
exit "$failed"
