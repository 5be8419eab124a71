/** A window in another process: receives commands as lines of JSON, and answers with lines. */
import { createInterface } from 'node:readline';
import { SessionStorage } from '../../../../src/session/storage/sessionStorage';
import { quiet } from '../fakes';
import { headerOf, keep, lineOf, said } from './storageScene';

const [folder = ''] = process.argv.slice(2);
const storage = new SessionStorage({
  root: `${folder}/global/store`,
  earlier: { globalStorage: `${folder}/global`, storage: `${folder}/workspaceStorage/abc/acp.host` },
  maxBytes: () => Infinity,
  log: quiet,
});
let answer = true;
storage.onRequested(() => Promise.resolve(answer));

const commands: Record<string, (...args: string[]) => Promise<unknown> | unknown> = {
  keep: (key, at) => keep(storage, key!, { at: Number(at) }),
  list: async () => (await storage.list({ limit: 1000 })).summaries.map(({ key }) => key),
  acquire: (key, force) => storage.acquire(key!, force === 'true'),
  answers: (value) => (answer = value === 'true'),
  taken: (key) => storage.isTaken(key!),
  live: (key) => storage.isLiveElsewhere(key!),
  append: async (key, text) => {
    await storage.file(headerOf(key!)).append('\n' + lineOf(said(text!, text)));
    return true;
  },
  /** Appends as fast as it can, until the process is killed or is no longer the owner. */
  flood: (key, name) => {
    void (async () => {
      const file = storage.file(headerOf(key!));
      for (let count = 0; ; count++) {
        await file.append(lineOf(said(`${name} ${count}`, `${name}-${count}`), count));
        await file.describe(JSON.stringify({ key, agentName: 'A', cwd: '/w', createdAt: 5, title: `${name}`, changedAt: Date.now() }));
      }
    })().catch((error: unknown) => process.stdout.write(JSON.stringify({ stopped: (error as Error).name }) + '\n'));
    return true;
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, command, args } = JSON.parse(line) as { id: number; command: string; args: string[] };
  Promise.resolve(commands[command]!(...args)).then(
    (value) => process.stdout.write(JSON.stringify({ id, value: value ?? null }) + '\n'),
    (error: unknown) => process.stdout.write(JSON.stringify({ id, error: (error as Error).name }) + '\n'),
  );
});
process.stdin.on('end', () => {
  storage.dispose();
  process.exit(0);
});
