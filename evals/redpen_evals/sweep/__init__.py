"""Sweeps: judge a large archive of texts on all cores or a cluster, resumable; compare two versions.

What it costs: a worker reaches nine tenths of a loop over ``check_revision`` on its core, 800 to 1,100
drafts of 250 characters a second on the machines where it was measured (``evals/bench/sweep.py``; a million
took two workers under seven minutes), so that a hundred million take 25 to 35 core hours, and a quarter more
with a policy of some phrases. Memory does not grow with the rows: 84 MiB for the largest process at 100,000
and at 1,000,000. The bottleneck is the guards: the process that reads and writes took a hundredth of the CPU
time of a worker. It is one process all the same; on a machine of many cores sweep parts of the files side by
side.
"""
