"""The scripted endpoint: a chat-completions server on loopback that answers from a script.

``replies`` holds the models of one scripted reply, ``server`` the server. Nothing is imported here, so
that reading scenarios does not load the server.
"""
