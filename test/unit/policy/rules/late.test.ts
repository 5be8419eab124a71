/** A session without rules, modes and earlier answers loads none of their code. */
import assert from 'node:assert/strict';
import { build, type Metafile, type Plugin } from 'esbuild';

describe('the code of permission rules', () => {
  it('is in files of the bundle that no session without rules loads', async function () {
    this.timeout(60_000);
    const { folders } = (await import('../../../../build/folders.mjs' as string)) as { folders(): Plugin };
    const { metafile } = await build({
      ...{ entryPoints: ['src/extension.ts'], outdir: 'out', bundle: true, splitting: true, format: 'esm', platform: 'node', write: false },
      ...{ metafile: true, logLevel: 'silent', external: ['vscode', 'node-pty'], plugins: [folders()] },
      alias: { 'vscode-languageserver-protocol': 'vscode-languageserver-types' },
    });
    const filesOf = (pattern: RegExp): string[] =>
      Object.keys(metafile.outputs).filter((file) => Object.keys(metafile.outputs[file]!.inputs).some((input) => pattern.test(input)));
    const session =
      /^src\/(?:extension|workbench\/app|workbench\/agents\/connector|acp\/v1\/v1|session\/session|session\/client\/clientServices|workbench\/permission\/rules\/windowRules)\.ts$/;
    const loaded = loadedWith(metafile, filesOf(session));
    const rules =
      /^src\/(?:policy\/(?:commands|rules|modes|agentRequests\.ts|decide\.ts|mcpTool\.ts)|application\/permission\/rules|session\/questions\/(?:agentPolicy|permissionModes)\.ts)/;
    const late = filesOf(rules);
    assert.deepEqual(
      late
        .filter((file) => loaded.has(file))
        .flatMap((file) => Object.keys(metafile.outputs[file]!.inputs).filter((input) => rules.test(input))),
      [],
    );
    assert.ok(late.length > 0);
    assert.ok(
      filesOf(/^src\/session\/questions\/permissions\.ts$/).some((file) => loaded.has(file)),
      'the code of a session',
    );
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
