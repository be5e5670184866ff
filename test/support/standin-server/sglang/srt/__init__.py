"""The runtime part of the stand-in, at the module paths of the real one."""
