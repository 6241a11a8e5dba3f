"""``python -m redpen_evals`` is the command ``redpen``."""

from redpen_evals.cli import main

if __name__ == "__main__":
    main()
