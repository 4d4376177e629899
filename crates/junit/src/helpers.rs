//! Methods of the test class that use reflection. Only those that are needed are written.

use crate::imports::Imports;

/// Which of them are needed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Helpers {
    /// Makes an object without a constructor.
    pub(crate) allocate: bool,
    /// Finds a class by its name.
    pub(crate) load: bool,
    /// Sets a field.
    pub(crate) set_field: bool,
    /// Reads a field.
    pub(crate) get_field: bool,
    /// Calls a method.
    pub(crate) call: bool,
    /// Calls a constructor.
    pub(crate) construct: bool,
}

impl Helpers {
    /// The methods of a test class with this name, each a list of lines.
    pub(crate) fn methods(self, test_class: &str, imports: &mut Imports<'_>) -> Vec<Vec<String>> {
        let mut class = |name: &str| imports.class(name).unwrap_or_else(|| name.replace('/', "."));
        let mut methods = Vec::new();
        let mut add = |text: String| methods.push(text.lines().map(str::to_owned).collect());
        if self.allocate {
            let field = class("java/lang/reflect/Field");
            add(format!(
                r#"/** Makes an object without calling a constructor. */
private static <T> T allocate(Class<T> type) throws Exception {{
    initialise(type);
    // By name, because javac warns of every use of this class.
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    {field} instance = unsafe.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    Object made = unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type);
    return type.cast(made);
}}"#
            ));
        }
        if self.load {
            add(format!(
                r#"/** Finds a class that is not accessible here. */
private static Class<?> load(String name) throws Exception {{
    Class<?> type = Class.forName(name, false, {test_class}.class.getClassLoader());
    initialise(type);
    return type;
}}"#
            ));
        }
        if self.allocate || self.load {
            let text = r#"/** Initialises superclasses first: one that needs its subclass would find it half initialised otherwise. */
private static void initialise(Class<?> type) throws Exception {
    if (type.getSuperclass() != null) {
        initialise(type.getSuperclass());
    }
    Class.forName(type.getName(), true, type.getClassLoader());
}"#;
            add(text.to_owned());
        }
        if self.set_field {
            let field = class("java/lang/reflect/Field");
            add(format!(
                r#"/** Sets a field that is not accessible here. */
private static void setField(Class<?> type, Object object, String name, Object value) throws Exception {{
    {field} field = type.getDeclaredField(name);
    field.setAccessible(true);
    field.set(object, value);
}}"#
            ));
        }
        if self.get_field {
            let field = class("java/lang/reflect/Field");
            add(format!(
                r#"/** Reads a field that is not accessible here. */
private static Object getField(Class<?> type, Object object, String name) throws Exception {{
    {field} field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
}}"#
            ));
        }
        if self.call {
            let method = class("java/lang/reflect/Method");
            let target = class("java/lang/reflect/InvocationTargetException");
            add(format!(
                r#"/** Calls a method that is not accessible here. */
private static Object call(
        Class<?> type, String name, Class<?>[] parameters, Object object, Object... arguments) throws Throwable {{
    {method} method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    try {{
        return method.invoke(object, arguments);
    }} catch ({target} thrown) {{
        throw thrown.getCause();
    }}
}}"#
            ));
        }
        if self.construct {
            let constructor = class("java/lang/reflect/Constructor");
            let target = class("java/lang/reflect/InvocationTargetException");
            add(format!(
                r#"/** Calls a constructor that is not accessible here. */
private static <T> T construct(Class<T> type, Class<?>[] parameters, Object... arguments) throws Throwable {{
    {constructor}<T> constructor = type.getDeclaredConstructor(parameters);
    constructor.setAccessible(true);
    try {{
        return constructor.newInstance(arguments);
    }} catch ({target} thrown) {{
        throw thrown.getCause();
    }}
}}"#
            ));
        }
        methods
    }
}
