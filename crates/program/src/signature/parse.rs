//! Reads signatures: one function per rule of the grammar in JVMS 4.7.9.1.

use super::{
    ClassSignature, ClassType, MethodSignature, PrimitiveType, SimpleClassType, TypeArgument,
    TypeParameter, TypeSignature,
};

/// How deep types may be nested, array dimensions included: bounds the recursion of the parser and
/// of everything that walks the result. Compilers' output stays far below it.
const MAX_NESTING: usize = 512;

/// The characters that no identifier contains.
const DELIMITERS: [char; 7] = ['.', ';', '[', '/', '<', '>', ':'];

/// A text that is not a signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{signature}\" is not a signature: {reason} at character {offset}")]
pub struct SignatureError {
    /// The text.
    pub signature: String,
    /// Where it goes wrong, in bytes.
    pub offset: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

pub(super) trait Parse: Sized {
    fn parse(parser: &mut Parser<'_>) -> Result<Self, SignatureError>;
}

/// Parses a text to its end.
pub(super) fn whole<T: Parse>(text: &str) -> Result<T, SignatureError> {
    let mut parser = Parser { text, rest: text, nesting: 0 };
    let parsed = T::parse(&mut parser)?;
    if parser.rest.is_empty() { Ok(parsed) } else { Err(parser.error("more text follows")) }
}

pub(super) struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, reason: &'static str) -> SignatureError {
        let offset = self.text.len() - self.rest.len();
        SignatureError { signature: self.text.to_owned(), offset, reason }
    }

    fn peek(&self) -> Option<u8> {
        self.rest.bytes().next()
    }

    fn eat(&mut self, expected: char) -> bool {
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, expected: char, reason: &'static str) -> Result<(), SignatureError> {
        if self.eat(expected) { Ok(()) } else { Err(self.error(reason)) }
    }

    fn identifier(&mut self) -> Result<&'a str, SignatureError> {
        let length = self.rest.find(DELIMITERS).unwrap_or(self.rest.len());
        if length == 0 {
            return Err(self.error("a name is expected"));
        }
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(name)
    }

    /// Reads a part that is one level deeper.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, SignatureError>,
    ) -> Result<T, SignatureError> {
        if self.nesting == MAX_NESTING {
            return Err(self.error("types are nested too deeply"));
        }
        self.nesting += 1;
        let part = read(self);
        self.nesting -= 1;
        part
    }

    /// One or more parts in angle brackets; nothing if there is no opening one.
    fn angled<T: Parse>(&mut self) -> Result<Vec<T>, SignatureError> {
        let mut parts = Vec::new();
        if self.eat('<') {
            parts.push(T::parse(self)?);
            while !self.eat('>') {
                parts.push(T::parse(self)?);
            }
        }
        Ok(parts)
    }

    fn reference_type(&mut self) -> Result<TypeSignature, SignatureError> {
        match self.peek() {
            Some(b'L' | b'T' | b'[') => TypeSignature::parse(self),
            _ => Err(self.error("a class, type variable or array is expected")),
        }
    }
}

impl Parse for ClassSignature {
    fn parse(parser: &mut Parser<'_>) -> Result<Self, SignatureError> {
        let parameters = parser.angled()?;
        let super_class = ClassType::parse(parser)?;
        let mut interfaces = Vec::new();
        while !parser.rest.is_empty() {
            interfaces.push(ClassType::parse(parser)?);
        }
        Ok(ClassSignature { parameters, super_class, interfaces })
    }
}

impl Parse for MethodSignature {
    fn parse(parser: &mut Parser<'_>) -> Result<Self, SignatureError> {
        let type_parameters = parser.angled()?;
        parser.expect('(', "the parameters are expected")?;
        let mut parameters = Vec::new();
        while !parser.eat(')') {
            parameters.push(TypeSignature::parse(parser)?);
        }
        let result = if parser.eat('V') { None } else { Some(TypeSignature::parse(parser)?) };
        let mut exceptions = Vec::new();
        while parser.eat('^') {
            if parser.peek() == Some(b'[') {
                return Err(parser.error("an exception cannot be an array"));
            }
            exceptions.push(parser.reference_type()?);
        }
        Ok(MethodSignature { type_parameters, parameters, result, exceptions })
    }
}

impl Parse for TypeParameter {
    fn parse(parser: &mut Parser<'_>) -> Result<Self, SignatureError> {
        let name = parser.identifier()?.into();
        parser.expect(':', "the bound of a type parameter is expected")?;
        // After an empty class bound comes an interface bound, the next parameter, or the end. A
        // parameter's name may start like a type: only its colon tells them apart, and a type has
        // none before its end.
        let class_bound = if parser.at_type() { Some(parser.reference_type()?) } else { None };
        let mut interface_bounds = Vec::new();
        while parser.eat(':') {
            interface_bounds.push(parser.reference_type()?);
        }
        Ok(TypeParameter { name, class_bound, interface_bounds })
    }
}

impl Parser<'_> {
    /// Whether a reference type follows rather than the name of a type parameter.
    fn at_type(&self) -> bool {
        let is_start = matches!(self.peek(), Some(b'L' | b'T' | b'['));
        is_start && self.rest.find(DELIMITERS).is_some_and(|end| !self.rest[end..].starts_with(':'))
    }
}

impl Parse for TypeSignature {
    fn parse(parser: &mut Parser<'_>) -> Result<Self, SignatureError> {
        match parser.peek() {
            Some(b'L') => ClassType::parse(parser).map(TypeSignature::Class),
            Some(b'T') => {
                parser.eat('T');
                let name = parser.identifier()?.into();
                parser.expect(';', "the end of a type variable is expected")?;
                Ok(TypeSignature::Variable(name))
            }
            Some(b'[') => {
                parser.eat('[');
                let component = parser.nested(TypeSignature::parse)?;
                Ok(TypeSignature::Array(Box::new(component)))
            }
            Some(letter) => {
                let primitive = PrimitiveType::from_letter(letter);
                let primitive = primitive.ok_or_else(|| parser.error("a type is expected"))?;
                parser.eat(primitive.letter());
                Ok(TypeSignature::Primitive(primitive))
            }
            None => Err(parser.error("a type is expected")),
        }
    }
}

impl Parse for ClassType {
    fn parse(parser: &mut Parser<'_>) -> Result<Self, SignatureError> {
        parser.expect('L', "a class is expected")?;
        let start = parser.rest;
        let mut name = parser.identifier()?;
        let mut package = "";
        while parser.eat('/') {
            package = &start[..start.len() - parser.rest.len() - 1];
            name = parser.identifier()?;
        }
        let arguments = parser.nested(Parser::angled)?;
        let outermost = SimpleClassType { name: name.into(), arguments };
        let mut members = Vec::new();
        while parser.eat('.') {
            let name = parser.identifier()?.into();
            let arguments = parser.nested(Parser::angled)?;
            members.push(SimpleClassType { name, arguments });
        }
        parser.expect(';', "the end of a class is expected")?;
        Ok(ClassType { package: package.into(), outermost, members })
    }
}

impl Parse for TypeArgument {
    fn parse(parser: &mut Parser<'_>) -> Result<Self, SignatureError> {
        match parser.peek() {
            Some(b'*') => {
                parser.eat('*');
                Ok(TypeArgument::Any)
            }
            Some(b'+') => {
                parser.eat('+');
                parser.reference_type().map(TypeArgument::Extends)
            }
            Some(b'-') => {
                parser.eat('-');
                parser.reference_type().map(TypeArgument::Super)
            }
            _ => parser.reference_type().map(TypeArgument::Exact),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints_back<T: Parse + std::fmt::Display>(text: &str) -> T {
        let parsed: T = whole(text).unwrap();
        assert_eq!(parsed.to_string(), text);
        parsed
    }

    fn is_refused<T: Parse>(text: &str) -> SignatureError {
        match whole::<T>(text) {
            Ok(_) => panic!("{text} was read"),
            Err(error) => error,
        }
    }

    #[test]
    fn class_signatures_print_as_they_were_read() {
        let map: ClassSignature = prints_back(
            "<K:Ljava/lang/Object;V:Ljava/lang/Object;>Ljava/util/AbstractMap<TK;TV;>;\
             Ljava/util/Map<TK;TV;>;Ljava/io/Serializable;",
        );
        assert_eq!(map.parameters.len(), 2);
        assert_eq!(map.super_class.internal_name(), "java/util/AbstractMap");
        assert_eq!(map.super_class.arguments().len(), 2);
        assert_eq!(map.interfaces.len(), 2);
        prints_back::<ClassSignature>("Ljava/lang/Object;");
        prints_back::<ClassSignature>("<E:Ljava/lang/Enum<TE;>;>Ljava/lang/Object;");
        prints_back::<ClassSignature>("LPlain;");
    }

    #[test]
    fn method_signatures_print_as_they_were_read() {
        let sort: MethodSignature = prints_back(
            "<T:Ljava/lang/Object;X:Ljava/lang/Throwable;>(Ljava/util/List<-TT;>;[[TT;I)\
             Ljava/util/Map$Entry<*+[B>;^TX;^Ljava/io/IOException;",
        );
        assert_eq!(sort.parameters.len(), 3);
        assert_eq!(sort.exceptions.len(), 2);
        let void: MethodSignature = prints_back("()V");
        assert_eq!(void.result, None);
    }

    #[test]
    fn type_parameters_may_have_no_class_bound() {
        let signature: ClassSignature = prints_back(
            "<T::Ljava/lang/Comparable<-TT;>;:Ljava/io/Serializable;U:TT;>Ljava/lang/Object;",
        );
        let first = &signature.parameters[0];
        assert_eq!(first.class_bound, None);
        assert_eq!(first.interface_bounds.len(), 2);
    }

    #[test]
    fn a_parameter_that_is_named_like_a_type_is_told_from_a_bound() {
        let signature: ClassSignature = prints_back("<A:LB:LC;T:>Ljava/lang/Object;");
        let names: Vec<_> = signature.parameters.iter().map(|parameter| &*parameter.name).collect();
        assert_eq!(names, ["A", "LB", "T"]);
    }

    #[test]
    fn member_classes_of_generic_classes_have_arguments_at_each_level() {
        let field: TypeSignature = prints_back("La/b/Outer<TT;>.Middle.Inner<Ljava/lang/String;>;");
        let TypeSignature::Class(class) = field else { panic!("{field}") };
        assert_eq!(class.internal_name(), "a/b/Outer$Middle$Inner");
        assert_eq!(&*class.package, "a/b");
        assert_eq!(class.arguments().len(), 1);
    }

    #[test]
    fn wrong_signatures_are_refused_with_the_place() {
        for text in ["", "L", "La", "L;", "La/;", "La<>;", "La<I>;", "La<T>;", "TT", "T;", "[", "V"]
        {
            is_refused::<TypeSignature>(text);
        }
        for text in ["", "TT;", "<>LA;", "<T>LA;", "<T:I>LA;", "LA;I", "<T:LA;", "<T:LB:>LA;x"] {
            is_refused::<ClassSignature>(text);
        }
        for text in ["", "()", "(V)V", "()VV", "()V^I", "()V^[LA;", "(", "<T:>"] {
            is_refused::<MethodSignature>(text);
        }
        assert_eq!(is_refused::<TypeSignature>("Lé/b<I>;").offset, 6);
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |levels: usize| format!("{}LA;{}", "LA<".repeat(levels), ">;".repeat(levels));
        prints_back::<TypeSignature>(&deep(MAX_NESTING - 1));
        assert_eq!(
            is_refused::<TypeSignature>(&deep(MAX_NESTING)).reason,
            "types are nested too deeply"
        );
        prints_back::<TypeSignature>(&format!("{}I", "[".repeat(255)));
        is_refused::<TypeSignature>(&format!("{}I", "[".repeat(100_000)));
        is_refused::<TypeSignature>(&"LA<[".repeat(100_000));
    }
}
