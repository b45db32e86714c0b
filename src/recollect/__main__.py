"""`python -m recollect` is the `recollect` command."""

import sys

from recollect.surfaces.cli.main import main

sys.exit(main())
