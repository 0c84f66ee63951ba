"""Builds a corpus, or links, on a Spark cluster whose workers share a folder.

    spark-submit --master spark://HOST:7077 spark.py --shards 64 build-corpus --dict dictionary.tsv --corpus /shared/corpus /shared/pubmed
    spark-submit --master spark://HOST:7077 spark.py --shards 64 link --model /shared/model --tag --input /shared/pubmed --output /shared/linked/

Each task runs ctxnorm with its --shard; Spark runs a task again that fails or whose worker is lost. The
driver then runs the command without --shard, which joins the shards of build-corpus and counts those of link.
"""

import argparse
import subprocess
import sys

from pyspark.sql import SparkSession


def run(command):
    """Runs a command. Status 1 says that malformed records were skipped, and all others are done."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr[-2000:]}")
    return done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ctxnorm", default="ctxnorm", help="the program, on every worker (default: on the PATH)")
    parser.add_argument("--shards", type=int, default=64, help="number of tasks: a few for each core")
    parser.add_argument("command", choices=["build-corpus", "link"])
    options, arguments = parser.parse_known_args()
    command = [options.ctxnorm, options.command, *arguments]

    spark = SparkSession.builder.appName("ctxnorm").getOrCreate()
    tasks = spark.sparkContext.parallelize(range(1, options.shards + 1), options.shards)
    tasks.foreach(lambda shard: run([*command, "--shard", f"{shard}/{options.shards}"]))
    spark.stop()
    sys.stderr.write(run(command))


if __name__ == "__main__":
    main()
