"""The config ``certificates`` of a release, and the program beside the data that checks it."""
