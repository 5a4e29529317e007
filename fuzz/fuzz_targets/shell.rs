//! Any text as a command: no panic, and never better for standing behind another command.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pollux_shell::{Context, read};

fuzz_target!(|text: &str| {
    let context = Context::new("/home/dev/project", "/home/dev");
    let reading = read(text, &context);
    let parts = reading.parts.iter().map(|part| part.class).max();
    assert!(parts.is_none_or(|worst| worst <= reading.class));
    let after = read(&format!("ls\n{text}"), &context);
    assert!(after.class >= reading.class, "{text:?} looks better after `ls`");
});
