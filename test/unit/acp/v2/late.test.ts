/** A session of version 1 loads nothing of version 2. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

describe('the code of version 2', () => {
  it('is loaded only for an agent whose settings want it, and for a saved log', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.posix.join('src', file.replaceAll('\\', '/')));
    const importing = files
      .filter((file) => !file.startsWith('src/acp/v2/') && /from '[^']*\/v2\/[^']*'/.test(readFileSync(file, 'utf8')))
      .map((file) => file.replaceAll('\\', '/'));
    // The command of a saved log is loaded late itself.
    assert.deepEqual(importing, ['src/workbench/export/replayLog.ts']);
    const late = files.filter((file) => /import\('[^']*\/v2\/[^']*'\)/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(late, ['src/workbench/agents/lazyConnector.ts']);
  });
});
