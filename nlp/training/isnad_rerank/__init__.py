"""Training of the shipped reranker for Arabic and English."""
