"""A local page on which people decide reviews; ``redpen review serve`` opens it.

It listens on this machine alone. Its address holds a secret that every page and every form needs, so that
no other page, nor anybody who can reach the port, reads or decides anything; there are no cookies.
"""

from redpen_evals.review_page.app import review_app
from redpen_evals.review_page.serving import serve

__all__ = ["review_app", "serve"]
