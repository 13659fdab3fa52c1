// Nothing: its target holds what other targets precompile.
