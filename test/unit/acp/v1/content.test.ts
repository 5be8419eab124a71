import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeBlock, decodeToolContent, encodeBlock } from '../../../../src/acp/v1/content';

describe('v1 content', () => {
  it('passes on a well-formed block unchanged, including unknown fields', () => {
    for (const raw of [
      { type: 'text', text: 'a', _meta: { m: 1 } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png', uri: 'u' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav', annotations: { priority: 1 } },
      { type: 'resource_link', uri: 'u', name: 'n', size: 3 },
    ]) {
      assert.equal(decodeBlock(raw), raw);
    }
  });

  it('omits null fields and moves fields of a wrong type to `malformed`', () => {
    assert.deepEqual(decodeBlock({ type: 'text', text: 'a', annotations: null }), { type: 'text', text: 'a' });
    assert.deepEqual(decodeBlock({ type: 'resource_link', uri: 'u', name: 'n', size: '3', title: null }), {
      type: 'resource_link',
      uri: 'u',
      name: 'n',
      malformed: { size: '3' },
    });
  });

  it('flattens resources and keeps the fields of both objects', () => {
    assert.deepEqual(decodeBlock({ type: 'resource', resource: { uri: 'u', mimeType: null, text: 't' } }), {
      type: 'resource',
      uri: 'u',
      text: 't',
    });
    const raw = {
      type: 'resource',
      annotations: { priority: 1 },
      _meta: { o: 1 },
      resource: { uri: 'u', text: 't', blob: 'b', _meta: { i: 1 } },
    };
    assert.deepEqual(decodeBlock(raw), {
      type: 'resource',
      uri: 'u',
      text: 't',
      annotations: { priority: 1 },
      _meta: { o: 1 },
      contents: { blob: 'b', _meta: { i: 1 } },
    });
  });

  it('names a link without a name after its address', () => {
    assert.deepEqual(decodeBlock({ type: 'resource_link', uri: 'file:///a' }), {
      type: 'resource_link',
      uri: 'file:///a',
      name: 'file:///a',
    });
  });

  it('keeps a malformed block as unknown', () => {
    for (const raw of [
      null,
      5,
      {},
      { type: 'text' },
      { type: 'text', text: 5 },
      { type: 'image', data: 'x' },
      { type: 'resource', resource: { uri: 'u' } },
    ]) {
      assert.deepEqual(decodeBlock(raw), { type: 'unknown', raw });
    }
  });

  it('round-trips every block that a prompt may hold', function () {
    this.timeout(20_000);
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const text = fc.string();
    const resource = fc.oneof(
      fc.record({ uri: text, text }, { requiredKeys: ['uri', 'text'] }),
      fc.record({ uri: text, blob: text, mimeType: optional(text) }, { requiredKeys: ['uri', 'blob'] }),
    );
    const block = fc.oneof(
      fc.record({ type: fc.constant('text'), text }),
      fc.record({ type: fc.constant('image'), data: text, mimeType: text, uri: optional(text) }),
      fc.record({ type: fc.constant('resource_link'), uri: text, name: text, size: optional(fc.nat()), title: optional(text) }),
      fc.record({ type: fc.constant('resource'), resource, annotations: optional(fc.constant({ priority: 1 })) }),
    );
    fc.assert(
      fc.property(block, (raw) => {
        const plain: unknown = JSON.parse(JSON.stringify(raw));
        assert.deepEqual(JSON.parse(JSON.stringify(encodeBlock(decodeBlock(plain)))), plain);
      }),
    );
  });
});

describe('v1 tool call content', () => {
  it('is passed on unchanged when it is well-formed', () => {
    const content = { type: 'content', content: { type: 'text', text: 'a' }, _meta: { m: 1 } };
    assert.equal(decodeToolContent(content), content);
    const terminal = { type: 'terminal', terminalId: 't' };
    assert.equal(decodeToolContent(terminal), terminal);
  });

  it('wraps bare blocks and bare text', () => {
    assert.deepEqual(decodeToolContent({ type: 'text', text: 'a' }), { type: 'content', content: { type: 'text', text: 'a' } });
    assert.deepEqual(decodeToolContent('a'), { type: 'content', content: { type: 'text', text: 'a' } });
  });

  it('keeps malformed content as unknown', () => {
    for (const raw of [null, 5, {}, { type: 'content' }, { type: 'terminal' }, { type: 'hologram' }, { type: 'diff', path: '/a' }]) {
      assert.deepEqual(decodeToolContent(raw), { type: 'unknown', raw });
    }
    assert.deepEqual(decodeToolContent({ type: 'content', content: { type: 'x' } }), {
      type: 'content',
      content: { type: 'unknown', raw: { type: 'x' } },
    });
  });
});
