"""The contextual base of the shipped models: the pieces that they share, and the published layers that training starts from."""
