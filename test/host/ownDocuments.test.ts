/** No document of ours has a clickable link that runs a command, whatever an agent put into it. */
import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { sanitizeMarkdown } from '../../src/text/markdown/sanitize';
import { documentSchemes } from '../../src/application/shared/ids';
import { registerDocuments, registerFiles, sanitizedSchemes } from '../../src/workbench/documents/ownDocuments';
import { MemoryFiles } from '../../src/workbench/changes/versions/memoryFiles';

const COMMAND = 'command:workbench.action.closeAllEditors';
const TEXTS: Readonly<Record<string, string>> = {
  'a.md': [
    `[a](${COMMAND}) <${COMMAND}> [b][c] <a href="${COMMAND}">d</a> <img src='${COMMAND}'> [v](vscode://x/y) <a href = "x:y">e</a>`,
    `[c]: ${COMMAND}`,
    `\`\`\`html\n<a href="${COMMAND}">f</a> [g](${COMMAND})\n\`\`\``,
    `\`<a href="${COMMAND}">\` \\<a href="${COMMAND}"> [web](https://example.com)\n`,
  ].join('\n\n'),
  'a.html': `<html><body><a href="${COMMAND}">a</a><img src="vscode://x/y"></body></html>\n`,
  'a.css': `@import url(${COMMAND});\na { background: url("${COMMAND}") }\n`,
  'tsconfig.json': `{ "extends": "${COMMAND}", "files": ["${COMMAND}"] }\n`,
  'a.ts': `// ${COMMAND} [a](${COMMAND})\nimport '${COMMAND}';\n`,
};

/**
 * Relative links stay in the scheme of the document, which runs no command. VS Code's TypeScript extension links the `extends` of each tsconfig.json:
 * always to this command of its own, which opens a file and takes the text as a file's name.
 */
const ALLOWED = /^(?:(?:https?|mailto|file):|command:_typescript\.openExtendsLink\?)/;

async function foreignLinks(uri: vscode.Uri): Promise<string[]> {
  const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', uri, 100);
  return links
    .map(({ target }) => target?.toString() ?? '')
    .filter((target) => !ALLOWED.test(target) && !target.startsWith(`${uri.scheme}:`) && target !== '');
}

/** The links of an open document, once its language no longer changes. */
async function settledLinks(uri: vscode.Uri): Promise<string[]> {
  let links = await foreignLinks(uri);
  for (let tries = 0; tries < 40 && links.length > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    links = await foreignLinks(uri);
  }
  return links;
}

describe('a document of ours', () => {
  const owned: { dispose(): void }[] = [];

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    owned.splice(0).forEach((each) => each.dispose());
  });

  it('would have foreign links without the protection', async () => {
    const provideTextDocumentContent = ({ path }: vscode.Uri): string => TEXTS[path.slice(1)] ?? '';
    owned.push(vscode.workspace.registerTextDocumentContentProvider('acp-host-unguarded', { provideTextDocumentContent }));
    const found: string[] = [];
    for (const name of Object.keys(TEXTS)) {
      const uri = vscode.Uri.from({ scheme: 'acp-host-unguarded', path: `/${name}` });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
      if ((await foreignLinks(uri)).length > 0) {
        found.push(name);
      }
    }
    assert.ok(found.includes('a.md'), found.join(' '));
  });

  for (const scheme of Object.values(documentSchemes)) {
    it(`has links to the web, to mailboxes and to files only: ${scheme}`, async () => {
      const textOf = (uri: vscode.Uri): string => {
        const text = TEXTS[uri.path.slice(1)] ?? '';
        return sanitizedSchemes.has(scheme) ? sanitizeMarkdown(text) : text;
      };
      const names = sanitizedSchemes.has(scheme) ? ['a.md'] : Object.keys(TEXTS);
      const urisIn = (place: string) => names.map((name) => vscode.Uri.from({ scheme: place, path: `/${name}`, query: 'links' }));
      let uris = urisIn(scheme);
      if (scheme === documentSchemes.proposal) {
        const files = new MemoryFiles();
        const register = (place: string) => registerFiles(place as typeof scheme, files, { isCaseSensitive: true });
        try {
          owned.push(files, register(scheme));
        } catch {
          // The extension registers its own provider when a change is held for approval, and VS Code refuses a second one for the scheme.
          owned.push(register(`${scheme}-2`));
          uris = urisIn(`${scheme}-2`);
        }
        uris.forEach((uri) => files.put(uri, textOf(uri), false));
      } else {
        owned.push(registerDocuments(scheme, { provideTextDocumentContent: textOf }));
      }
      for (const uri of uris) {
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.window.showTextDocument(document);
        assert.equal(document.getText(), textOf(uri), 'the text is the given one');
        assert.deepEqual(await settledLinks(uri), [], uri.path);
      }
    });
  }

  it('keeps providers and listeners when its language changes', async () => {
    const scheme = documentSchemes.diff;
    owned.push(registerDocuments(scheme, { provideTextDocumentContent: ({ path }) => TEXTS[path.slice(1)] ?? '' }));
    const { onDidCloseDocument } = await import('../../src/workbench/documents/ownDocuments');
    const closed: string[] = [];
    owned.push(onDidCloseDocument(({ uri }) => closed.push(uri.toString())));
    const uri = vscode.Uri.from({ scheme, path: '/a.md', query: 'close' });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    assert.deepEqual(await settledLinks(uri), []);
    assert.ok(!closed.includes(uri.toString()), 'the change of the language is no close');
  });
});
