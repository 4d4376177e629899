package org.junit.jupiter.params.provider;

import java.util.Objects;

/** The arguments of one call of a test. */
public interface Arguments {
    /** The arguments, in their order. */
    Object[] get();

    /** These arguments. */
    static Arguments of(final Object... arguments) {
        Objects.requireNonNull(arguments, "argument array must not be null");
        return () -> arguments;
    }
}
