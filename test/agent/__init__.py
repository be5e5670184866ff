"""Tests of the agent in a scratch root, with real files, real git and a stand-in for systemd."""
