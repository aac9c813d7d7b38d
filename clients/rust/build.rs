//! Makes the Rust code of the .proto files, without protoc: protox compiles, tonic-prost-build generates.

use std::{env, error::Error, fs, path::Path};

const PROTO: &str = "../../proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={PROTO}/unoduo");
    let mut compiler = protox::Compiler::new([PROTO])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(["unoduo/v1/referee_service.proto", "unoduo/v1/log.proto", "unoduo/v1/journal.proto"])?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("descriptors.bin"), compiler.encode_file_descriptor_set())?;
    tonic_prost_build::configure()
        .build_client(false) // the only call is made in src/connection.rs
        .server_mod_attribute("unoduo.v1", "#[cfg(test)]") // for a scripted referee
        .generate_default_stubs(true)
        .compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}
