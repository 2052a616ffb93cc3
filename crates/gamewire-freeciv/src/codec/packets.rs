/// Builds the enum of all packets of a protocol, and their decoder and encoder.
///
/// For a list of structs with `#[derive(Packet)]` it writes `Packet<'a>` (any packet, borrowed), `OwnedPacket`,
/// `Decoder`, `Encoder`, `Decoded` and the function `protocol`, which returns the definition. Generated code calls it
/// once. The structs can be in other modules, so that versions can share packets.
#[macro_export]
#[doc(hidden)]
macro_rules! __freeciv_packets {
    (
        versions: [$({
            name: $protocol:literal,
            version: $version:literal,
            capabilities: $capabilities:literal,
            aliases: [$($alias:tt),* $(,)?] $(,)?
        }),* $(,)?],
        topics: [$($topic:tt),* $(,)?],
        packets: [$($name:ident),* $(,)?] $(,)?
    ) => {
        /// Any packet, borrowed.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Packet<'a> {
            $(#[doc = concat!("See [`", stringify!($name), "`].")] $name(&'a $name),)*
        }

        /// Any packet, owned.
        #[derive(Clone)]
        pub struct OwnedPacket(Box<dyn $crate::codec::AnyPacket>);

        /// A decoder for the packets of one direction of one connection.
        pub type Decoder = $crate::codec::Decoder<Packet<'static>>;

        /// An encoder for the packets of one direction of one connection.
        pub type Encoder = $crate::codec::Encoder<Packet<'static>>;

        /// A packet, with the bits that were sent.
        pub type Decoded<'a> = $crate::codec::Decoded<'a, Packet<'a>>;

        /// Returns the definition of the oldest version, for the interpreter and the compiler.
        pub fn protocol() -> $crate::codec::Protocol {
            protocol_of($crate::codec::ProtocolVersion::default())
        }

        /// Returns the definition of a version, for the interpreter and the compiler.
        pub fn protocol_of(version: $crate::codec::ProtocolVersion) -> $crate::codec::Protocol {
            $crate::codec::protocol(
                version,
                &[$($crate::codec::VersionDefinition {
                    name: $protocol,
                    version: $version,
                    capabilities: $capabilities,
                    aliases: &[$($alias),*],
                }),*],
                &[$(const { &<$name as $crate::codec::PacketStruct>::DEFINITION }),*],
                &[$($topic),*],
            )
        }

        #[allow(non_upper_case_globals, reason = "each number has the name of its packet")]
        impl $crate::codec::PacketSet for Packet<'static> {
            type Packet<'a> = Packet<'a>;

            fn find(
                number: u16,
                version: $crate::codec::ProtocolVersion,
            ) -> Option<&'static $crate::codec::PacketType> {
                $(const $name: u16 = <$name as $crate::codec::PacketStruct>::DEFINITION.number;)*
                match number {
                    $($name if <$name as $crate::codec::PacketStruct>::DEFINITION.is_in(version) => {
                        Some(const { &$crate::codec::PacketType::of::<$name>() })
                    })*
                    _ => None,
                }
            }

            fn packet(packet: &dyn $crate::codec::AnyPacket) -> Option<Packet<'_>> {
                $(const $name: u16 = <$name as $crate::codec::PacketStruct>::DEFINITION.number;)*
                let any: &dyn ::core::any::Any = packet;
                Some(match packet.definition().number {
                    $($name if let Some(packet) = any.downcast_ref() => Packet::$name(packet),)*
                    _ => return None,
                })
            }
        }

        impl<'a> From<Packet<'a>> for &'a dyn $crate::codec::AnyPacket {
            fn from(packet: Packet<'a>) -> Self {
                match packet {
                    $(Packet::$name(packet) => packet,)*
                }
            }
        }

        impl<'a> Packet<'a> {
            /// Returns its type on the wire.
            pub fn number(&self) -> u16 {
                self.definition().number
            }

            /// Returns its name in the definition.
            pub fn name(&self) -> &'static str {
                self.definition().name
            }

            /// Returns its definition.
            pub fn definition(&self) -> &'static $crate::codec::PacketDefinition {
                <&dyn $crate::codec::AnyPacket>::from(*self).definition()
            }

            /// Returns its fields.
            pub fn fields(&self) -> &'a dyn $crate::codec::Fields {
                <&'a dyn $crate::codec::AnyPacket>::from(*self)
            }
        }

        impl OwnedPacket {
            /// Returns the packet with a number in a version, with all fields absent, zero or empty.
            pub fn blank(number: u16, version: $crate::codec::ProtocolVersion) -> Option<Self> {
                let kind = <Packet<'static> as $crate::codec::PacketSet>::find(number, version)?;
                Some(Self((kind.new)()))
            }

            /// Returns the packet, borrowed.
            #[allow(clippy::missing_panics_doc, clippy::unreachable, reason = "it is made of packets of the set")]
            pub fn as_packet(&self) -> Packet<'_> {
                match <Packet<'static> as $crate::codec::PacketSet>::packet(&*self.0) {
                    Some(packet) => packet,
                    None => unreachable!(),
                }
            }

            /// Returns its fields, for changes.
            #[must_use]
            pub fn fields_mut(&mut self) -> &mut dyn $crate::codec::Fields {
                &mut *self.0
            }
        }

        impl ::core::fmt::Debug for OwnedPacket {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl PartialEq for OwnedPacket {
            fn eq(&self, other: &Self) -> bool {
                self.as_packet() == other.as_packet()
            }
        }

        impl From<Packet<'_>> for OwnedPacket {
            fn from(packet: Packet<'_>) -> Self {
                Self(<&dyn $crate::codec::AnyPacket>::from(packet).boxed_clone())
            }
        }

        impl<'a> From<&'a OwnedPacket> for Packet<'a> {
            fn from(packet: &'a OwnedPacket) -> Self {
                packet.as_packet()
            }
        }

        $(impl<'a> From<&'a $name> for Packet<'a> {
            fn from(packet: &'a $name) -> Self {
                Self::$name(packet)
            }
        })*
    };
}

/// Expands to nothing, because the feature `serde` is off.
#[cfg(not(feature = "serde"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __freeciv_serde {
    ($name:ident) => {};
}
