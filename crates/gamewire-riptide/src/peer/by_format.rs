/// Does something with the version that a [`Format`](crate::Format) stands for.
macro_rules! by_format {
    ($format:expr, $version:ident => $body:expr) => {
        match $format {
            $crate::Format::V20 => {
                type $version = $crate::v20::V20;
                $body
            }
            $crate::Format::V21 => {
                type $version = $crate::v21::V21;
                $body
            }
        }
    };
}

pub(super) use by_format;
