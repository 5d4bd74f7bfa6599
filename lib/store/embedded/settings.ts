import { totalmem } from "node:os";
import process from "node:process";

/**
 * Server settings for a small machine that shares its cores and memory with everything else. Durability is never
 * traded: fsync, full_page_writes and synchronous_commit keep their defaults (on).
 */
export function serverSettings(memoryBytes: number = totalmem()): Record<string, string> {
  const megabytes = memoryBytes / 2 ** 20;
  const sharedBuffers = megabytes >= 8_000 ? 512 : megabytes >= 3_000 ? 256 : 128;
  return {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${Math.round(megabytes / 3)}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "96MB",
    // One core serves one query best here, and parallel workers would need /dev/shm, which containers keep small.
    max_parallel_workers_per_gather: "0",
    max_parallel_maintenance_workers: "0",
    io_method: "sync",
    jit: "off",
    random_page_cost: "1.1",
    // Nothing replicates from this cluster; fewer, longer checkpoints write fewer full pages.
    wal_level: "minimal",
    max_wal_senders: "0",
    max_wal_size: "2GB",
    checkpoint_timeout: "15min",
    idle_in_transaction_session_timeout: "120s",
    tcp_keepalives_idle: "60",
    // After a crash, instead of opening and flushing every file.
    ...(process.platform === "linux" ? { recovery_init_sync_method: "syncfs" } : {}),
    // The log names faults only: no statements and no row values, which are texts of articles.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    log_autovacuum_min_duration: "-1",
  };
}
