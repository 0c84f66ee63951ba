#!/bin/bash
# Builds a corpus, or links, on a SLURM cluster whose nodes share this folder:
#
#   sbatch --array=1-8 slurm.sh build-corpus --dict dictionary.tsv --corpus corpus pubmed/*.xml.gz
#   sbatch --array=1-8 slurm.sh link --model model --tag --input pubmed --output linked/
#
# Each task takes its shard. A task that is killed is requeued and goes on where it was. What joins
# the shards of build-corpus, and counts those of link, is the same command without --shard:
#
#   sbatch --dependency=afterok:JOB --wrap 'ctxnorm build-corpus --dict dictionary.tsv --corpus corpus pubmed/*.xml.gz'
#
#SBATCH --job-name=ctxnorm
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=ctxnorm-%A-%a.log

command=$1
shift
GOMAXPROCS=${SLURM_CPUS_PER_TASK:-2} "${CTXNORM:-ctxnorm}" "$command" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" "$@"
status=$?
# 1 says that malformed records were skipped, and all others are done: afterok may go on.
[ $status -eq 1 ] && exit 0
exit $status
