/**
 * Random sequences of an agent's and a user's changes, undos and restores, beside a model that knows each byte's author. More of them:
 * `npx tsx test/unit/changes/model/run.ts --sequences 33000 --seed 1 --jobs 2`, or `ACP_HOST_MODEL_SEQUENCES` and `ACP_HOST_SEED` here.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { disposeTemplates, playMany } from './many';
import { capture, linesInside, lostBy } from './oracle';
import { ModelSession, type Outcome } from './session';
import { replay, shrink } from './shrink';
import { type FileStep, type Sequence, script, type SessionStep } from './steps';
import { World } from './world';

const SEQUENCES = Number(process.env['ACP_HOST_MODEL_SEQUENCES'] ?? 60);
const SEED = Number(process.env['ACP_HOST_SEED'] ?? 1);

const step = (number: number, what: Omit<FileStep, 'number' | 'by'> & { readonly by?: FileStep['by'] }): FileStep => ({
  by: 'agent',
  number,
  ...what,
});
const turn = (hurry = false): SessionStep => ({ by: 'session', do: 'turn', hurry });
const end: SessionStep = { by: 'session', do: 'end' };
const restore: SessionStep = { by: 'session', do: 'restore', nth: 0, choose: false };

describe('the model of who wrote which byte', function () {
  this.timeout(60_000);
  let world: World;
  before(() => (world = World.begin()));
  after(() => {
    world.dispose();
    disposeTemplates();
  });

  const sequence: Sequence = {
    kind: 'plain',
    seed: 0,
    steps: [
      step(11, { by: 'user', do: 'append', path: 'b.txt' }),
      turn(),
      step(21, { do: 'edit', path: 'a.txt', at: 0, tell: 'announced' }),
      step(31, { do: 'write', path: 'new.txt', tell: 'silent' }),
      end,
      step(41, { by: 'user', do: 'append', path: 'src/c.txt' }),
      restore,
    ],
  };

  it("finds nothing where the product restores the agent's changes alone", async () => {
    assert.equal(await replay(world, sequence), undefined);
  });

  it('finds a line of the user that an action loses, and drops the steps that it does not need', async () => {
    const careless = (folder: World): ModelSession =>
      new (class extends ModelSession {
        override async restoreTo(): Promise<Outcome> {
          writeFileSync(folder.at('src/c.txt'), '');
          return { chosen: [], left: [] };
        }
      })(folder);
    const failure = await replay(world, sequence, careless);
    assert.equal(failure?.rule, 'lost');
    const { steps } = (await shrink(world, failure, careless)).sequence;
    assert.deepEqual(
      steps.map((each) => each.do),
      ['restore'],
    );
  });

  it('finds what an action writes outside of the folder, and in a .git', async () => {
    for (const [name, rule] of [
      ['../outside/a.txt', 'outside'],
      ['.git/config', 'git'],
    ] as const) {
      const reckless = (folder: World): ModelSession =>
        new (class extends ModelSession {
          override async restoreTo(): Promise<Outcome> {
            writeFileSync(folder.at(name), 'written');
            return { chosen: [], left: [] };
          }
        })(folder);
      assert.equal((await replay(world, { ...sequence, kind: 'git' }, reckless))?.rule, rule);
    }
  });

  it('finds content from outside of the folder in the store', async () => {
    const curious = (folder: World): ModelSession => {
      const session = new ModelSession(folder);
      writeFileSync(path.join(folder.base, 'canary'), 'c1; canary');
      session.recorder.turnEnded = async () => {
        writeFileSync(path.join(folder.storage, 'pack-0'), 'c1; canary');
        return undefined;
      };
      return session;
    };
    assert.equal((await replay(world, { ...sequence, steps: sequence.steps.slice(0, -1) }, curious))?.rule, 'canary');
  });

  it('excuses what the user chose, what went elsewhere, and nothing else', () => {
    world.reset('plain');
    const before = capture(world, []);
    rmSync(world.at('a.txt'));
    const after = capture(world, []);
    assert.match(lostBy(before, after, new Set(), new Map())?.message ?? '', /of a\.txt is nowhere/);
    assert.equal(lostBy(before, after, new Set(['a.txt']), new Map()), undefined);
    writeFileSync(world.at('moved.txt'), before.files.get('a.txt')!.text, 'latin1');
    assert.equal(lostBy(before, capture(world, []), new Set(), new Map()), undefined);
  });

  it('counts a line as part of a change only where the agent wrote above and below it', () => {
    assert.deepEqual([...linesInside('a1; x\nu2; x\na3; x\nu4; x\n')], ['u2; x']);
  });
});

describe('random sequences of agent and user', function () {
  this.timeout(Math.max(60_000, SEQUENCES * 200));
  after(disposeTemplates);

  it(`lose no byte of the user and no file without a question: ${SEQUENCES}`, async () => {
    const { failures, actions, exact } = await playMany({ seed: SEED, from: 0, to: SEQUENCES, mostFailures: 3 });
    assert.deepEqual(
      failures.map(({ rule, message, sequence }) => `${rule}: ${message}\n${script(sequence)}`),
      [],
    );
    assert.ok(actions > SEQUENCES / 4 && exact > SEQUENCES / 20, `${actions} undos and restores, ${exact} of them exact`);
  });
});
