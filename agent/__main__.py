"""Entry point of the archive `agent.pyz`."""

from sglang_agent.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
