"""Reading the sections of a spec of this kind, each problem at its place."""
