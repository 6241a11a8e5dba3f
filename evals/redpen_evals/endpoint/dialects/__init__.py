"""The APIs that the endpoint speaks: each knows its requests, answers, events and errors.

``by_path`` says which one a request is in. Nothing is imported here.
"""
