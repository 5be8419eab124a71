/** A session of version 1 loads nothing of version 2. */
import assert from 'node:assert/strict';
import { build, type Metafile, type Plugin } from 'esbuild';
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

  it('is in files of the bundle that no session of version 1 loads', async function () {
    this.timeout(60_000);
    const { folders } = (await import('../../../../build/folders.mjs' as string)) as { folders(): Plugin };
    const { metafile } = await build({
      ...{ entryPoints: ['src/extension.ts'], outdir: 'out', bundle: true, splitting: true, format: 'esm', platform: 'node', write: false },
      ...{ metafile: true, logLevel: 'silent', external: ['vscode', 'node-pty'], plugins: [folders()] },
      alias: { 'vscode-languageserver-protocol': 'vscode-languageserver-types' },
    });
    const ofVersion2 = /^src\/(?:acp\/v2|text\/gitPatch)\//;
    const filesOf = (pattern: RegExp): string[] =>
      Object.keys(metafile.outputs).filter((file) => Object.keys(metafile.outputs[file]!.inputs).some((input) => pattern.test(input)));
    const connector = filesOf(/^src\/workbench\/agents\/connector\.ts$/);
    assert.equal(connector.length, 1);
    const loaded = loadedWith(metafile, [...connector, ...filesOf(/^src\/extension\.ts$/), ...filesOf(/^src\/acp\/v1\/v1\.ts$/)]);
    assert.deepEqual(
      filesOf(ofVersion2).filter((file) => loaded.has(file)),
      [],
    );
    assert.ok(filesOf(ofVersion2).length > 0);
  });
});

/** Returns these files, and those that they load at once. */
function loadedWith({ outputs }: Metafile, files: readonly string[], seen = new Set<string>()): ReadonlySet<string> {
  for (const file of files) {
    if (!seen.has(file) && outputs[file]) {
      seen.add(file);
      const imported = outputs[file].imports.filter(({ kind }) => kind !== 'dynamic-import').map(({ path: each }) => each);
      loadedWith({ outputs } as Metafile, imported, seen);
    }
  }
  return seen;
}
