"""One model many times over: a replica a worker, on a Ray cluster."""
