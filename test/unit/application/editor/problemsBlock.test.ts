import assert from 'node:assert/strict';
import { problemsBlock } from '../../../../src/application/editor/problemsBlock';

const diagnostic = (severity: number, message = 'x') => ({
  severity,
  message,
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
});

describe('problems in a prompt', () => {
  it('are an embedded resource in LSP’s shape', () => {
    const block = problemsBlock({ uri: 'file:///a.ts', version: 3, diagnostics: [diagnostic(2), diagnostic(1)] }, true);
    assert.ok(block.type === 'resource');
    assert.equal(block.uri, 'file:///a.ts#problems');
    assert.deepEqual(JSON.parse(block.text!), { uri: 'file:///a.ts', version: 3, diagnostics: [diagnostic(2), diagnostic(1)] });
  });

  it('are text for an agent that accepts no embedded resources', () => {
    const block = problemsBlock({ uri: 'file:///a.ts', version: 1, diagnostics: [diagnostic(1, 'broken')] }, false);
    assert.ok(block.type === 'text');
    assert.match(block.text, /file:\/\/\/a\.ts[^]*"message": "broken"/);
  });

  it('keep the errors when there are too many, with the number of omitted ones', () => {
    const diagnostics = [...Array.from({ length: 500 }, () => diagnostic(3)), diagnostic(1, 'the error')];
    const block = problemsBlock({ uri: 'file:///a.ts', version: 1, diagnostics }, true);
    assert.ok(block.type === 'resource');
    const { diagnostics: kept, omitted } = JSON.parse(block.text!) as { diagnostics: { message: string }[]; omitted: number };
    assert.equal(kept.length + omitted, 501);
    assert.equal(kept[0]!.message, 'the error');
  });
});
