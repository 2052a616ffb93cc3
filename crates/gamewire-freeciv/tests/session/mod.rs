//! Sessions: clients and servers together, with the answers of real servers, and under attack.

mod answers;
mod attacks;
mod contract;
mod cuts;
mod joining;
mod names;
mod passwords;
mod requests;
mod roles;
mod sequence;
mod subjects;
mod support;
mod versions;
