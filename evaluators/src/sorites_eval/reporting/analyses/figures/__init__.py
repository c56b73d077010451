"""The figures of analyses: one file for each sort of drawing. They need matplotlib."""
