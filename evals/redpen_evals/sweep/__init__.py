"""Sweeps: judge a large archive of texts on all cores or a cluster, resumable; compare two versions.

Cost, measured by ``evals/bench/sweep.py``: a worker reaches nine tenths of the speed of a loop over
``check_revision`` on its core, 800 to 1,100 drafts of 250 characters a second. A million rows took two
workers under seven minutes, so a hundred million take 25 to 35 core hours, and a quarter more with a policy
of some phrases. Memory does not grow with the rows: the largest process took 84 MiB at 100,000 and at
1,000,000. The guards are the bottleneck: the process that reads and writes took a hundredth of a worker's CPU
time. There is only one such process, so on a machine with many cores sweep parts of the files in parallel.
"""
