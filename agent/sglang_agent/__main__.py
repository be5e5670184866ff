"""`python3 -m sglang_agent VERB`, for a run from the source tree."""

from sglang_agent.cli import main

raise SystemExit(main())
