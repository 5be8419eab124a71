import assert from 'node:assert/strict';
import { domainToASCII } from 'node:url';
import { addressOf, fromPunycode, mixesScripts } from '../../../../../webview/transcript/elicitation/urlSafety';

describe('the address of a web page', () => {
  /** The text before the host, the host in ⟨⟩, the text after it, and then the warnings. */
  const shown = (url: string): string => {
    const address = addressOf(url);
    if (!address) {
      return 'none';
    }
    const { before, host, after, letters, warnings } = address;
    assert.equal(before + host + after, new URL(url).href, 'it is shown as it would be opened');
    return [`${before}⟨${host}⟩${after}`, letters, ...warnings].filter(Boolean).join(' ');
  };

  it('marks the site, wherever it is', () => {
    assert.equal(shown('https://a.example'), 'https://⟨a.example⟩/');
    assert.equal(shown('HTTPS://A.Example:8443/x?https://b.example#@c'), 'https://⟨a.example:8443⟩/x?https://b.example#@c');
    assert.equal(shown('https://google.com@evil.example/google.com'), 'https://google.com@⟨evil.example⟩/google.com userinfo');
    assert.equal(shown('https://a:b%40c@evil.example@real.example/'), 'https://a:b%40c%40evil.example@⟨real.example⟩/ userinfo');
    assert.equal(shown('https://google.com\\@evil.example/'), 'https://⟨google.com⟩/@evil.example/');
    assert.equal(shown('https://a.ex\tample/\u202egpj'), 'https://⟨a.example⟩/%E2%80%AEgpj');
  });

  it('warns of names that may look like others', () => {
    assert.equal(shown('https://bücher.example/'), 'https://⟨xn--bcher-kva.example⟩/ bücher.example international');
    assert.equal(shown('https://xn--80ak6aa92e.com/'), 'https://⟨xn--80ak6aa92e.com⟩/ аррӏе.com international');
    assert.equal(shown('https://www.gіthub.com/'), 'https://⟨www.xn--gthub-n2e.com⟩/ www.gіthub.com mixed_scripts');
    assert.equal(shown('https://日本語カナ.jp/'), `https://⟨${domainToASCII('日本語カナ.jp')}⟩/ 日本語カナ.jp international`);
    assert.deepEqual(['paypal', 'раураl', 'αpple', '東京タワー', '한국', '中国bank'].map(mixesScripts), [
      false,
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it('warns of unencrypted addresses, except on this computer', () => {
    assert.equal(shown('http://a.example/'), 'http://⟨a.example⟩/ not_encrypted');
    for (const host of ['localhost:8080', '127.0.0.1:1', '[::1]:1', 'app.localhost']) {
      assert.equal(shown(`http://${host}/`), `http://⟨${host}⟩/`);
    }
    assert.equal(shown('http://localhost.evil.example/'), 'http://⟨localhost.evil.example⟩/ not_encrypted');
    assert.equal(shown('http://127.0.0.1.evil.example/'), 'http://⟨127.0.0.1.evil.example⟩/ not_encrypted');
  });

  it('is undefined without a site', () => {
    for (const url of ['javascript:alert(1)', 'https:a.example', 'file:///etc/passwd', 'https://', 'https://xn--.com', 'a.example']) {
      assert.equal(shown(url), 'none', url);
    }
  });

  it('reads Punycode as Node does', () => {
    for (const name of ['bücher', 'münchen-ost', '日本語', 'почемужеонинеговорятпорусски', 'أهلا', '👍a', 'ü', 'faß', 'a\u0301ä']) {
      const ascii = domainToASCII(name);
      assert.equal(fromPunycode(ascii.slice(4)), name.normalize('NFC'), name);
    }
  });

  it('rejects invalid Punycode', () => {
    for (const text of ['a-b!', 'ä', '9', '99999999', '9'.repeat(2000), 'a-999999b', `${'9'.repeat(300)}0`]) {
      assert.doesNotThrow(() => fromPunycode(text));
    }
    assert.equal(fromPunycode('99999999'), undefined);
    assert.equal(fromPunycode('ib9b'), undefined, 'half a character');
    assert.equal(fromPunycode('ä'), undefined);
  });
});
