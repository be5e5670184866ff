"""The program that acts on a machine: one verb a run, desired state in, one line of JSON out.

Python 3.9 or later and nothing but the standard library; it runs from inside a zip archive.
"""
