"""Judging years of texts: many files, all cores or a cluster, resumable, two versions side by side.

What it costs: a worker reaches nine tenths of a loop over ``check_revision`` on its core, 800 to 1,100
drafts of 250 characters a second on the machines where it was measured (``evals/bench/sweep.py``), so that a
hundred million take 25 to 35 core hours, and a quarter more with a policy of some phrases. The bottleneck is
the guards: the process that reads and writes took a hundredth of the CPU time of a worker. It is one process
all the same; on a machine of many cores sweep parts of the files side by side.
"""
