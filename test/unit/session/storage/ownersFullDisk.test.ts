/** The owner of a session while the disk has no room to record it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { SessionOwners } from '../../../../src/session/storage/sessionOwners';

describe('the owner of a session on a full disk', () => {
  let root: string;
  let restore: () => void = () => undefined;
  const opened: SessionOwners[] = [];
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'acp-host-owners-'));
  });
  afterEach(() => {
    restore();
    opened.splice(0).forEach((owners) => owners.dispose());
    rmSync(root, { recursive: true, force: true });
  });
  const file = (): string => path.join(root, 'k.owner');
  const open = (): SessionOwners => {
    const owners = new SessionOwners({ hosts: path.join(root, 'hosts'), releaseSession: () => Promise.resolve(false) });
    opened.push(owners);
    return owners;
  };

  /** Makes every write fail as on a full disk: files can be created but not written, and folders cannot be created. */
  function fill(): void {
    const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const real = { writeFile: promises.writeFile, mkdir: promises.mkdir, open: promises.open, writeFileSync: fs.writeFileSync };
    const isHere = (place: unknown): boolean => String(place).startsWith(root);
    Object.assign(promises, {
      writeFile: async (...args: Parameters<typeof real.writeFile>) => {
        if (!isHere(args[0])) {
          return real.writeFile(...args);
        }
        await real.writeFile(args[0], '', args[2]);
        throw full();
      },
      mkdir: async (...args: Parameters<typeof real.mkdir>) => (isHere(args[0]) ? Promise.reject(full()) : real.mkdir(...args)),
      open: async (...args: Parameters<typeof real.open>) =>
        isHere(args[0]) && args[1] !== 'r' ? Promise.reject(full()) : real.open(...args),
    });
    Object.assign(fs, {
      writeFileSync: (...args: Parameters<typeof real.writeFileSync>) => {
        if (!isHere(args[0])) {
          return real.writeFileSync(...args);
        }
        real.writeFileSync(args[0], '', args[2]);
        throw full();
      },
    });
    restore = () => {
      Object.assign(promises, { writeFile: real.writeFile, mkdir: real.mkdir, open: real.open });
      Object.assign(fs, { writeFileSync: real.writeFileSync });
      restore = () => undefined;
    };
  }

  it('is the host that opens it, if the previous one is gone, and is recorded once a write succeeds', async () => {
    writeFileSync(file(), JSON.stringify({ acpHostOwner: 1, host: 'gone', pid: 2 ** 30, machine: hostname() }));
    fill();
    const owners = open();
    assert.equal(await owners.acquire('k', root), true);
    assert.equal(owners.isTaken('k'), false);
    assert.throws(() => owners.claim('k'), /ENOSPC/);
    assert.deepEqual(
      readdirSync(root).filter((name) => name !== 'hosts'),
      [],
      'nothing half written is left',
    );
    restore();
    owners.claim('k');
    assert.equal(owners.isOwner('k'), true);
    assert.equal((JSON.parse(readFileSync(file(), 'utf8')) as { host: string }).host, owners.host);
  });

  it('is the host that writes first when two have opened it', async () => {
    fill();
    const [one, two] = [open(), open()];
    assert.deepEqual([await one.acquire('k', root), await two.acquire('k', root)], [true, true]);
    restore();
    two.claim('k');
    one.claim('k');
    assert.deepEqual([one.isOwner('k'), two.isOwner('k')], [false, true]);
  });

  it('stays a host that is alive', async () => {
    const one = open();
    assert.equal(await one.acquire('k', root), true);
    fill();
    assert.equal(await open().acquire('k', root), false);
    assert.equal(one.isOwner('k'), true);
  });
});
