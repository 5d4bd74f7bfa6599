"""Trains nlp/models/reader-ar-en: does this sentence answer this question?"""
