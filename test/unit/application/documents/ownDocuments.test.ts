/** The extension registers its documents in one file, which keeps links in them harmless. test/host/ownDocuments.test.ts opens one of each scheme. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { documentSchemes } from '../../../../src/application/shared/ids';

const SOURCE = path.resolve('src');
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(path.join(SOURCE, file), 'utf8') }));

describe('the documents that the extension provides', () => {
  it('are registered with VS Code in one file', () => {
    const registering = files.filter(({ text }) => /register(?:TextDocumentContentProvider|FileSystemProvider)\b/.test(text));
    assert.deepEqual(
      registering.map(({ file }) => file),
      ['workbench/documents/ownDocuments.ts'],
    );
  });

  it('have schemes that are all in one list', () => {
    const named = files.flatMap(({ text }) =>
      [...text.matchAll(/scheme: ?'([^']+)'|Scheme = '([^']+)'/g)].map(([, one, other]) => one ?? other!),
    );
    const ours = named.filter((scheme) => scheme.startsWith('acp-host'));
    assert.deepEqual(
      ours.filter((scheme) => !Object.values<string>(documentSchemes).includes(scheme)),
      [],
    );
    const manifest = readFileSync('package.json', 'utf8');
    for (const [, scheme] of manifest.matchAll(/esourceScheme == (acp-host-\w+)/g)) {
      assert.ok(Object.values<string>(documentSchemes).includes(scheme!), scheme);
    }
  });
});
