"""The check-worthiness of sentences of news."""
