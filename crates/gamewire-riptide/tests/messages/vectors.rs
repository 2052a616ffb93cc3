use gamewire_riptide::message::{Quaternion, Vector2, Vector3};
use gamewire_riptide::{Format, Message, MessageSendMode};

use crate::support::messages::sent;

#[test]
fn vectors_are_floats_in_the_order_x_y_z_w() {
    let mut message = Message::create(MessageSendMode::Unreliable, 1_u16);
    message.add_vector2(Vector2::new(1.0, 2.0)).add_vector3(Vector3::new(3.0, 4.0, 5.0));
    message.add_quaternion(Quaternion::new(6.0, 7.0, 8.0, 9.0));
    for format in Format::ALL {
        let mut floats = sent(&message, format);
        assert_eq!(floats.get_floats_of(9), Ok(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]));
        let mut read = sent(&message, format);
        assert_eq!(read.get_vector2(), Ok(Vector2::new(1.0, 2.0)));
        assert_eq!(read.get_vector3(), Ok(Vector3::new(3.0, 4.0, 5.0)));
        assert_eq!(read.get_quaternion(), Ok(Quaternion { x: 6.0, y: 7.0, z: 8.0, w: 9.0 }));
        assert!(read.get_vector2().is_err());
    }
}

#[cfg(feature = "glam")]
#[test]
fn glam_types_convert_both_ways() {
    let (two, three) = (glam::Vec2::new(1.0, 2.0), glam::Vec3::new(3.0, 4.0, 5.0));
    let four = glam::Quat::from_xyzw(6.0, 7.0, 8.0, 9.0);
    assert_eq!(Vector2::from(two), Vector2::new(1.0, 2.0));
    assert_eq!(Quaternion::from(four), Quaternion::new(6.0, 7.0, 8.0, 9.0));
    assert_eq!(glam::Quat::IDENTITY, Quaternion::IDENTITY.into());
    let mut message = Message::create(MessageSendMode::Unreliable, 1_u16);
    message.add_vector2(two).add_vector3(three).add_quaternion(four);
    assert_eq!(glam::Vec2::from(message.get_vector2().unwrap()), two);
    assert_eq!(glam::Vec3::from(message.get_vector3().unwrap()), three);
    assert_eq!(glam::Quat::from(message.get_quaternion().unwrap()), four);
}

#[cfg(feature = "mint")]
#[test]
fn mint_types_convert_both_ways() {
    let (two, three) = (mint::Vector2::from([1.0, 2.0]), mint::Vector3::from([3.0, 4.0, 5.0]));
    let four = mint::Quaternion::from([6.0, 7.0, 8.0, 9.0]);
    assert_eq!(Quaternion::from(four), Quaternion::new(6.0, 7.0, 8.0, 9.0));
    let mut message = Message::create(MessageSendMode::Unreliable, 1_u16);
    message.add_vector2(two).add_vector3(three).add_quaternion(four);
    assert_eq!(mint::Vector2::from(message.get_vector2().unwrap()), two);
    assert_eq!(mint::Vector3::from(message.get_vector3().unwrap()), three);
    assert_eq!(mint::Quaternion::from(message.get_quaternion().unwrap()), four);
}
