import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withoutGoneSockets } from '../../../src/sandbox/disk/gatherPlaces';
import type { Place } from '../../../src/sandbox/plan/plan';

describe('the plan of a sandbox', () => {
  it('hides the sockets that are still there, and every other place', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'acp-'));
    const server = createServer();
    try {
      await new Promise<void>((resolve) => server.listen(path.join(folder, 's'), resolve));
      const place = (name: string, isSocket: boolean): Place => ({
        path: path.join(folder, name),
        access: 'none',
        isFolder: false,
        ...(isSocket && { isSocket }),
      });
      const places = [place('s', true), place('gone', true), place('secret', false)];
      assert.deepEqual(withoutGoneSockets({ places }).places, [places[0], places[2]]);
    } finally {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
