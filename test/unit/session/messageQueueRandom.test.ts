import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ContentBlock } from '../../../src/core/model/content';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { back, setup, text } from './earlierScene';
import { type FakeAgent, fakeDependencies, launch } from './fakes';

/** Actions of a user and other events, in any order. `which`: an index in the queue, modulo its length. */
type Step =
  | { readonly does: 'say' | 'stop' | 'resume' | 'open' | 'fail' | 'die' | 'restart' | 'reload' }
  | { readonly does: 'answer'; readonly stopReason: string }
  | { readonly does: 'edit' | 'save' | 'giveUp' | 'remove' | 'interrupt'; readonly which: number }
  | { readonly does: 'move'; readonly which: number; readonly to: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Step>({ does: 'say' }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('answer' as const), stopReason: fc.constantFrom('end_turn', 'end_turn', 'odd', 'refusal') }),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ does: 'open' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ does: 'resume' }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>({ does: 'stop' }, { does: 'fail' }, { does: 'die' }, { does: 'restart' }, { does: 'reload' }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('edit' as const, 'save' as const, 'giveUp' as const, 'remove' as const, 'interrupt' as const),
      which: fc.nat(9),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('move' as const), which: fc.nat(9), to: fc.nat(9) }) },
);

/** Texts after a message's number: with several bytes, UTF-16 units or lines, and with characters that have a special meaning elsewhere. */
const SCRIPTS = ['', ' Größe', ' 👩‍👩‍👧‍👦 𝒳', ' 日本語\n\nзавтра', ' \u202eשלום', ' "\\u0000" \ud83d', ' /plan {"a":1}\r\n'];

/** Every third message has a file. */
function contentOf(count: number): readonly ContentBlock[] {
  const words = text(`m${count}${SCRIPTS[count % SCRIPTS.length]}`);
  return count % 3 === 0 ? [...words, { type: 'resource', uri: `file:///größe/${count}`, text: `file ${count}` }] : words;
}

const FILE = '<file>';
/** The position of the file in the content. */
const FIRST_FILE = 1;

interface Message {
  /** The text, with that of the file, if there is one. */
  words: string;
  paused: boolean;
  editing: boolean;
}

/** A simple model of the queue with the behavior that the user expects. */
class Model {
  status: 'starting' | 'ready' | 'gone' = 'starting';
  turn: { stopped: boolean } | undefined;
  queue: Message[] = [];
  readonly sent: string[] = [];
  readonly removed: string[] = [];

  say(words: string): void {
    if (this.status === 'ready' && !this.turn && this.queue.every(({ paused }) => paused)) {
      this.start(words);
    } else {
      this.queue.push({ words, paused: false, editing: false });
    }
  }

  /** Sends the messages that can be sent. */
  settle(): void {
    const next = this.queue.find(({ paused }) => !paused);
    if (this.status === 'ready' && !this.turn && next && !next.editing) {
      this.queue.splice(this.queue.indexOf(next), 1);
      this.start(next.words);
    }
  }

  pause(): void {
    this.queue.forEach((message) => (message.paused = true));
  }

  end(pauses: boolean): void {
    this.turn = undefined;
    if (pauses) {
      this.pause();
    }
    this.settle();
  }

  private start(words: string): void {
    this.sent.push(words);
    this.turn = { stopped: false };
  }
}

class Scene {
  readonly model = new Model();
  private fakes = fakeDependencies();
  private sessions = new Sessions(this.fakes.deps);
  session: Session = this.sessions.create(launch(), setup);
  private count = 0;
  /** The prompts of agents that have exited. */
  private before: string[] = [];

  get agent(): FakeAgent | undefined {
    return this.fakes.agents.at(-1);
  }

  get sent(): string[] {
    return [...this.before, ...this.fakes.agents.flatMap(promptsOf)];
  }

  private idAt(which: number): string | undefined {
    const { queue } = this.session.store.state;
    return queue[which % Math.max(1, queue.length)]?.queueId;
  }

  async run(step: Step): Promise<void> {
    const { model, session } = this;
    switch (step.does) {
      case 'say': {
        const content = contentOf(++this.count);
        const words = wordsIn(content);
        if (model.status === 'gone') {
          model.status = 'starting';
        }
        model.say(words);
        assert.equal(session.submit(content), undefined);
        return;
      }
      case 'open':
        return this.open();
      case 'answer':
        return this.answer(step.stopReason);
      case 'fail':
        return this.answer(undefined);
      case 'stop':
        if (model.turn && !model.turn.stopped) {
          model.turn.stopped = true;
          model.pause();
        }
        return session.cancel();
      case 'resume':
        if (model.queue.some(({ paused }) => paused)) {
          model.queue.forEach((message) => (message.paused = false));
          model.status = model.status === 'gone' ? 'starting' : model.status;
          model.settle();
        }
        return session.resumeQueue();
      case 'die':
        // Without a session the start has failed, and only a retry helps.
        if (model.status === 'ready') {
          model.status = 'gone';
          model.turn = undefined;
          model.pause();
          this.agent!.end({ code: 'agent.exited' });
        }
        return;
      case 'restart':
        if (model.status === 'gone') {
          model.status = 'starting';
          session.act('restart');
        }
        return;
      case 'reload':
        return this.reload();
      default:
        return this.change(step);
    }
  }

  private change(step: Extract<Step, { which: number }>): void {
    const { model, session } = this;
    const queueId = this.idAt(step.which);
    const message = model.queue[step.which % Math.max(1, model.queue.length)];
    if (queueId === undefined || !message) {
      assert.deepEqual([queueId, message], [undefined, undefined]);
      return;
    }
    switch (step.does) {
      case 'edit':
        message.editing = true;
        assert.equal(session.queue.edit(queueId), undefined);
        return;
      case 'save': {
        // The first message loses its file, if it has one. Others keep it.
        const [words, file] = message.words.split(FILE) as [string, string?];
        const kept = file !== undefined && step.which > 0 ? [FIRST_FILE] : [];
        message.words = `${words}!${kept.length > 0 ? `${FILE}${file}` : ''}`;
        message.editing = false;
        model.settle();
        assert.equal(session.queue.save(queueId, `${words}!`, kept), undefined);
        return;
      }
      case 'giveUp':
        message.editing = false;
        model.settle();
        session.queue.cancelEdit(queueId);
        return;
      case 'remove':
        model.removed.push(message.words);
        model.queue.splice(model.queue.indexOf(message), 1);
        model.settle();
        assert.equal(session.queue.remove(queueId), undefined);
        return;
      case 'interrupt':
        if (!message.editing) {
          model.queue = [message, ...model.queue.filter((each) => each !== message)];
          message.paused = false;
          if (model.turn) {
            model.turn.stopped = true;
          }
          model.settle();
        }
        assert.equal(session.queue.sendNow(queueId, 'interrupt'), undefined);
        return;
      case 'move': {
        const others = model.queue.filter((each) => each !== message);
        others.splice(step.to, 0, message);
        model.queue = others;
        model.settle();
        assert.equal(session.queue.move(queueId, step.to), undefined);
      }
    }
  }

  /** The agent becomes ready. */
  private open(): void {
    const { model, agent } = this;
    if (model.status !== 'starting' || !agent) {
      return;
    }
    model.status = 'ready';
    model.settle();
    agent.offer('resume');
    agent.ready(agent.dialect);
    (agent.again.at(-1) ?? agent.newSession.at(-1)!)(back('S'));
  }

  private answer(stopReason: string | undefined): void {
    const { model, agent } = this;
    if (!model.turn || !agent) {
      return;
    }
    const { stopped } = model.turn;
    const pauses = stopReason === undefined || stopReason === 'refusal';
    const answer = agent.prompts.at(-1)!;
    model.end(stopped && stopReason !== undefined ? false : pauses);
    if (stopReason === undefined) {
      answer({ ok: false, failure: { code: 'request.failed' } });
    } else {
      answer({ ok: true, value: { stopReason: stopped ? 'cancelled' : stopReason, events: [] } });
    }
  }

  private async reload(): Promise<void> {
    const { model } = this;
    // A session that its agent never had cannot be reopened.
    if (this.session.store.state.sessionId === undefined) {
      return;
    }
    this.before = this.sent;
    await this.sessions.flush();
    const { journals, queues } = this.fakes;
    this.sessions.dispose();
    this.fakes = fakeDependencies();
    journals.forEach((kept, key) => this.fakes.journals.set(key, kept));
    queues.forEach((kept, key) => this.fakes.queues.set(key, kept));
    this.sessions = new Sessions(this.fakes.deps);
    this.session = (await this.sessions.restore(this.session.key, launch))!;
    model.status = 'gone';
    model.turn = undefined;
    model.queue.forEach((message) => (message.editing = false));
    model.pause();
  }
}

const promptsOf = ({ sent }: FakeAgent): string[] =>
  sent.filter(([what]) => what === 'prompt').map(([, , content]) => wordsIn(content as readonly ContentBlock[]));
const wordsIn = (content: readonly ContentBlock[]): string => content.map(wordsOf).join('');
const wordsOf = (block: ContentBlock): string =>
  block.type === 'text' ? block.text : block.type === 'resource' ? `${FILE}${block.uri} ${block.text}` : '';

describe('the message queue in random sequences', function () {
  this.timeout(60_000);

  it('matches a simple model', async () => {
    let resumed = 0;
    let longest = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
        const scene = new Scene();
        for (const each of steps) {
          await scene.run(each);
          const { model, session, sent } = scene;
          assert.deepEqual(sent, model.sent, JSON.stringify(each));
          assert.deepEqual(
            session.store.state.queue.map(({ content, paused, editing }) => ({
              words: wordsIn(content),
              paused: paused ?? false,
              editing: editing ?? false,
            })),
            model.queue,
            JSON.stringify(each),
          );
          model.removed.forEach((words) => assert.ok(!sent.includes(words), `${words} was removed and sent`));
          assert.equal(new Set(sent).size, sent.length, 'nothing is sent twice');
          resumed += each.does === 'reload' ? 1 : 0;
          longest = Math.max(longest, model.queue.length);
        }
      }),
      { numRuns: 400 },
    );
    assert.ok(resumed > 20 && longest > 5, `reloads ${resumed}, longest queue ${longest}`);
  });
});
