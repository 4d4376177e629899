package petrel.replay;

import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The class loaders that calls run in. */
final class Worlds {
    private final String[] defaultPath;
    private final Map<String, World> shared = new HashMap<>();

    Worlds(String[] defaultPath) {
        this.defaultPath = defaultPath;
    }

    /**
     * A new world for a class path (null for the one of all calls), the one that is kept ('s'), or a new one that is kept
     * from now on ('r').
     */
    World find(char kind, String[] path) throws IOException {
        String[] found = path == null ? defaultPath : path;
        if (kind == 'f') {
            return new World(found);
        }
        String key = String.join(File.pathSeparator, found);
        World world = shared.get(key);
        if (kind == 'r' && world != null) {
            world.close();
            world = null;
        }
        if (world == null) {
            world = new World(found);
            shared.put(key, world);
        }
        return world;
    }

    /** The types of a method. */
    static MethodType typesOf(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    }

    /** A class loader, and what was looked up in it. */
    static final class World {
        private final URLClassLoader loader;
        private final Map<String, AccessibleObject> members = new HashMap<>();

        World(String[] path) throws IOException {
            URL[] urls = new URL[path.length];
            for (int i = 0; i < path.length; i++) {
                urls[i] = new File(path[i]).toURI().toURL();
            }
            // The classes of this harness are not for calls to see; those of the platform are.
            loader = new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent());
        }

        ClassLoader loader() {
            return loader;
        }

        void close() throws IOException {
            loader.close();
        }

        /** The class with an internal name. */
        Class<?> type(String name) throws NotCallable {
            try {
                return Class.forName(name.replace('/', '.'), false, loader);
            } catch (ClassNotFoundException missing) {
                throw new NotCallable("there is no class " + name.replace('/', '.'));
            } catch (LinkageError broken) {
                throw new NotCallable(broken.toString());
            }
        }

        /** Initialises a class, and tells what that throws, or null. */
        Throwable initialise(Class<?> type) {
            try {
                Class.forName(type.getName(), true, type.getClassLoader());
                return null;
            } catch (Throwable thrown) {
                return thrown;
            }
        }

        /** The types of a descriptor. */
        MethodType types(String descriptor) throws NotCallable {
            try {
                return MethodType.fromMethodDescriptorString(descriptor, loader);
            } catch (TypeNotPresentException | IllegalArgumentException | LinkageError fault) {
                throw new NotCallable(descriptor + ": " + fault.getMessage());
            }
        }

        /** A method or constructor, also one that the class inherits. */
        AccessibleObject member(String owner, String name, String descriptor) throws NotCallable {
            String key = owner + '\0' + name + '\0' + descriptor;
            AccessibleObject member = members.get(key);
            if (member == null) {
                member = look(type(owner), name, types(descriptor));
                if (member == null) {
                    String what = owner.replace('/', '.') + " has no " + name + descriptor;
                    throw new NotCallable(what);
                }
                Layout.open(member, type(owner));
                members.put(key, member);
            }
            return member;
        }

        private static AccessibleObject look(Class<?> owner, String name, MethodType types)
                throws NotCallable {
            try {
                return name.equals("<init>")
                        ? constructor(owner, types)
                        : method(owner, name, types);
            } catch (LinkageError broken) {
                throw new NotCallable(broken.toString());
            }
        }

        /** The method that runs when another one is called on a receiver. */
        static Method select(Method method, Object receiver) {
            boolean isFixed = (method.getModifiers() & (Modifier.STATIC | Modifier.PRIVATE)) != 0;
            if (isFixed) {
                return method;
            }
            return method(receiver.getClass(), method.getName(), typesOf(method));
        }

        private static Constructor<?> constructor(Class<?> owner, MethodType types) {
            for (Constructor<?> constructor : owner.getDeclaredConstructors()) {
                if (Arrays.equals(types.parameterArray(), constructor.getParameterTypes())) {
                    return constructor;
                }
            }
            return null;
        }

        private static Method method(Class<?> owner, String name, MethodType types) {
            for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
                // Not by getDeclaredMethod: bridges differ from methods in their result alone.
                for (Method method : type.getDeclaredMethods()) {
                    if (method.getName().equals(name) && typesOf(method).equals(types)) {
                        return method;
                    }
                }
            }
            for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
                for (Class<?> parent : type.getInterfaces()) {
                    Method method = method(parent, name, types);
                    if (method != null) {
                        return method;
                    }
                }
            }
            return null;
        }
    }
}
