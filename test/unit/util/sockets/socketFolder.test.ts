import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeSocketFolder, MAX_SOCKET_PATH } from '../../../../src/util/sockets/socketFolder';

describe('a folder for a socket', function () {
  if (process.platform === 'win32') {
    return; // A named pipe has no folder.
  }
  const { TMPDIR, XDG_RUNTIME_DIR } = process.env;
  const made: string[] = [];
  let base: string;

  beforeEach(async () => {
    base = await mkdtemp('/tmp/sockets-');
    made.push(base);
    delete process.env['XDG_RUNTIME_DIR'];
  });
  afterEach(async () => {
    for (const [name, value] of Object.entries({ TMPDIR, XDG_RUNTIME_DIR })) {
      if (value === undefined) {
        delete process.env[name];
      } else {
        process.env[name] = value;
      }
    }
    for (const folder of made.splice(0)) {
      await rm(folder, { recursive: true, force: true });
    }
  });

  const make = async (isUsable?: (path: string) => boolean): Promise<string> => {
    const folder = await makeSocketFolder('acp-host-', isUsable);
    made.push(folder);
    return folder;
  };
  const temporary = async (name: string): Promise<void> => {
    process.env['TMPDIR'] = path.join(base, name);
    await mkdir(process.env['TMPDIR'], { recursive: true });
    assert.equal(tmpdir(), process.env['TMPDIR']);
  };

  it('is in the folder for temporary files, and closed to others', async () => {
    await temporary('own');
    const folder = await make();
    assert.deepEqual([path.dirname(folder), (await stat(folder)).mode & 0o777], [path.join(base, 'own'), 0o700]);
  });

  it('is elsewhere when that path is too long, and a socket can listen there', async () => {
    await temporary('long'.repeat(40));
    const address = path.join(await make(), 's');
    assert.ok(address.length <= MAX_SOCKET_PATH && !address.startsWith(base), address);
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve));
    await new Promise((resolve) => server.close(resolve));
  });

  it('is elsewhere when the path has characters that the caller cannot use, or the folder is missing', async () => {
    await temporary('with blanks');
    process.env['XDG_RUNTIME_DIR'] = path.join(base, 'missing');
    const folder = await make((each) => !each.includes(' '));
    assert.equal(path.dirname(folder), '/tmp');
  });
});
