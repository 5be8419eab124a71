/** The reports for a prompt, and edits of the editor for an agent. */
import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import { setup, text } from './earlierScene';
import { fakeDependencies, launch } from './fakes';
import type { AllowedEdit, FileEdit } from '../../../src/fs/fileService';

function opened(files?: object) {
  const fakes = fakeDependencies();
  const sessions = new Sessions({ ...fakes.deps, ...(files && { files: () => files as never }) });
  const session = sessions.create(launch(), setup);
  fakes.agents[0]!.open('S');
  return { sessions, session, agent: fakes.agents[0]! };
}

describe('a prompt with new problems', () => {
  it('has them after the user’s message, together with the report of changes', () => {
    const { session, agent, sessions } = opened();
    const taken = (value: string) => ({ take: () => ({ content: [...text(value)], markUnsent: () => undefined }) });
    session.problems = taken('problems');
    session.report = taken('changes');
    session.prompt(text('question'));
    const [, , content] = agent.sent.find(([name]) => name === 'prompt')!;
    assert.deepEqual(
      (content as { text: string }[]).map((block) => block.text),
      ['question', 'problems', 'changes'],
    );
    sessions.dispose();
  });

  it('gives them back when the agent refuses it', () => {
    const { session, agent, sessions } = opened();
    let unsent = 0;
    session.problems = { take: () => ({ content: text('problems'), markUnsent: () => unsent++ }) };
    session.prompt(text('question'));
    agent.prompts[0]!({ ok: false, failure: { code: 'rpc.refused' } } as never);
    assert.equal(unsent, 1);
    sessions.dispose();
  });
});

describe('an edit of the editor for an agent', () => {
  const edits: readonly FileEdit[] = ['/w/a.ts', '/w/b.ts'].map((path) => ({ path, before: 'a\n', after: 'b\nc\n' }));
  const writtenIn = ({ session }: ReturnType<typeof opened>) => {
    const written: unknown[] = [];
    session.store.onEvents((_, events) => written.push(...events.flatMap((event) => (event.type === 'file_written' ? event.file : []))));
    return written;
  };

  it('is recorded as its writes, as the user left them', async () => {
    const allowed = edits.map((edit, index): AllowedEdit => ({ ...edit, real: edit.path, ...(index === 1 && { reviewed: 'a\nb\n' }) }));
    const scene = opened({ editTogether: async (_: unknown, apply: (all: readonly AllowedEdit[]) => Promise<void>) => apply(allowed) });
    const written = writtenIn(scene);
    await scene.session.editFiles(edits, async () => undefined, new AbortController().signal);
    assert.deepEqual(written, [
      { path: '/w/a.ts', operation: 'modify', added: 2, removed: 1 },
      { path: '/w/b.ts', operation: 'modify', added: 1, removed: 0 },
    ]);
    scene.sessions.dispose();
  });

  it('is not recorded when it was not made, and refused after Stop', async () => {
    const scene = opened({ editTogether: async (_: unknown, apply: (all: readonly AllowedEdit[]) => Promise<void>) => apply([]) });
    const written = writtenIn(scene);
    const { session, sessions } = scene;
    await assert.rejects(
      session.editFiles(edits, () => Promise.reject(new Error('refused')), new AbortController().signal),
      /refused/,
    );
    session.prompt(text('question'));
    session.cancel();
    await assert.rejects(session.editFiles(edits, () => assert.fail('made'), new AbortController().signal));
    assert.deepEqual(written, []);
    sessions.dispose();
  });
});
