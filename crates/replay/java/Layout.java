package petrel.replay;

import java.io.FileDescriptor;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The instance fields of a class, and access to them whatever their modifiers are. All that a JDK 8
 * does not have is used by reflection.
 */
final class Layout {
    // The classes keep their layouts, so that those of class loaders which are gone go too.
    private static final ClassValue<Layout> LAYOUTS =
            new ClassValue<Layout>() {
                @Override
                protected Layout computeValue(Class<?> type) {
                    return new Layout(type);
                }
            };
    static final Object UNSAFE = unsafe();
    static final Method ALLOCATE = unsafeMethod("allocateInstance", Class.class);
    private static final Method OFFSET = unsafeMethod("objectFieldOffset", Field.class);
    /** The rest describes the stack, and in part only to the JVM itself. */
    private static final Set<String> OF_THROWABLE =
            new HashSet<>(Arrays.asList("detailMessage", "cause", "suppressedExceptions"));
    private static final List<String> OPAQUE_PACKAGES =
            Arrays.asList(
                    "java.lang.invoke.",
                    "java.lang.module.",
                    "java.lang.ref.",
                    "java.lang.reflect.",
                    "jdk.internal.",
                    "sun.");

    /** Fields of the class itself. */
    private final List<Field> own;
    /** Fields of the superclasses too, theirs first; null if objects of the class are opaque. */
    private final List<Field> all;

    private Layout(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        Layout inherited = parent == null ? null : of(parent);
        own = isOpaque(type) ? null : ownFields(type);
        if (own == null || inherited != null && inherited.all == null) {
            all = null;
        } else if (inherited == null) {
            all = own;
        } else {
            List<Field> fields = new ArrayList<>(inherited.all);
            fields.addAll(own);
            all = fields;
        }
    }

    static Layout of(Class<?> type) {
        return LAYOUTS.get(type);
    }

    List<Field> fields() {
        return all;
    }

    /** The field that the class declares with this name, or null. */
    Field own(String name) {
        for (Field field : own == null ? Collections.<Field>emptyList() : own) {
            if (field.getName().equals(name)) {
                return field;
            }
        }
        return null;
    }

    /** Objects that are of use only in the JVM that they live in. */
    private static boolean isOpaque(Class<?> type) {
        if (type == Class.class
                || type == ClassLoader.class
                || type == Thread.class
                || type == ThreadGroup.class
                || type.getName().equals("java.lang.Module")
                || Proxy.isProxyClass(type)
                || type.isSynthetic() && type.getName().contains("$$Lambda")) {
            return true;
        }
        for (String start : OPAQUE_PACKAGES) {
            if (type.getName().startsWith(start)) {
                return true;
            }
        }
        return false;
    }

    private static List<Field> ownFields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        try {
            for (Field field : type.getDeclaredFields()) {
                boolean isSeen = type != Throwable.class || OF_THROWABLE.contains(field.getName());
                if (!Modifier.isStatic(field.getModifiers()) && isSeen) {
                    open(field, type);
                    fields.add(field);
                }
            }
            return fields;
        } catch (LinkageError | NotCallable notReadable) {
            return null;
        }
    }

    /** Makes a member of a class accessible, opening its package if need be. */
    static void open(AccessibleObject member, Class<?> type) throws NotCallable {
        try {
            member.setAccessible(true);
        } catch (RuntimeException closed) {
            try {
                Object module = Class.class.getMethod("getModule").invoke(type);
                String internal = "implAddOpensToAllUnnamed";
                Method open = module.getClass().getDeclaredMethod(internal, String.class);
                open.setAccessible(true);
                String name = type.getName();
                open.invoke(module, name.substring(0, name.lastIndexOf('.')));
                member.setAccessible(true);
            } catch (ReflectiveOperationException | RuntimeException fault) {
                throw new NotCallable(member + " is not accessible: " + closed.getMessage());
            }
        }
    }

    static Object read(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException fault) {
            throw new IllegalStateException(fault);
        }
    }

    static void write(Field field, Object object, Object value)
            throws ReflectiveOperationException {
        try {
            field.set(object, value);
        } catch (IllegalAccessException isFinal) {
            // Fields of records are final even to reflection.
            writeRaw(field, object, value);
        }
    }

    private static void writeRaw(Field field, Object object, Object value)
            throws ReflectiveOperationException {
        Class<?> type = field.getType();
        if (type.isPrimitive() ? !isValue(type, value) : value != null && !type.isInstance(value)) {
            throw new IllegalArgumentException(value + " is no " + type.getName());
        }
        Object offset = OFFSET.invoke(UNSAFE, field);
        if (type.isPrimitive()) {
            String name = type.getName();
            String put = "put" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
            unsafeMethod(put, Object.class, long.class, type).invoke(UNSAFE, object, offset, value);
            return;
        }
        Method put = unsafeMethod("putReference", Object.class, long.class, Object.class);
        if (put == null) {
            put = unsafeMethod("putObject", Object.class, long.class, Object.class);
        }
        put.invoke(UNSAFE, object, offset, value);
    }

    private static boolean isValue(Class<?> primitive, Object value) {
        return value != null
                && MethodType.methodType(value.getClass()).unwrap().returnType() == primitive;
    }

    /** A new object whose constructor did not run. */
    static Object allocate(Class<?> type) throws NotCallable {
        if (type.isInterface()
                || type.isArray()
                || type == Class.class
                || type.isEnum()
                || Modifier.isAbstract(type.getModifiers())) {
            throw new NotCallable("an object of " + type.getName() + " cannot be built");
        }
        if (ALLOCATE == null) {
            throw new NotCallable("this JVM builds no objects without constructors");
        }
        try {
            return ALLOCATE.invoke(UNSAFE, type);
        } catch (ReflectiveOperationException fault) {
            Throwable cause = fault.getCause() == null ? fault : fault.getCause();
            throw new NotCallable("an object of " + type.getName() + " cannot be built: " + cause);
        }
    }

    private static Object unsafe() {
        // The one that is for everybody refuses records, and is about to lose its methods.
        for (String name : new String[] {"jdk.internal.misc.Unsafe", "sun.misc.Unsafe"}) {
            try {
                Field field = Class.forName(name).getDeclaredField("theUnsafe");
                open(field, field.getDeclaringClass());
                return field.get(null);
            } catch (ReflectiveOperationException | NotCallable missing) {
                // The next one may be there.
            }
        }
        return null;
    }

    private static Method unsafeMethod(String name, Class<?>... types) {
        if (UNSAFE == null) {
            return null;
        }
        try {
            Method method = UNSAFE.getClass().getMethod(name, types);
            open(method, UNSAFE.getClass());
            return method;
        } catch (ReflectiveOperationException | NotCallable missing) {
            return null;
        }
    }

    /** Gives a descriptor that was closed, and now leads nowhere, its number back. */
    static void setDescriptor(FileDescriptor descriptor, int number) {
        try {
            Field field = FileDescriptor.class.getDeclaredField("fd");
            open(field, FileDescriptor.class);
            field.setInt(descriptor, number);
        } catch (ReflectiveOperationException | NotCallable unknown) {
            // Then it stays closed.
        }
    }

    static String internalName(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    static String descriptor(Class<?> type) {
        return MethodType.methodType(type).toMethodDescriptorString().substring(2);
    }
}
