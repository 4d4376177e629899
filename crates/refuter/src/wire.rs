//! Requests to the program in the JVM and its answers; `java/Request.java` and `java/Driver.java` are the other side.

/// Collects the bytes of a request.
#[derive(Debug, Default)]
pub(crate) struct Request(pub(crate) Vec<u8>);

impl Request {
    pub(crate) fn int(&mut self, value: usize) {
        // Nothing here comes near the limit: class files and their tables are smaller.
        self.0.extend((value as u32).to_be_bytes());
    }

    pub(crate) fn long(&mut self, value: u64) {
        self.0.extend(value.to_be_bytes());
    }

    pub(crate) fn flag(&mut self, value: bool) {
        self.0.push(u8::from(value));
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.int(bytes.len());
        self.0.extend(bytes);
    }

    pub(crate) fn units(&mut self, units: &[u16]) {
        self.int(units.len());
        self.0.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
    }

    pub(crate) fn text(&mut self, text: &str) {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.units(&units);
    }

    pub(crate) fn list<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        mut write: impl FnMut(&mut Request, T),
    ) {
        self.int(items.len());
        items.for_each(|item| write(self, item));
    }
}

/// What the JVM tells.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A probe was hit for the first time, by this call.
    Taken(u32, String),
    /// Something cannot be used.
    Note(String),
    /// So many calls were made.
    Calls(u64),
    /// The process ends, because of a call of this member.
    EndedBy(String),
    /// The time is over, or all calls are made: so many.
    End(u64),
}

impl Event {
    /// The event of a frame; `None` if it is none.
    pub(crate) fn parse(kind: u8, text: String) -> Option<Event> {
        Some(match kind {
            1 => {
                let (number, call) = text.split_once(' ')?;
                Event::Taken(number.parse().ok()?, call.to_owned())
            }
            2 => Event::Note(text),
            3 => Event::Calls(text.parse().ok()?),
            4 => Event::EndedBy(text),
            5 => Event::End(text.parse().ok()?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_event_is_refused() {
        let parse = |kind, text: &str| Event::parse(kind, text.to_owned());
        assert_eq!(parse(1, "12 A.m(1, 2)"), Some(Event::Taken(12, "A.m(1, 2)".to_owned())));
        assert_eq!(parse(1, "12"), None);
        assert_eq!(parse(3, "x"), None);
        assert_eq!(parse(9, "1"), None);
    }
}
