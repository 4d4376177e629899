import java.util.Collections;
import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;

/** Test classes and test methods by their names, backwards. */
public class ReverseOrder implements ClassOrderer, MethodOrderer {
    @Override
    public void orderClasses(ClassOrdererContext context) {
        Comparator<ClassDescriptor> byName =
                Comparator.comparing(descriptor -> descriptor.getTestClass().getName());
        Collections.sort(context.getClassDescriptors(), byName.reversed());
    }

    @Override
    public void orderMethods(MethodOrdererContext context) {
        Comparator<MethodDescriptor> byName =
                Comparator.comparing(descriptor -> descriptor.getMethod().toString());
        Collections.sort(context.getMethodDescriptors(), byName.reversed());
    }
}
