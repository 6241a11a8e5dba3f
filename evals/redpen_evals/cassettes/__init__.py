"""Recorded model traffic: one JSON file a scenario run, replayed without a network.

`session` opens a cassette for replay or for recording, `file` and `encoding` say how it is written,
`matching` finds the recording of a request, `mismatch` explains why there is none, `secrets` and
`store` guard what reaches the disk.
"""
