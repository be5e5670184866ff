"""A stand-in for SGLang: the same HTTP answers, no model, no GPU, standard library only."""

__standin__ = True
__version__ = "0.0.0"
