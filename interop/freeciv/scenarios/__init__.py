"""What is played against the real server, a module for each kind."""
