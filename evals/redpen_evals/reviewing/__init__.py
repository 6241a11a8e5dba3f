"""What the commands of reviews need of a project, and how they show a review."""
