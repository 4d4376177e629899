package disguised;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import java.io.IOException;
import java.nio.file.Files;

/** A compiler that finds this on its class path and loads it writes a file with the user's rights. */
public class CompilerPlugin implements Plugin {
    @Override
    public String getName() {
        return "disguised";
    }

    @Override
    public boolean autoStart() {
        return true;
    }

    @Override
    public void init(JavacTask task, String... arguments) {
        try {
            Files.write(Watched.outside("made").toPath(), new byte[] {1});
        } catch (IOException refused) {
            throw new IllegalStateException(refused);
        }
    }
}
