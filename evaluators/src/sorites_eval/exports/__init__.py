"""Tasks written for other harnesses, which then get the same scores as here."""
