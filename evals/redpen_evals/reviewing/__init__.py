"""The resources that a run under review needs of a project, and the rendering of reviews."""
