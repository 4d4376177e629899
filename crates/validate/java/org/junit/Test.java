package org.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a test of JUnit 4. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Test {
    /** What the test has to throw; None if it has to return. */
    Class<? extends Throwable> expected() default None.class;

    /** After how many milliseconds it fails; 0 for never. */
    long timeout() default 0L;

    /** Stands for no exception. */
    class None extends Throwable {
        private static final long serialVersionUID = 1L;

        private None() {}
    }
}
