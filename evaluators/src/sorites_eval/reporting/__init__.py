"""Reporting: tables, figures, pages and comparisons of finished runs."""
