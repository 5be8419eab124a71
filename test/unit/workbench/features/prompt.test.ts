/** Messages of the user whose mentions cannot be read, or that cannot be sent. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { DraftBlock } from '../../../../src/core/mentions/mention';
import type { Session } from '../../../../src/session/session';
import type { Handler } from '../../../../src/application/routing/feature';
import { withVscode } from '../../../support/fakeVscode';

const l10n = { t: (text: string) => text };
const window = { showWarningMessage: async () => undefined, showErrorMessage: async () => undefined };
const { default: promptFeature } = withVscode(
  { window, l10n, workspace: {}, EventEmitter: class {} },
  () => require('../../../../src/workbench/features/prompt') as typeof import('../../../../src/workbench/features/prompt'),
);

const text = (value: string): DraftBlock => ({ type: 'text', text: value });
const mention: DraftBlock = { type: 'mention', token: '@a.ts', name: 'a.ts', ref: { kind: 'file', uri: 'file:///w/a.ts' } };

function stage({ resolve, resend }: { resolve?: () => Promise<never>; resend?: () => Promise<never> } = {}) {
  const sent: unknown[] = [];
  const posted: unknown[] = [];
  const store = { state: { commands: [] } };
  const submit = (content: unknown): void => void sent.push(content);
  const session = { agentId: 'a', store, submit } as unknown as Session;
  const handlers = promptFeature({
    preferences: { said: () => undefined },
    mentions: async () => ({ resolve: resolve ?? (() => assert.fail()) }),
    attachCommands: () => assert.fail(),
    commandActions: async () => ({ resend: resend ?? (() => assert.fail()) }),
  });
  const act = (message: object): unknown =>
    (handlers[(message as { type: string }).type] as Handler)(message, {
      session,
      showing: undefined,
      post: (each) => void posted.push(each),
    });
  return { act, sent, posted };
}

describe('a message of the user', () => {
  it('returns to the composer when its mentions cannot be read, and the next one is sent', async () => {
    const results = [Promise.reject(new Error('EIO')), Promise.resolve([text('two')] as never)];
    const { act, sent, posted } = stage({ resolve: () => results.shift()! });
    const first = [text('one @a.ts'), mention];
    act({ type: 'prompt', content: first });
    act({ type: 'prompt', content: [text('two')] });
    await setImmediate();
    await setImmediate();
    assert.deepEqual(posted, [{ type: 'restore_message', content: first }]);
    assert.deepEqual(sent, [[text('two')]]);
  });

  it('returns to the composer when it cannot be sent again', async () => {
    const { act, posted } = stage({ resend: () => Promise.reject(new Error('EIO')) });
    act({ type: 'resend', entryId: 'e', content: [text('again')] });
    await setImmediate();
    await setImmediate();
    assert.deepEqual(posted, [{ type: 'restore_text', text: 'again' }]);
  });
});
