/** The journal of a session whose agent outlives the window: what a later window has, and from which frame on it needs the others. */
import assert from 'node:assert/strict';
import type { FramePosition } from '../../../../src/core/keeper/keptAgent';
import { isAbsent, type SessionState } from '../../../../src/core/model/state';
import { Journal } from '../../../../src/session/journal/journal';
import { reducePortions } from '../../../../src/session/journal/journalReader';
import { SessionStore } from '../../../../src/session/state/store';
import { quiet } from '../fakes';
import { FakeClock } from '../permission/fakes';

const HEADER = { acpHostJournal: 1, key: 'k', agentName: 'A', cwd: '/w', createdAt: 1 } as const;

class Scene {
  readonly clock = new FakeClock();
  readonly store = new SessionStore(this.clock);
  text = '';
  fails = false;
  secrets: string[] = [];
  position: FramePosition | undefined = { id: 'K', handling: undefined, handled: 0, isRepeated: false };
  readonly journal: Journal;

  constructor(first?: { readonly id: string; readonly frame: number; readonly isCut: true }, text = '') {
    this.text = text;
    this.journal = new Journal(
      {
        append: async (added) => {
          if (this.fails) {
            throw new Error('full');
          }
          this.text += added;
        },
        replace: async (whole) => void (this.text = whole),
        describe: async () => undefined,
      },
      this.store,
      this.clock,
      quiet,
      HEADER,
      () => this.secrets,
      text !== '',
      {},
      { position: () => this.position, ...(first && { first }) },
    );
  }

  /** Handles a frame that adds these pieces to the agent's message. */
  frame(n: number, ...texts: string[]): void {
    this.position = { id: 'K', handling: n, handled: n - 1, isRepeated: false };
    texts.forEach((text) => this.say(text));
    this.position = { id: 'K', handling: undefined, handled: n, isRepeated: false };
  }

  say(text: string, messageId = 'm'): void {
    this.store.append({ type: 'message_chunk', role: 'agent', messageId, content: { type: 'text', text } });
  }

  async write(): Promise<void> {
    await this.journal.written();
  }
}

const read = async (text: string) => (await reducePortions(one(text)))!;
async function* one(text: string): AsyncIterable<readonly string[]> {
  yield text.split('\n');
}
const said = (state: SessionState): string =>
  [...state.entries.inMemory()]
    .flatMap((entry) => (entry.kind === 'message' && !isAbsent(entry) ? entry.content : []))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');

describe('the journal of a kept agent', () => {
  it('says up to which frame it is complete', async () => {
    const scene = new Scene();
    scene.frame(1, 'a');
    scene.frame(2, 'b', 'c');
    await scene.write();
    const { kept, state } = await read(scene.text);
    assert.deepEqual([kept?.id, kept?.frame, said(kept!.state), said(state)], ['K', 2, 'abc', 'abc']);
  });

  it('leaves out the events of a torn write, which the keeper sends again, but not what the user did', async () => {
    const scene = new Scene();
    scene.frame(1, 'a');
    await scene.write();
    scene.frame(2, 'b', 'c');
    scene.say('mine', 'user');
    scene.frame(3, 'd');
    await scene.write();
    const lines = scene.text.trimEnd().split('\n');
    for (let cut = 1; cut < 5; cut++) {
      const torn = lines.slice(0, -cut).join('\n') + '\n{"seq":';
      const { kept } = await read(torn);
      const isMine = torn.includes('mine');
      assert.deepEqual([kept!.frame, said(kept!.state)], [1, isMine ? 'amine' : 'a'], `${cut} lines are torn off`);
    }
  });

  it('counts a frame as incomplete while a part of its text may be the beginning of a secret', async () => {
    const scene = new Scene();
    scene.secrets = ['sesame-4711'];
    scene.frame(1, 'one ');
    scene.frame(2, 'two sesa');
    await scene.write();
    const before = await read(scene.text);
    assert.deepEqual([before.kept!.frame, said(before.kept!.state)], [1, 'one ']);
    assert.equal(scene.journal.storedFrame(scene.position!), 1);
    scene.frame(3, 'me-4711 three');
    await scene.write();
    const after = await read(scene.text);
    assert.equal(after.kept!.frame, 3);
    assert.ok(!scene.text.includes('4711'));
  });

  it('has each frame once when a later window continues after a torn write, and after another one', async () => {
    const scene = new Scene();
    scene.frame(1, 'a');
    await scene.write();
    scene.frame(2, 'b');
    await scene.write();
    const torn = scene.text.split('\n').slice(0, -2).join('\n');
    const first = await read(torn);
    assert.deepEqual([first.kept!.frame, said(first.kept!.state)], [1, 'a']);
    const later = new Scene({ id: 'K', frame: 1, isCut: true }, torn);
    later.position = { id: 'K', handling: undefined, handled: 1, isRepeated: false };
    later.store.adopt(first.kept!.state, first.next);
    later.frame(2, 'b');
    later.frame(3, 'c');
    await later.write();
    const second = await read(later.text);
    assert.deepEqual([second.kept!.frame, said(second.kept!.state), said(second.state)], [3, 'abc', 'abc']);
  });

  it('keeps the position of the window before until this one has handled the same frames', async () => {
    const scene = new Scene();
    scene.frame(1, 'a');
    scene.frame(2, 'b');
    await scene.write();
    // The window was killed before the keeper learned that both are stored.
    const restore = async (text: string) => {
      const { kept, next } = await read(text);
      const later = new Scene({ id: 'K', frame: kept!.frame, isCut: true }, text);
      later.position = { id: 'K', handling: undefined, handled: 0, isRepeated: false };
      later.store.adopt(kept!.state, next);
      return { later, kept: kept! };
    };
    const second = await restore(scene.text);
    second.later.say('mine', 'user');
    await second.later.write();
    const third = await restore(second.later.text);
    assert.deepEqual([third.kept.frame, said(third.kept.state)], [2, 'abmine']);
    // The same when this window ends after one of the frames, or while an end of its text is held back.
    second.later.position = { id: 'K', handling: undefined, handled: 1, isRepeated: false };
    second.later.secrets = ['sesame-4711'];
    second.later.say('sesa', 'user');
    await second.later.write();
    assert.equal((await restore(second.later.text)).kept.frame, 2);
  });

  it('has everything when no keeper sends the frames again', async () => {
    const scene = new Scene();
    scene.frame(1, 'a');
    await scene.write();
    scene.frame(2, 'b');
    await scene.write();
    const torn = scene.text.split('\n').slice(0, -2).join('\n');
    assert.equal(said((await read(torn)).state), 'ab');
  });

  it('knows no keeper after the agent has ended, or for an agent that was not kept', async () => {
    const scene = new Scene();
    scene.frame(1, 'a');
    await scene.write();
    scene.position = undefined;
    scene.say('b');
    await scene.write();
    const { kept, state } = await read(scene.text);
    assert.deepEqual([kept, said(state)], [undefined, 'ab']);
    const never = new Scene();
    never.position = undefined;
    never.say('a');
    await never.write();
    assert.ok(!never.text.includes('kept'));
    assert.ok(!never.text.includes('"frame"'));
  });

  it('reports a frame as stored when its events are on disk, or cannot be written', async () => {
    const scene = new Scene();
    await scene.write();
    scene.frame(1, 'a');
    assert.equal(scene.journal.storedFrame(scene.position!), 0);
    await scene.write();
    assert.equal(scene.journal.storedFrame(scene.position!), 1);
    scene.position = { ...scene.position!, handled: 5 };
    assert.equal(scene.journal.storedFrame(scene.position), 5, 'frames without events need no write');
    scene.fails = true;
    scene.frame(6, 'b');
    await scene.write();
    assert.equal(scene.journal.storedFrame(scene.position!), 6, 'a full disk does not stop the agent');
  });
});
