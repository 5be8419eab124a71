/** A session with queued messages. */
import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../src/core/model/content';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { setup, text } from './earlierScene';
import { type FakeAgent, fakeDependencies, launch } from './fakes';

export type Fakes = ReturnType<typeof fakeDependencies>;

export function starting(): Fakes & { readonly sessions: Sessions; readonly session: Session; readonly agent: FakeAgent } {
  const fakes = fakeDependencies();
  const sessions = new Sessions(fakes.deps);
  const session = sessions.create(launch(), setup);
  return { ...fakes, sessions, session, agent: fakes.agents[0]! };
}

export function ready(): ReturnType<typeof starting> {
  const scene = starting();
  scene.agent.offer('resume');
  scene.agent.open();
  return scene;
}

/** The text of each prompt that the agent received. */
export const sent = ({ sent: all }: FakeAgent): string[] =>
  all.filter(([what]) => what === 'prompt').map(([, , content]) => wordsOf(content as readonly ContentBlock[]));
export const wordsOf = (content: readonly ContentBlock[]): string =>
  content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('');
export const queue = ({ store }: Session): string[] =>
  store.state.queue.map(
    ({ content, paused, editing, steering }) =>
      `${paused ? '(' : ''}${wordsOf(content)}${editing ? '*' : ''}${steering ? '>' : ''}${paused ? ')' : ''}`,
  );
export const idOf = ({ store }: Session, words: string): string =>
  store.state.queue.find(({ content }) => wordsOf(content) === words)?.queueId ?? assert.fail(`${words} is not queued`);
export const done = (stopReason = 'end_turn'): { ok: true; value: { stopReason: string; events: [] } } => ({
  ok: true,
  value: { stopReason, events: [] },
});

/** Submits these messages, the first of which starts a turn. */
export function say(session: Session, ...words: string[]): void {
  words.forEach((each) => assert.equal(session.submit(text(each)), undefined, each));
}
