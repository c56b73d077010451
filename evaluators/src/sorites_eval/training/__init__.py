"""Models trained on a release, for comparison with models that are only prompted.

``sorites-eval train`` writes to its folder, beside tables and figures for people, the file
``training-runs.jsonl``: one JSON object a line for each model that was trained, in the order of
curves, steps and seeds, and one for each answer set of the task's ``references``:

- ``release``: ``name``, ``version`` and ``content`` (the digest of its rows); ``task``.
- ``model``: as it was asked for; of a reference its name.
- ``setting``: the training set's name, of a curve that of its base; with another data set mixed in
  ``SET + OTHER``, or ``OTHER`` alone. Empty of a reference.
- ``curve``: the curve's name, and ``step`` its step; both null where a set was trained on.
- ``rows``: how many rows were trained on, and ``rows_added`` how many of them a curve added.
- ``held_out``: the column that the curve's test holds out (such as ``verb``), and ``added`` the
  values in it that the added rows have, in the order in which they were added; both null without.
- ``seed``; ``epochs``, how many were trained, and ``best_epoch``, the one that was kept (from 1);
  ``dropout``, the share that was used, null for the model's own. Null of a reference.
- ``n`` and ``accuracy``: rows tested on, and the share that is right.
- ``cells``: the same by the columns of the task's first breakdown: a list of ``values`` (an object
  with a value for each column), ``n`` and ``accuracy``, in a fixed order.
- ``groups``: all breakdowns with all metrics, as in ``scores.json`` of a run.
- ``validation``: ``accuracy`` and ``cells`` of the rows that the model was chosen by, whose parts
  have null for the labels that they lack; null of a reference and without such rows.

Shares are from 0 to 1 and are not rounded.
"""
