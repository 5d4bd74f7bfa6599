export { checkBackupFile, restoreBackupFile, writeBackupFile } from "./file.ts";
export { BackupError, type BackupHeader, type BackupManifest } from "./format.ts";
