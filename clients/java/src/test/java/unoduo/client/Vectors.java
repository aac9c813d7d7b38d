package unoduo.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files of proto/vectors. */
final class Vectors {
    private Vectors() {}

    static JsonArray read(String file, String key) throws IOException {
        String text = Files.readString(Path.of("..", "..", "proto", "vectors").resolve(file));
        return JsonParser.parseString(text).getAsJsonObject().getAsJsonArray(key);
    }
}
