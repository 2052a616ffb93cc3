//! The macro for views of rules.

/// Defines views of the rules of one kind: a struct with the world and the packet of the rule.
macro_rules! views {
    ($($(#[$doc:meta])* $view:ident: $packet:ident in $table:ident as $kind:ident,
        $(#[$each_doc:meta])* $each:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $view<'w> {
            pub(super) world: &'w $crate::world::World,
            pub(super) rule: &'w $crate::packets::$packet,
        }

        $(#[$each_doc])*
        pub fn $each(world: &$crate::world::World) -> impl ExactSizeIterator<Item = $view<'_>> {
            world.rulesets().$table.iter().map(move |rule| $view { world, rule })
        }

        impl<'w> $view<'w> {
            /// Returns the rule with this rule name.
            pub fn named(world: &'w $crate::world::World, rule_name: &str) -> Option<Self> {
                Some(Self { world, rule: world.rulesets().$table.named(rule_name)? })
            }

            /// Returns the packet with all properties of the rule.
            pub const fn rule(&self) -> &'w $crate::packets::$packet {
                self.rule
            }

            /// Returns the name in the ruleset.
            pub fn rule_name(&self) -> String {
                self.rule.rule_name.to_str_lossy().into_owned()
            }

            /// Iterates over the things that require this one.
            pub fn permits(&self) -> impl Iterator<Item = $crate::rules::Permitted<'w>> {
                self.thing().permits()
            }

            /// Iterates over the buildings that this thing makes obsolete.
            pub fn makes_obsolete(&self) -> impl Iterator<Item = $crate::rules::BuildingRule<'w>> {
                let world = self.world;
                self.thing().makes_obsolete().map(move |rule| $crate::rules::BuildingRule { world, rule })
            }

            /// Iterates over the effects that require this thing.
            pub fn effects(&self) -> impl Iterator<Item = $crate::rules::EffectRule<'w>> {
                let world = self.world;
                self.thing().effects().map(move |rule| $crate::rules::EffectRule { world, rule })
            }

            fn thing(&self) -> $crate::rules::permits::Thing<'w> {
                let kind = $crate::rules::RequirementKind::$kind;
                $crate::rules::permits::Thing::new(self.world, kind, self.rule.id.into())
            }
        }
    )+};
}

pub(super) use views;
