"""Recorded model traffic: one JSON file per scenario run, replayed without a network.

`session` opens a cassette for replay or recording, `file` and `encoding` define the format, `matching` finds
the recording of a request, `mismatch` explains why there is none, `secrets` and `store` check and save files.
"""
