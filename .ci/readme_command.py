"""Print one of the README's two set-up commands, as it stands there: `readme_command.py 1` or `2`."""

import re
import sys
from pathlib import Path

readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
section = readme.partition("\n## Start\n")[2].partition("\n## ")[0]
commands = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
if len(commands) != 2:
    sys.exit(f'README.md: "## Start" has {len(commands)} blocks of sh, expected the two set-up commands')
sys.stdout.write(commands[int(sys.argv[1]) - 1])
