"""A local page on which people decide reviews; ``redpen review serve`` opens it.

It listens on this machine alone. Every address contains a secret, so that neither other pages nor others who
can reach the port can read or decide anything; there are no cookies.
"""

from redpen_evals.review_page.app import review_app
from redpen_evals.review_page.serving import serve

__all__ = ["review_app", "serve"]
