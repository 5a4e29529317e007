//! Who is reached over the network, as far as an address tells: what the policy and the rules go by.

mod address;
mod hosts;
mod zone;

pub use address::Address;
pub use hosts::Hosts;
pub use zone::Zone;
