use std::io::{self, IsTerminal as _};

use console::Term;
use gamewire_freeciv::session::client::PasswordRequest;
use gamewire_inspect::render::Escaped;

use crate::exit_status::Failure;

/// Returns true if the command can prompt the user.
pub(super) fn can_be_asked() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Prompts for a password. If standard input is not a terminal, reads a line of it instead.
pub(super) fn ask(request: PasswordRequest, name: &str, words: &str) -> Result<String, Failure> {
    let failed = |error: io::Error| Failure::Failed(format!("cannot read a password: {error}"));
    if can_be_asked() {
        if !words.is_empty() {
            anstream::eprintln!("{}", Escaped(words.trim_end().as_bytes()));
        }
        return typed(request, name).map_err(failed);
    }
    let mut line = String::new();
    if io::stdin().read_line(&mut line).map_err(failed)? == 0 {
        return Err(Failure::Failed(format!("missing password for {name}: use --password")));
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Reads a password without echo. A new password is read twice.
fn typed(request: PasswordRequest, name: &str) -> io::Result<String> {
    let hidden = |prompt: &str| {
        anstream::eprint!("{prompt} for {name}: ");
        Term::stderr().read_secure_line()
    };
    match request {
        PasswordRequest::Login | PasswordRequest::LoginRetry => hidden("password"),
        PasswordRequest::NewUser | PasswordRequest::NewUserRetry => loop {
            let password = hidden("new password")?;
            if hidden("repeat the new password")? == password {
                return Ok(password);
            }
            anstream::eprintln!("the passwords differ; try again");
        },
    }
}
