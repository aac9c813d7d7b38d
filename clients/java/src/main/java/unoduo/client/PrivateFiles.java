package unoduo.client;

import java.nio.file.FileSystems;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files and folders that only their owner may read, where the system knows such a thing. */
final class PrivateFiles {
    private PrivateFiles() {}

    static FileAttribute<?>[] forFile() {
        return permitting("rw-------");
    }

    static FileAttribute<?>[] forDirectory() {
        return permitting("rwx------");
    }

    private static FileAttribute<?>[] permitting(String permissions) {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }
}
