//! T4: floods of server info requests.

use core::time::Duration;

use gamewire_machine::Machine;
use gamewire_teeworlds::browse::{Browser, BrowserConfig, InfoFormat};
use gamewire_teeworlds::server::{Server, WalkingGame};

use super::world::{START, forged, sent, serve, strict};
use crate::support::{host, seed};

fn browser(form: InfoFormat) -> Browser {
    let config = BrowserConfig { formats: vec![form], ..BrowserConfig::new(seed(5)) };
    Browser::new([host(1)], config, START)
}

/// Returns the request of `host(2)` in `form`. In 0.7 it exchanges the tokens first.
fn question(server: &mut Server<WalkingGame>, form: InfoFormat) -> Vec<u8> {
    let mut browser = browser(form);
    browser.handle_timeout(START);
    let first = sent(&mut browser, START).remove(0);
    if form != InfoFormat::V07 {
        return first;
    }
    server.handle_datagram(START, host(2), &first).unwrap();
    let token = sent(server, START).remove(0);
    assert!(token.len() <= first.len());
    browser.handle_datagram(START, host(1), &token).unwrap();
    sent(&mut browser, START).remove(0)
}

#[test]
fn t4_a_flood_of_info_requests_from_one_prefix_is_answered_at_the_limited_rate() {
    for form in InfoFormat::ALL {
        let mut server = serve(strict());
        let question = question(&mut server, form);
        let (mut answered, mut longest) = (0, 0);
        for millis in 0..10_000 {
            let now = START + Duration::from_millis(millis);
            let _ = server.handle_datagram(now, host(2), &question);
            for answer in sent(&mut server, now) {
                answered += 1;
                longest = longest.max(answer.len());
            }
        }
        // A burst of 20, then 4 per second.
        assert!((40..=61).contains(&answered), "{form}: {answered}");
        assert!(longest <= 1_400);
        assert_eq!(server.acceptor_stats().rate_limited, 10_000 - answered, "{form}");
    }
}

#[test]
fn t4_a_flood_from_everywhere_is_answered_at_the_tables_rate_and_leaves_nothing() {
    for form in [InfoFormat::Plain, InfoFormat::Extended] {
        let mut server = serve(strict());
        let question = question(&mut server, form);
        let held = server.held_bytes();
        let mut buffer = Vec::with_capacity(1_400);
        let mut answered = 0;
        let mut ask = |server: &mut Server<WalkingGame>, number: u32| {
            let now = START + Duration::from_micros(number.into());
            let _ = server.handle_datagram(now, forged(number), &question);
            while server.poll_transmit(now, &mut buffer).is_some() {
                answered += 1;
            }
        };
        (0..64).for_each(|number| ask(&mut server, number));
        let grown = allocation_counter::measure(|| (64..250_000).for_each(|number| ask(&mut server, number)));
        assert!(grown.bytes_current <= 4_096, "{form}: {} bytes", grown.bytes_current);
        assert_eq!(server.held_bytes(), held);
        // 4096 buckets with 20 tokens each, and a quarter of a second.
        assert!(answered <= 4_096 * 21, "{form}: {answered}");
    }
}

#[test]
fn t4_in_0_7_a_request_without_its_own_token_gets_no_answer() {
    let mut server = serve(strict());
    let question = question(&mut server, InfoFormat::V07);
    assert!(server.handle_datagram(START, host(3), &question).is_err());
    let mut without = question.clone();
    without[1..5].fill(0xff);
    assert!(server.handle_datagram(START, host(2), &without).is_err());
    assert!(sent(&mut server, START).is_empty());
    server.handle_datagram(START, host(2), &question).unwrap();
    assert_eq!(sent(&mut server, START).len(), 1);
}
