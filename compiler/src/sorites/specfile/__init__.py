"""From a YAML file to a valid, frozen spec; every problem with its place."""
