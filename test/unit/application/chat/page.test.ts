import assert from 'node:assert/strict';
import { BUNDLE_ELEMENT_ID, contentSecurityPolicy, pageHtml, type PageOptions } from '../../../../src/application/chat/page';
import { sessionKeyOf } from '../../../../src/application/chat/pageState';

const host = 'https://file+.vscode-resource.vscode-cdn.net';
const parts: PageOptions = {
  nonce: 'bm9uY2U',
  language: 'en',
  title: 'Session',
  cspSource: "'self' https://*.vscode-cdn.net",
  scriptUri: `${host}/ext/dist/webview/main.js`,
  importUris: [`${host}/ext/dist/webview/chunks/a.js`],
  style: '.app { color: red }',
  shell: 'focus()',
  mediaUri: `${host}/ext/media`,
  sessionKey: 's-1',
  place: 'editor',
  bundle: undefined,
};

describe('page of a panel', () => {
  it("allows only the extension's own scripts, styles and pictures", () => {
    assert.equal(
      contentSecurityPolicy(parts),
      "default-src 'none'; script-src 'nonce-bm9uY2U'; style-src 'nonce-bm9uY2U'; " +
        'img-src data: blob: https://*.vscode-cdn.net/ext/media/; media-src data: blob: https://*.vscode-cdn.net/ext/media/; ' +
        "worker-src blob:; form-action 'none'; base-uri 'none'",
    );
  });

  it('does not widen the policy for an unusual install path', () => {
    const policy = contentSecurityPolicy({ ...parts, mediaUri: `${host}/a;script-src *, x/media` });
    assert.match(policy, /img-src data: blob: https:\/\/\*\.vscode-cdn\.net\/a%3Bscript-src%20\*%2C%20x\/media\/;/);
    assert.equal(policy.split(';').length, 8);
  });

  it('gives script and style the nonce, and contains no other element with one', () => {
    const html = pageHtml(parts);
    const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)];
    assert.deepEqual(
      scripts.map(([, attributes, text]) => [attributes!.includes('nonce="bm9uY2U"'), attributes!.includes('application/json'), text]),
      [
        [false, true, '{}'],
        [false, true, '{"sessionKey":"s-1"}'],
        [true, false, 'focus()'],
      ],
    );
    assert.ok(html.includes(`data-scripts="[&quot;${parts.scriptUri}&quot;,&quot;${parts.importUris[0]}&quot;]"`));
    assert.match(html, /<style nonce="bm9uY2U">\.app \{ color: red \}<\/style>/);
    assert.doesNotMatch(html, /\sstyle=|\son\w+=/);
    assert.match(html, /<html lang="en" data-place="editor">/);
  });

  it('contains no element that VS Code would wait for before it shows the page', () => {
    assert.doesNotMatch(pageHtml(parts), /<(link|img|iframe|script)\b[^>]*(src|href)=/);
  });

  it('shows a text box in the user’s language before the script runs', () => {
    assert.match(pageHtml(parts), /<textarea class="composer-text" aria-label="Message" rows="1" dir="auto"><\/textarea>/);
    assert.match(pageHtml({ ...parts, bundle: { Message: 'Nach"richt' } }), /aria-label="Nach&quot;richt"/);
  });

  it('keeps style and script inside their elements', () => {
    const html = pageHtml({ ...parts, style: '</style><img>', shell: '"</script><img>"' });
    assert.doesNotMatch(html, /<\/style><img>|<\/script><img>/);
  });

  it('writes the title as text', () => {
    assert.match(pageHtml({ ...parts, title: '</title><script>&"' }), /<title>&lt;\/title&gt;&lt;script&gt;&amp;&quot;<\/title>/);
  });

  it('reads the session’s key from a stored state, and nothing else', () => {
    assert.equal(sessionKeyOf({ sessionKey: 's-1', view: {} }), 's-1');
    for (const state of [undefined, null, 's-1', {}, { sessionKey: 1 }, { sessionKey: '' }, { sessionKey: '../x' }]) {
      assert.equal(sessionKeyOf(state), undefined);
    }
  });

  it('contains the strings in the user’s language, whatever they contain', () => {
    const bundle = { Send: 'Senden', Stop: { message: 'Halt', comment: ['a button'] }, '</script><!--': '</script>\u2028', bad: 3 };
    const html = pageHtml({ ...parts, bundle });
    const json = new RegExp(`id="${BUNDLE_ELEMENT_ID}">(.*?)</script>`).exec(html)![1]!;
    assert.deepEqual(JSON.parse(json), { Send: 'Senden', Stop: 'Halt', '</script><!--': '</script>\u2028' });
  });
});
