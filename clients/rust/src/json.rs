use std::sync::LazyLock;

use prost_reflect::{DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor};

use crate::v1::Observation;

static OBSERVATION: LazyLock<MessageDescriptor> = LazyLock::new(|| {
    let pool = DescriptorPool::decode(&include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"))[..]);
    let pool = pool.expect("the descriptors are those that the messages were generated from");
    pool.get_message_by_name("unoduo.v1.Observation").expect("it is among them")
});

/// Reads an observation in protobuf's JSON, such as a position to test a bot with. Kinds, fields and enum names of a later
/// version of the protocol are skipped.
///
/// # Errors
///
/// The text is no JSON of an observation.
pub fn observation_from_json(text: &str) -> Result<Observation, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(text);
    let options = DeserializeOptions::new().deny_unknown_fields(false);
    let read = DynamicMessage::deserialize_with_options(OBSERVATION.clone(), &mut json, &options)?;
    json.end()?;
    Ok(read.transcode_to().expect("it is the same message"))
}
