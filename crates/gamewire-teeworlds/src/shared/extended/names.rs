//! DDNet's names of messages and objects. A UUID is a hash of such a name, and the reply to `what_is`
//! contains the name.

use crate::shared::data::Uuid;

/// Returns the name that `uuid` is a hash of, if it is known.
#[must_use]
pub fn name_of(uuid: Uuid) -> Option<&'static str> {
    let number = uuid.number();
    NAMES.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

const NAMES: &[(u128, &str)] = &[
    (0x245e_5097_9fe0_39d6_bf7d_9a29_e169_1e4c, "what-is@ddnet.tw"),
    (0x6954_847e_2e87_3603_b562_36da_29ed_1aca, "it-is@ddnet.tw"),
    (0x4169_11b5_7973_33bf_8d52_7bf0_1e51_9cf0, "i-dont-know@ddnet.tw"),
    (0x1281_0e1f_a1db_3378_b4fb_164e_d650_5926, "rcon-type@ddnet.tw"),
    (0xf911_7b3c_8039_3416_9fc0_aef2_bcb7_5c03, "map-details@ddnet.tw"),
    (0xf621_a5a1_f585_3775_8e73_41be_ee79_f2b2, "capabilities@ddnet.tw"),
    (0x8c00_1304_8461_3e47_8787_f672_b383_5bd4, "clientver@ddnet.tw"),
    (0xbcb4_3bf5_427c_36d8_b5b8_7975_c8c0_6aa1, "ping@ddnet.tw"),
    (0xd829_5530_14a7_3a0a_b02e_b2ce_e08d_2033, "pong@ddnet.tw"),
    (0x60a7_cef1_2ecc_3ed4_b138_00fd_0c8f_5994, "checksum-request@ddnet.tw"),
    (0x88fc_61ec_5a3c_3fc3_8dfa_fd3b_715d_b9e0, "checksum-response@ddnet.tw"),
    (0x0909_60d1_4000_3fd5_9670_4976_ae70_2a6a, "checksum-error@ddnet.tw"),
    (0x4efe_406a_7774_33f1_bfde_1806_ff6d_1528, "redirect@ddnet.org"),
    (0x85f6_7ffe_f1b1_3af3_98c4_26db_f771_11b7, "rcon-cmd-group-start@ddnet.org"),
    (0x5e02_c980_6ca1_3c99_a9af_4650_ae95_6252, "rcon-cmd-group-end@ddnet.org"),
    (0x9a9b_28a3_19b0_37d9_b1f4_2ccc_fba0_5bac, "map-reload@ddnet.org"),
    (0x5f4d_5db7_3947_3711_b04e_07a1_ff23_c970, "reconnect@ddnet.org"),
    (0xca95_6101_b034_3339_92ca_aa10_4b20_d770, "sv-maplist-add@ddnet.org"),
    (0xd2fa_fec0_5cd2_319a_a84d_480f_2072_dee4, "sv-maplist-start@ddnet.org"),
    (0x43fd_0a8b_8b23_350d_b3f6_0de5_4924_6a70, "sv-maplist-end@ddnet.org"),
    (0x53bb_28af_4252_3ac9_8fd3_6ccb_c2a6_03e3, "show-distance@netmsg.ddnet.tw"),
    (0x7f26_4cdd_71a2_3962_bbce_0f94_bbd8_1913, "showothers@netmsg.ddnet.tw"),
    (0x8c47_0228_ee11_3808_93b9_c5c8_7d08_b51c, "camera-info@netmsg.ddnet.org"),
    (0xa091_961a_95e8_3744_bb60_5eac_9bd5_63c6, "teamsstate@netmsg.ddnet.tw"),
    (0x5dde_8b3c_6f6f_37ac_a72a_bb34_1fe7_6de5, "ddrace-time@netmsg.ddnet.tw"),
    (0x804f_149f_9b53_3b0a_897f_5966_3a1c_4eb9, "record@netmsg.ddnet.tw"),
    (0xee61_0b6f_909f_311e_93f7_11a9_5f55_a086, "killmsgteam@netmsg.ddnet.tw"),
    (0xbfd7_f0fc_16d5_3e10_8015_a783_80f1_3870, "yourvote@netmsg.ddnet.org"),
    (0xc915_ba68_0a49_3324_915a_7a62_20ce_cf33, "racefinish@netmsg.ddnet.org"),
    (0x9077_8f65_1b8f_322a_9713_cf74_1aa4_4a05, "commandinfo@netmsg.ddnet.org"),
    (0xeb2e_77ce_e9a2_35aa_94be_235f_523a_c1aa, "commandinfo-remove@netmsg.ddnet.org"),
    (0x969d_127c_b768_390d_8879_6104_9937_69fa, "sv-vote-option-group-start@netmsg.ddnet.org"),
    (0x4f09_6765_39b1_3766_82dc_61b2_0ccf_589a, "sv-vote-option-group-end@netmsg.ddnet.org"),
    (0x9e22_0138_d393_3cb0_90f1_e587_c00a_b1d0, "sv-commandinfo-group-start@netmsg.ddnet.org"),
    (0x0541_25d8_0062_3891_840b_4746_2285_a01f, "sv-commandinfo-group-end@netmsg.ddnet.org"),
    (0x746c_b54c_6b2b_39a7_8cd8_7c7a_1c6c_3009, "change-info-cooldown@netmsg.ddnet.org"),
    (0x669c_9741_695a_369b_856c_a254_f6b7_f0cb, "map-sound-global@netmsg.ddnet.org"),
    (0xb5d3_a686_ad59_382c_b3de_d9fe_dc33_20ae, "preinput@netmsg.ddnet.org"),
    (0xdc9e_dffb_266a_3bd6_b101_a949_fa44_e16b, "save-code@netmsg.ddnet.org"),
    (0x0352_06dc_9f8b_315c_9abf_5ab9_153a_857c, "server-alert@netmsg.ddnet.org"),
    (0xd7c5_5683_7983_32f0_8d9a_8774_34ea_19d5, "moderator-alert@netmsg.ddnet.org"),
    (0xe19b_66e8_0646_351b_aa03_d4ab_a7b9_545f, "enable-spectator-count@netmsg.ddnet.org"),
    (0x76ce_455b_f9eb_3a48_add7_e04b_941d_045c, "character@netobj.ddnet.tw"),
    (0x22ca_938d_1380_3e2b_9e7b_d255_8ea6_be11, "player@netobj.ddnet.tw"),
    (0x933d_ea6a_da79_30ea_a98f_8af0_3689_a945, "gameinfo@netobj.ddnet.tw"),
    (0x0e6d_b85c_2b61_386f_bbf2_d0d0_471b_9272, "projectile@netobj.ddnet.tw"),
    (0x29de_68a2_6928_31b8_8360_a230_7e0d_844f, "laser@netobj.ddnet.tw"),
    (0x6550_fbce_f317_3b31_8ffe_d2b3_7f3a_b40e, "ddnet-projectile@netobj.ddnet.tw"),
    (0xea5e_4a51_58fb_3684_96e4_e0d2_67f4_ca65, "pickup@netobj.ddnet.tw"),
    (0xd133_07b2_9a19_37cb_8f8c_07c7_1852_1883, "spectator-info@netobj.ddnet.org"),
    (0x5e5c_a96f_c728_30fd_bfb3_155b_0769_2556, "spectator-count@netobj.ddnet.org"),
    (0x1fd3_5746_6263_358c_b4d6_6ef6_0e0e_faaa, "birthday@netevent.ddnet.org"),
    (0x68bf_8939_ef55_3878_9082_1352_7eb0_a597, "finish@netevent.ddnet.org"),
    (0x4b80_1c74_e24c_3ce0_b92c_b754_d02c_fc8a, "spec-char@netobj.ddnet.tw"),
    (0xec15_e669_ce11_3367_ae8e_b90e_5b27_b9d5, "switch-state@netobj.ddnet.tw"),
    (0x2de9_aec3_32e4_3986_8f7e_e745_9da7_f535, "entity-ex@netobj.ddnet.tw"),
    (0x54ec_ad2e_bfad_3be5_8903_621b_a052_458e, "map-sound-world@netevent.ddnet.org"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::definition::MessageSet;
    use crate::shared::extended::{ExtendedGame, ExtendedObject, ExtendedSystem};

    #[test]
    fn every_definition_has_a_unique_name() {
        for (id, name) in NAMES {
            assert!(name.contains('@'), "{name}");
            assert_eq!(NAMES.iter().filter(|other| other.0 == *id || other.1 == *name).count(), 1, "{name}");
            let defined = ExtendedSystem::definition_of(*id).is_some()
                || ExtendedGame::definition_of(*id).is_some()
                || ExtendedObject::ID_BY_NAME.iter().any(|(_, known)| known == id);
            assert!(defined, "{name}");
        }
        let defined = ExtendedSystem::DEFINITIONS.len()
            + ExtendedGame::DEFINITIONS.len()
            + ExtendedObject::ID_BY_NAME.len();
        assert_eq!(NAMES.len(), defined);
    }
}
