import { execFileSync } from "node:child_process";
import { chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { demo } from "../settings.ts";
import {
  findProgram,
  MissingError,
  postgresFolders,
  type Service,
  startProgram,
  stopProgram,
  temporaryFolder,
  userOf,
} from "./program.ts";

/** The data is removed at the end, so nothing waits for the disk. */
const unsynced = ["-c", "fsync=off", "-c", "full_page_writes=off"];

/**
 * Starts Debian's PostgreSQL with a database `sync`, on a port of 127.0.0.1 or, without one, on a socket in its temporary
 * folder. The folder is removed when it stops.
 */
export async function startPostgres(port?: number): Promise<Service> {
  const folders = postgresFolders();
  const [initdb, postgres] = [findProgram("initdb", folders), findProgram("postgres", folders)];
  if (initdb === undefined || postgres === undefined) throw new MissingError("PostgreSQL", "postgresql");
  const folder = temporaryFolder("postgres");
  try {
    const user = prepare(initdb, folder.path);
    const listen =
      port === undefined
        ? ["-k", folder.path, "-c", "listen_addresses="]
        : ["-k", "", "-c", "listen_addresses=127.0.0.1", "-p", `${port}`];
    const args = ["-D", join(folder.path, "data"), ...listen, ...unsynced];
    const target = port ?? join(folder.path, ".s.PGSQL.5432");
    const child = await startProgram(postgres, args, target, { cwd: folder.path, ...user });
    const host = port === undefined ? "localhost" : `127.0.0.1:${port}`;
    const url = new URL(`postgres://sync:${demo.password}@${host}/postgres`);
    if (port === undefined) url.searchParams.set("host", folder.path);
    await createDatabase(url.href, "sync");
    url.pathname = "/sync";
    return {
      url: url.href,
      async stop() {
        await stopProgram(child, "SIGINT"); // does not wait for clients
        folder.remove();
      },
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

function prepare(initdb: string, folder: string): { uid: number; gid: number } | undefined {
  const user = userOf("postgres");
  const password = join(folder, "password");
  writeFileSync(password, demo.password, { mode: 0o600 });
  if (user !== undefined) for (const path of [folder, password]) chownSync(path, user.uid, user.gid);
  const args = ["-D", join(folder, "data"), "-U", "sync", "-A", "scram-sha-256", "--pwfile", password];
  execFileSync(initdb, [...args, "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"], {
    cwd: folder,
    stdio: "pipe",
    ...user,
  });
  return user;
}

/** Creates a database on a server that may still be starting. */
export async function createDatabase(serverUrl: string, name: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const client = new Client({ connectionString: serverUrl });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(`create database ${client.escapeIdentifier(name)}`);
      return;
    } catch (error) {
      const starting = error instanceof Error && "code" in error && error.code === "57P03";
      if (!starting || tries > 2_000) throw error;
      await pause(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
