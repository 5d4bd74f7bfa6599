"""What a word means in its sentence, as a vector to be compared with those of glosses: nlp/models/senses-ar."""
