export { checkBackupFile, restoreBackupFile, writeBackupFile } from "./load.ts";
export { BackupError } from "./read.ts";
