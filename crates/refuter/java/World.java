package petrel.refuter;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The classes under test, loaded anew, with all that was made of them. It ends when a call was ended by us: nobody knows what
 * state that has left. */
final class World {
    private static final int MOST_FRUITFUL = 12;

    private final Request request;
    private final Driver driver;
    private final Chance chance;
    private final Values values;
    private final List<Target> targets = new ArrayList<>();
    private final Map<Class<?>, Constants> constants = new HashMap<>();
    private final Constants all;
    private List<Target> open = new ArrayList<>();
    private List<Target> wanted = new ArrayList<>();
    private final boolean[] isWanted;
    private boolean isSpoiled;

    World(Driver driver, Request request, Constants all, boolean[] isWanted, long seed) {
        this.driver = driver;
        this.request = request;
        this.all = all;
        this.isWanted = isWanted;
        chance = new Chance(seed);
        // Build tools run tests with assertions, and users the program without.
        Loader loader = new Loader(driver.classPath, request.instrumented, !chance.percent(25));
        List<Target> makers = new ArrayList<>();
        List<Class<?>> classes = new ArrayList<>();
        for (String name : request.targets.keySet()) {
            Class<?> type = load(loader, name);
            if (type == null) continue;
            classes.add(type);
            constants.put(type, request.targets.get(name));
            addMembers(type, targets);
        }
        makers.addAll(targets);
        for (String name : request.helpers) {
            Class<?> type = load(loader, name);
            if (type != null) addMembers(type, makers);
        }
        makers.removeIf(maker -> maker.isField() || maker.result.isPrimitive() || maker.result == Object.class
                || maker.result == String.class);
        values = new Values(this, chance, all, makers, classes, request.keepsPremises);
        lookForOpen();
    }

    private Class<?> load(Loader loader, String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError error) {
            driver.note(name + " cannot be loaded: " + error);
            return null;
        }
    }

    private void addMembers(Class<?> type, List<Target> into) {
        List<Member> members = new ArrayList<>();
        try {
            if (Values.isConcrete(type) && !type.isEnum()) {
                for (Constructor<?> constructor : type.getDeclaredConstructors()) members.add(constructor);
            }
            for (Method method : type.getDeclaredMethods()) {
                if (!Modifier.isAbstract(method.getModifiers())) members.add(method);
            }
            for (Field field : type.getDeclaredFields()) {
                boolean isOpen = Modifier.isPublic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers());
                if (isOpen) members.add(field);
            }
        } catch (LinkageError missing) {
            driver.note("the members of " + type.getName() + " cannot be listed: " + missing);
            return;
        }
        List<Target> found = new ArrayList<>();
        for (Member member : members) {
            boolean isVisible = request.publicOnly
                    ? Modifier.isPublic(member.getModifiers()) && Modifier.isPublic(type.getModifiers())
                    : !Modifier.isPrivate(member.getModifiers());
            if (!isVisible || member.isSynthetic()) continue;
            try {
                Target target = new Target(member);
                target.probes = request.probesOf.get(target.key);
                target.record = driver.record(target.key);
                if (!request.banned.contains(target.key)) found.add(target);
            } catch (LinkageError | RuntimeException error) {
                driver.note(type.getName() + "." + member.getName() + " cannot be called: " + error);
            }
        }
        // Reflection has no order of its own.
        found.sort((a, b) -> a.key.compareTo(b.key));
        into.addAll(found);
    }

    /** The methods that have branches which were never taken. */
    private void lookForOpen() {
        open = new ArrayList<>();
        wanted = new ArrayList<>();
        for (Target target : targets) {
            if (target.probes == null) continue;
            boolean hasOpen = false;
            boolean hasWanted = false;
            for (int probe = target.probes[0]; probe < target.probes[1]; probe++) {
                hasOpen |= Probe.taken[probe] == 0;
                hasWanted |= Probe.taken[probe] == 0 && isWanted[probe];
            }
            if (hasOpen) open.add(target);
            if (hasWanted) wanted.add(target);
        }
    }

    /** Makes so many calls, or fewer if it is spoiled or the time is over. */
    void run(long calls) {
        if (targets.isEmpty()) return;
        long end = driver.calls() + calls;
        for (int round = 1; driver.calls() < end && !isSpoiled && !driver.isOver(); round++) {
            if (round % 5000 == 0) lookForOpen();
            callOne();
        }
    }

    private void callOne() {
        List<Target> from = targets;
        int kind = chance.below(100);
        if (kind < 35 && !wanted.isEmpty()) from = wanted;
        else if (kind < 65 && !open.isEmpty()) from = open;
        Target target = chance.of(from);
        // What takes long is not worth it many times.
        if (!target.record.isWorthIt(chance)) return;
        Constants own = constants.getOrDefault(target.declaring, all);
        Step step = again(target, own);
        if (step == null) {
            Made receiver = null;
            if (target.needsReceiver()) {
                receiver = receiver(target, own);
                if (receiver == null) return;
            }
            step = new Step(target, receiver, values.arguments(target, receiver, own, 0));
        }
        make(step);
    }

    private Made receiver(Target target, Constants own) {
        // Fresh objects have states that old ones have left behind.
        Made receiver = chance.percent(85) ? values.pool.find(target.declaring) : null;
        if (receiver == null) receiver = values.of(target.declaring, target.declaring, own, 0);
        return target.declaring.isInstance(receiver.value) ? receiver : null;
    }

    /** A call that is nearly one that was worth it. */
    private Step again(Target target, Constants own) {
        if (target.fruitful.isEmpty() || !chance.percent(35)) return null;
        Step before = chance.of(target.fruitful);
        Made[] arguments = before.arguments.clone();
        Made receiver = before.receiver;
        int number = chance.below(arguments.length + (receiver == null ? 0 : 1));
        if (number >= arguments.length) {
            if (receiver != null) receiver = receiver(target, own);
            return receiver == null && target.needsReceiver() ? null : new Step(target, receiver, arguments);
        }
        Object old = arguments[number].value;
        if (old instanceof String && chance.percent(60)) {
            arguments[number] = new Made(values.strings.changed((String) old, own, all), null);
        } else if (old instanceof Integer && chance.percent(40)) {
            arguments[number] = new Made((Integer) old + chance.below(5) - 2, null);
        } else {
            arguments[number] = values.argument(target, receiver, arguments, number, own, 0);
        }
        return new Step(target, receiver, arguments);
    }

    /** Makes a call; what it gives, or null if it gives nothing. */
    Made make(Step step) {
        if (isSpoiled) return null;
        boolean isOutermost = driver.enter(step.target);
        Object result = null;
        boolean isBroken = false;
        int before = Probe.left;
        try {
            result = step.target.call(step);
        } catch (Expired expired) {
            isBroken = true;
        } catch (VirtualMachineError error) {
            isBroken = true;
            // Where it came is chance; what was taken behind it, no program can rely on.
            Probe.dropFresh();
        } catch (ThreadDeath | IllegalAccessException | InstantiationException error) {
            result = null;
        } catch (Throwable thrown) {
            // An exception is an end like any other, and an object that others may take.
            if (!(thrown instanceof IllegalArgumentException) && chance.percent(5)) values.pool.add(new Made(thrown, null));
        }
        step.target.record.took(before - Probe.left);
        if (Probe.expired) isBroken = true;
        if (isOutermost) driver.leave();
        // What a stub calls is a part of the call that the stub is in.
        if (isOutermost && Probe.hasFresh()) {
            driver.found(Probe.takeFresh(), step);
            if (step.target.fruitful.size() < MOST_FRUITFUL) step.target.fruitful.add(step);
            else step.target.fruitful.set(chance.below(MOST_FRUITFUL), step);
        }
        if (isBroken) {
            spoil(step.target);
            return null;
        }
        if (step.receiver != null) step.receiver.changedBy(step);
        return keep(result, step);
    }

    private Made keep(Object result, Step step) {
        if (result == null) return null;
        if (result instanceof String) values.strings.keep((String) result);
        boolean isPlain = result instanceof String || result instanceof Number && result.getClass().getClassLoader() == null
                || result instanceof Boolean || result instanceof Character || result instanceof Class;
        if (isPlain) return new Made(result, null);
        if (result.getClass().isArray() && java.lang.reflect.Array.getLength(result) > 2000) return null;
        Made made = step.receiver != null && step.receiver.value == result ? step.receiver : new Made(result, step);
        values.pool.add(made);
        return made;
    }

    private void spoil(Target target) {
        target.record.expired();
        isSpoiled = true;
    }
}
