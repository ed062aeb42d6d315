export type * from "./api.ts";
export { Leaflog } from "./client.ts";
export type { CallOptions, ConnectionOptions, Reply } from "./connection.ts";
export { type ErrorCode, LeaflogError, Unreachable } from "./errors.ts";
export { type Base, Outbox, type OutboxOptions, type OutboxStorage, type QueuedEntry } from "./outbox.ts";
export type { Platform } from "./platform.ts";
export { SessionClient } from "./session.ts";
export type { WatchEvent, WatchOptions } from "./watch.ts";
