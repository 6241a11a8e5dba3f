"""The scripted endpoint: a server on loopback that speaks like a model's API and answers from a script.

``replies`` holds the models of one scripted reply, ``dialects`` the APIs, ``server`` the server. Nothing is
imported here, so that reading scenarios does not load the server.
"""
