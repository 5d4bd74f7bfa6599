"""Training of the shipped static embedding for Arabic and English."""
