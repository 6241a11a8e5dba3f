"""The APIs of the endpoint: requests, answers, events and errors.

``by_path`` selects the API of a request. Nothing is imported here.
"""
