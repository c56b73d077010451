"""What English asks for: finite verbs, backshift of tense, capital letters."""
