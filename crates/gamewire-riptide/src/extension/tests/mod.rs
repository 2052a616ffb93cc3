mod hostile;
mod mutations;
mod support;
mod words;
