use super::{Action, Activity, Clause, DiplomaticState, Event, Known, UnitOrder};
use crate::codec::ProtocolVersion;

#[test]
fn numbers_are_found_by_their_names() {
    assert_eq!(Clause::named("embassy"), Some(Clause(9)));
    assert_eq!(DiplomaticState::named("war"), Some(DiplomaticState(1)));
    assert_eq!(Event::named("bad command"), Some(Event(93)));
    assert_eq!(Known::named("seen"), Some(Known(2)));
    assert_eq!(UnitOrder::named("move"), Some(UnitOrder(0)));
    assert_eq!(Clause::named("dancing"), None);
}

#[test]
fn a_number_of_one_version_is_another_in_the_next() {
    use ProtocolVersion::{V3_0, V3_1, V3_2};
    assert_eq!(Action::named("found city"), Some(Action::FoundCity));
    assert_eq!([V3_0, V3_1, V3_2].map(|version| Action::FoundCity.number(version)), [25, 27, 27].map(Some));
    assert_eq!(
        [V3_0, V3_1, V3_2].map(|version| Action::of(version, 45)),
        [None, Some(Action::Attack), Some(Action::Attack)]
    );
    assert_eq!(Activity::Fortifying.number(V3_2), Some(10));
    assert_eq!(Activity::of(V3_1, 10), Some(Activity::Goto));
    assert_eq!(Activity::Clean.number(V3_0), None);
}

#[test]
fn names_and_numbers_are_unique() {
    for event in Event::NAMED {
        assert_eq!(Event::named(event.name().unwrap()), Some(*event));
    }
    for action in Action::ALL {
        assert_eq!(Action::named(action.name()), Some(*action));
        for version in ProtocolVersion::ALL {
            let number = action.number(version);
            assert!(number.is_none_or(|number| Action::of(version, number) == Some(*action)), "{action}");
        }
    }
    for activity in Activity::ALL {
        assert_eq!(Activity::named(activity.name()), Some(*activity));
        for version in ProtocolVersion::ALL {
            let number = activity.number(version);
            assert!(
                number.is_none_or(|number| Activity::of(version, number) == Some(*activity)),
                "{activity}"
            );
        }
    }
}

#[test]
fn an_unnamed_number_is_displayed_as_digits() {
    assert_eq!(Clause(200).to_string(), "200");
    assert_eq!(Clause(200).name(), None);
}
