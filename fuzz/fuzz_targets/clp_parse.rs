//! Any text is either a program or an error, never a panic; and a program is read again from its
//! own text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use petrel_clp::{parse, print, verify};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok((procedures, dispatches)) = parse::program(text) else {
        return;
    };
    for procedure in &procedures {
        verify::verify(procedure);
        procedure.loops();
    }
    let printed = print::program(
        &procedures.iter().collect::<Vec<_>>(),
        &dispatches.iter().collect::<Vec<_>>(),
    );
    match parse::program(&printed) {
        Ok(read) => assert_eq!(read, (procedures, dispatches), "{printed}"),
        Err(error) => panic!("{error}\n{printed}"),
    }
});
