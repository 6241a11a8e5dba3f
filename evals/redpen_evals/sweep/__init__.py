"""Judging years of texts: many files, all cores or a cluster, resumable, two versions side by side.

What it costs: a core judges about 1,100 drafts of 250 characters a second (`python evals/bench/sweep.py`),
so that a hundred million take about 25 core hours, and a quarter more with a policy of some phrases. Nearly
all of that is the guards: the process that reads and writes is busy for a hundredth of the time of one
worker, so it holds back a machine of some fifty cores and more, and the driver of a cluster alike; then
sweep parts of the files side by side.
"""
