"""What is played against the real servers."""
