"""The scripted endpoint: a server on loopback that implements model APIs and answers from a script.

``replies`` holds the scripted replies, ``dialects`` the APIs, ``server`` the server. Nothing is imported
here, so that loading scenarios does not import the server.
"""
