export { checkBackupFile, restoreBackupFile, writeBackupFile } from "./file.ts";
export { BackupError } from "./read.ts";
