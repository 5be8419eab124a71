import assert from 'node:assert/strict';
import { linkTarget, type LinkTarget, pageTarget } from '../../../../src/application/links/links';

const file = (path: string, line?: number, column?: number, endLine?: number, endColumn?: number): LinkTarget => ({
  type: 'file',
  path,
  ...(line !== undefined && { line }),
  ...(column !== undefined && { column }),
  ...(endLine !== undefined && { endLine }),
  ...(endColumn !== undefined && { endColumn }),
});

describe('the handler of an agent’s links', () => {
  it('opens http, https and mailto', () => {
    for (const uri of ['http://localhost:3000/a?b=c#d', 'https://example.com/x%20y', 'mailto:a@example.com?subject=Hi']) {
      assert.deepEqual(linkTarget(uri), { type: 'external', uri });
    }
    assert.deepEqual(linkTarget('  HTTPS://Example.com  '), { type: 'external', uri: 'https://example.com/' });
  });

  it('refuses a mail with an attached file', () => {
    for (const fields of [
      '?attach=/etc/passwd',
      '?attachment=file:///home/ada/.ssh/id_ed25519',
      '?subject=Hi&attach=x',
      '?subject=Hi;attach=x',
      '?subject=Hi&amp;attach=x',
      '?subject=Hi?attach=x',
      '?ATTACH=x',
      '?Attachments=x',
      '?attach',
      '?X-Attach=x',
      '?%61ttach=x',
      '?a%74t%61ch=x',
      '?%2561ttach=x',
      '?%25252561ttach=x',
      '?att%E2%80%8Bach=x',
      '?%FFattach=x',
      '?body=a%26attach%3D/etc/passwd',
      '%3Fattach=x',
      '%3Fattach%3Dx',
    ]) {
      for (const link of [`mailto:a@example.com${fields}`, `MAILTO:${fields}`, ` mailto:a@example.com,b@example.com${fields} `]) {
        assert.deepEqual(linkTarget(link), { type: 'refused', reason: 'attachment', scheme: 'mailto' }, link);
      }
    }
    for (const link of [
      'mailto:attach@example.com',
      'mailto:a@attachments.com?subject=attach%20it',
      'mailto:a@example.com?body=Please%20attach%20it%3B%20attach%20all&cc=attach@example.com',
    ]) {
      assert.equal(linkTarget(link).type, 'external', link);
    }
    const worst = `mailto:?${'%25'.repeat(2_700)}`;
    const start = performance.now();
    linkTarget(worst);
    assert.ok(performance.now() - start < 1000, 'decoding is bounded');
  });

  it('refuses every other scheme, and names it', () => {
    for (const href of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'command:workbench.action.terminal.new',
      'vscode://file/etc/passwd',
      'vscode-insiders:x',
      'data:text/html,<script>',
      'blob:https://x/y',
      'ftp://example.com/',
      'ssh://host',
      'ms-settings:privacy',
      'acp-host-diff:/x',
    ]) {
      assert.deepEqual(linkTarget(href), { type: 'refused', reason: 'scheme', scheme: href.split(':')[0]!.toLowerCase() });
    }
  });

  it('refuses malformed addresses', () => {
    for (const href of [
      '',
      '   ',
      'java\nscript:alert(1)',
      'https:\u0000//x',
      'https://',
      'https:example.com',
      'http:///x',
      '#anchor',
      '?q',
      'a%00b',
      'x'.repeat(9_000),
    ]) {
      assert.equal(linkTarget(href).type, 'refused', JSON.stringify(href));
    }
  });

  it('refuses files of other machines', () => {
    for (const href of ['//host/share/x', '\\\\host\\share\\x', 'file://host/share/x']) {
      assert.deepEqual({ ...linkTarget(href), scheme: undefined }, { type: 'refused', reason: 'remote_file', scheme: undefined });
    }
  });

  it("refuses them in every disguise, except on the share of a session's folder", () => {
    for (const href of [
      'file:////host/share/x',
      'file:///%5C%5Chost/share/x',
      '%2F%2Fhost/share/x',
      '%5C%5Chost%5Cshare',
      '//?/UNC/host/share/x',
      '/net/host/x',
    ]) {
      assert.equal(linkTarget(href).type, 'refused', href);
    }
    const own = ['/work', '\\\\host\\share\\repo'];
    assert.deepEqual(linkTarget('//host/share/repo/a.ts:3', own), file('//host/share/repo/a.ts', 3));
    assert.deepEqual(linkTarget('\\\\HOST\\share\\repo\\a.ts', own), file('\\\\HOST\\share\\repo\\a.ts'));
    assert.deepEqual(linkTarget('file://host/share/repo/a.ts#L3', own), file('//host/share/repo/a.ts', 3));
    assert.equal(linkTarget('//host/other/a.ts', own).type, 'refused');
  });

  it('reads paths, with or without a position at the end', () => {
    assert.deepEqual(linkTarget('src/a.ts'), file('src/a.ts'));
    assert.deepEqual(linkTarget('./a b.ts'), file('./a b.ts'));
    assert.deepEqual(linkTarget('/abs/a.ts:12'), file('/abs/a.ts', 12));
    assert.deepEqual(linkTarget('src/a.ts:12:3'), file('src/a.ts', 12, 3));
    assert.deepEqual(linkTarget('src/a.ts:12-20'), file('src/a.ts', 12, undefined, 20));
    assert.deepEqual(linkTarget('src/a.ts:12:3-20:5'), file('src/a.ts', 12, 3, 20, 5));
    assert.deepEqual(linkTarget('Makefile:7-9'), file('Makefile', 7, undefined, 9));
    assert.deepEqual(linkTarget('src/a.ts:20-12'), file('src/a.ts', 20));
    assert.deepEqual(linkTarget('Makefile:7'), file('Makefile', 7));
    assert.deepEqual(linkTarget('src/a.ts#L12'), file('src/a.ts', 12));
    assert.deepEqual(linkTarget('src/a.ts#L12-L20'), file('src/a.ts', 12, undefined, 20));
    assert.deepEqual(linkTarget('src/a.ts#L12C2-L20C5'), file('src/a.ts', 12, 2, 20, 5));
    assert.deepEqual(linkTarget('src/a.ts#L12C4'), file('src/a.ts', 12, 4));
    assert.deepEqual(linkTarget('a.ts:0'), file('a.ts'));
  });

  it('decodes percent escapes, except in a name that only looks like one', () => {
    assert.deepEqual(linkTarget('my%20file.ts#L3'), file('my file.ts', 3));
    assert.deepEqual(linkTarget('100%.md'), file('100%.md'));
    assert.deepEqual(linkTarget('c#/notes.md'), file('c#/notes.md'));
    assert.deepEqual(linkTarget('notes#chapter'), file('notes#chapter'));
  });

  it('reads file URLs and Windows paths', () => {
    assert.deepEqual(linkTarget('file:///home/me/a%20b.ts#L4'), file('/home/me/a b.ts', 4));
    assert.deepEqual(linkTarget('file:///home/me/a.ts:9'), file('/home/me/a.ts', 9));
    assert.deepEqual(linkTarget('file:///C:/x/a.ts'), file('C:/x/a.ts'));
    assert.deepEqual(linkTarget('C:\\x\\a.ts:5'), file('C:\\x\\a.ts', 5));
    assert.deepEqual(linkTarget('c:/x/a.ts'), file('c:/x/a.ts'));
  });
});

describe('the web page of a question', () => {
  it('opens http and https as written', () => {
    assert.deepEqual(pageTarget('https://example.com/a%2Fb?c=%20'), { type: 'external', uri: 'https://example.com/a%2Fb?c=%20' });
    assert.deepEqual(pageTarget('http://example.com/'), { type: 'external', uri: 'http://example.com/' });
  });

  for (const url of [
    'file:///etc/passwd',
    'vscode://x/y',
    'ms-msdt:/id',
    'command:x',
    'mailto:a@example.com',
    'javascript:alert(1)',
    'https:example.com',
    '/etc/passwd',
    'a.md:12',
    '//evil/share',
    ' ',
    'not an address',
  ]) {
    it(`does not open ${url}`, () => assert.equal(pageTarget(url).type, 'refused'));
  }
});
