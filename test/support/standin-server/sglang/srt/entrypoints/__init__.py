"""Entry points of the stand-in, at the module paths of the real one."""
