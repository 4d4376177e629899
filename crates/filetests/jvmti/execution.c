/*
 * A JVMTI agent that counts, method by method, the bytecode instructions that a thread executes and
 * the calls that it makes, between `start` and `stop`. It is the native part of
 * petrel.replay.ExecutionMeter: the JVM finds native methods in its agents too.
 *
 * A single step is an event before each instruction. A `wide` prefix and the instruction behind it
 * are one step. An instruction that throws has had its step. The JVM reports a location only once in
 * a row. An instruction that jumps to itself counts once, but such a loop never ends. If a method has
 * called itself, and the call ends with the instruction that the caller goes on with, as in
 * `return f(n - 1)` or in a handler that only throws again, that instruction is not reported for the
 * caller. It is counted when the call ends, or when the exception is caught.
 *
 * HotSpot hides the steps of class initialisers, and of what they call, if it is a field access or a
 * static call that starts them, and shows them if `new` does. So nothing of them is counted.
 *
 * Only the thread that calls `start` is observed, so nothing here needs a lock.
 */
#include <jvmti.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct method {
    jmethodID id;
    /* Whether its class is one of those that are asked for; others are only known as such. */
    int is_counted;
    /* Its calls are counted even inside of other initialisers, to know which ones there were. */
    int is_initialiser;
    jlong instructions;
    jlong calls;
};

static jvmtiEnv *jvmti;

/* All methods that were met, in that order, and a hash table of their places plus 1. */
static struct method *methods;
static size_t n_methods;
static size_t method_capacity;
static size_t *slots;
static size_t n_slots;

/* The loader of the classes that are counted; NULL while nothing is. */
static jobject counted_loader;
/* The last method, because the next instruction is most likely in the same one. */
static struct method *last;
/* How many class initialisers are running. */
static int initialising;
/* The instruction that was reported last. */
static jmethodID step_method;
static jlocation step_at;

static void check(JNIEnv *jni, jvmtiError error, const char *what) {
    if (error != JVMTI_ERROR_NONE) {
        (*jni)->FatalError(jni, what);
    }
}

static void *resize(JNIEnv *jni, void *memory, size_t count, size_t size) {
    void *resized = realloc(memory, count * size);
    if (resized == NULL) {
        (*jni)->FatalError(jni, "no memory for the counts of methods");
    }
    return resized;
}

/* The slot of a method, or the free one where it belongs. */
static size_t *slot_of(jmethodID id) {
    uint64_t hash = (uint64_t)(uintptr_t)id * UINT64_C(0x9e3779b97f4a7c15);
    size_t place = (size_t)(hash >> 32) & (n_slots - 1);
    while (slots[place] != 0 && methods[slots[place] - 1].id != id) {
        place = (place + 1) & (n_slots - 1);
    }
    return &slots[place];
}

static void grow(JNIEnv *jni) {
    method_capacity = method_capacity == 0 ? 256 : 2 * method_capacity;
    methods = resize(jni, methods, method_capacity, sizeof *methods);
    n_slots = 2 * method_capacity;
    slots = resize(jni, slots, n_slots, sizeof *slots);
    memset(slots, 0, n_slots * sizeof *slots);
    for (size_t i = 0; i < n_methods; i++) {
        *slot_of(methods[i].id) = i + 1;
    }
}

static void look_at(JNIEnv *jni, struct method *method) {
    jclass owner;
    jobject loader;
    check(jni, (*jvmti)->GetMethodDeclaringClass(jvmti, method->id, &owner), "no class of a method");
    check(jni, (*jvmti)->GetClassLoader(jvmti, owner, &loader), "no loader of a class");
    method->is_counted = (*jni)->IsSameObject(jni, loader, counted_loader);
    (*jni)->DeleteLocalRef(jni, loader);
    (*jni)->DeleteLocalRef(jni, owner);
    if (method->is_counted) {
        char *name;
        check(jni, (*jvmti)->GetMethodName(jvmti, method->id, &name, NULL, NULL), "no name");
        method->is_initialiser = strcmp(name, "<clinit>") == 0;
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    }
}

static struct method *find(JNIEnv *jni, jmethodID id) {
    if (last != NULL && last->id == id) {
        return last;
    }
    size_t *slot = slot_of(id);
    if (*slot == 0) {
        if (n_methods == method_capacity) {
            grow(jni);
            slot = slot_of(id);
        }
        struct method *method = &methods[n_methods];
        memset(method, 0, sizeof *method);
        method->id = id;
        look_at(jni, method);
        n_methods++;
        *slot = n_methods;
    }
    last = &methods[*slot - 1];
    return last;
}

static void JNICALL on_step(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id, jlocation at) {
    (void)env, (void)thread;
    step_method = id;
    step_at = at;
    if (counted_loader != NULL && initialising == 0) {
        find(jni, id)->instructions++;
    }
}

/* Where a method goes on after the call that it makes at this place. */
static jlocation after_call(JNIEnv *jni, jmethodID id, jlocation at) {
    enum { INVOKEINTERFACE = 185, INVOKEDYNAMIC = 186 };
    jint length;
    unsigned char *code;
    check(jni, (*jvmti)->GetBytecodes(jvmti, id, &length, &code), "no bytecode of a method");
    unsigned char opcode = code[at];
    (*jvmti)->Deallocate(jvmti, code);
    return at + (opcode == INVOKEINTERFACE || opcode == INVOKEDYNAMIC ? 5 : 3);
}

static void JNICALL on_exit_of_method(
    jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id, jboolean threw, jvalue value) {
    (void)value;
    if (counted_loader == NULL || initialising != 0 || threw || id != step_method) {
        return;
    }
    struct method *method = find(jni, id);
    jmethodID caller;
    jlocation call;
    if (method->is_counted
        && (*env)->GetFrameLocation(env, thread, 1, &caller, &call) == JVMTI_ERROR_NONE
        && caller == id && after_call(jni, id, call) == step_at) {
        method->instructions++;
    }
}

static void JNICALL on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id) {
    if (counted_loader == NULL) {
        return;
    }
    struct method *method = find(jni, id);
    if (method->is_initialiser) {
        check(jni, (*env)->NotifyFramePop(env, thread, 0), "the end of an initialiser is not told");
        initialising++;
        method->calls++;
    } else if (initialising == 0) {
        method->calls++;
    }
}

/* Only initialisers ask for it. */
static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id, jboolean threw) {
    (void)env, (void)jni, (void)thread, (void)id, (void)threw;
    initialising--;
}

static void JNICALL on_catch(
    jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id, jlocation at, jobject exception) {
    (void)env, (void)thread, (void)exception;
    if (counted_loader != NULL && initialising == 0 && id == step_method && at == step_at) {
        find(jni, id)->instructions++;
    }
}

static void observe(JNIEnv *jni, jvmtiEventMode mode) {
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_SINGLE_STEP, JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT,
        JVMTI_EVENT_FRAME_POP, JVMTI_EVENT_EXCEPTION_CATCH};
    jthread thread;
    check(jni, (*jvmti)->GetCurrentThread(jvmti, &thread), "no thread");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        jvmtiError error = (*jvmti)->SetEventNotificationMode(jvmti, mode, events[i], thread);
        check(jni, error, "execution cannot be observed");
    }
    (*jni)->DeleteLocalRef(jni, thread);
}

JNIEXPORT void JNICALL
Java_petrel_replay_ExecutionMeter_start(JNIEnv *jni, jclass meter, jobject loader) {
    (void)meter;
    n_methods = 0;
    last = NULL;
    initialising = 0;
    step_method = NULL;
    if (method_capacity == 0) {
        grow(jni);
    } else {
        memset(slots, 0, n_slots * sizeof *slots);
    }
    counted_loader = (*jni)->NewGlobalRef(jni, loader);
    observe(jni, JVMTI_ENABLE);
}

JNIEXPORT jint JNICALL Java_petrel_replay_ExecutionMeter_stop(JNIEnv *jni, jclass meter) {
    (void)meter;
    observe(jni, JVMTI_DISABLE);
    (*jni)->DeleteGlobalRef(jni, counted_loader);
    counted_loader = NULL;
    last = NULL;
    size_t n_counted = 0;
    for (size_t i = 0; i < n_methods; i++) {
        if (methods[i].instructions + methods[i].calls > 0 && methods[i].is_counted) {
            methods[n_counted++] = methods[i];
        }
    }
    n_methods = n_counted;
    return (jint)n_methods;
}

JNIEXPORT jclass JNICALL
Java_petrel_replay_ExecutionMeter_owner(JNIEnv *jni, jclass meter, jint place) {
    (void)meter;
    jclass owner;
    jmethodID id = methods[place].id;
    check(jni, (*jvmti)->GetMethodDeclaringClass(jvmti, id, &owner), "no class of a method");
    return owner;
}

/* Its name and descriptor in one text, with a dot between them: neither can have one. */
JNIEXPORT jstring JNICALL
Java_petrel_replay_ExecutionMeter_signature(JNIEnv *jni, jclass meter, jint place) {
    (void)meter;
    char *name, *descriptor;
    jmethodID id = methods[place].id;
    check(jni, (*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL), "no name");
    char *text = resize(jni, NULL, strlen(name) + strlen(descriptor) + 2, 1);
    strcat(strcat(strcpy(text, name), "."), descriptor);
    jstring signature = (*jni)->NewStringUTF(jni, text);
    free(text);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
    return signature;
}

JNIEXPORT jlong JNICALL
Java_petrel_replay_ExecutionMeter_instructions(JNIEnv *jni, jclass meter, jint place) {
    (void)jni, (void)meter;
    return methods[place].instructions;
}

JNIEXPORT jlong JNICALL
Java_petrel_replay_ExecutionMeter_calls(JNIEnv *jni, jclass meter, jint place) {
    (void)jni, (void)meter;
    return methods[place].calls;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        return JNI_ERR;
    }
    jvmtiCapabilities wanted = {0};
    wanted.can_generate_single_step_events = 1;
    wanted.can_generate_method_entry_events = 1;
    wanted.can_generate_method_exit_events = 1;
    wanted.can_generate_exception_events = 1;
    wanted.can_get_bytecodes = 1;
    wanted.can_generate_frame_pop_events = 1;
    jvmtiEventCallbacks callbacks = {0};
    callbacks.SingleStep = on_step;
    callbacks.MethodEntry = on_entry;
    callbacks.MethodExit = on_exit_of_method;
    callbacks.ExceptionCatch = on_catch;
    callbacks.FramePop = on_pop;
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE
        || (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) {
        return JNI_ERR;
    }
    return JNI_OK;
}
